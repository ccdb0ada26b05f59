// Thread: the loop.

internal import CSystemd
internal import Glibc
public import SegueSystem

/// An epoll of its own inside the loop's, for hundreds of descriptors that may be ready at once: the loop asks the kernel
/// once for many of them, where a source each costs a question each.
@MainActor
public final class IOGroup {
  /// A descriptor the group watches for as long as this object lives, told of every change once (EPOLLET).
  /// The descriptor stays its owner's, and is closed only after this object is gone.
  @MainActor
  public final class Member {
    private let group: IOGroup
    private let descriptor: Int32
    fileprivate let handler: @MainActor (Readiness) -> Void

    public init(
      of group: IOGroup, descriptor: Int32, for interest: Readiness, handler: @escaping @MainActor (Readiness) -> Void
    ) throws(SystemError) {
      self.group = group
      self.descriptor = descriptor
      self.handler = handler
      self.interest = interest
      try group.control(EPOLL_CTL_ADD, descriptor, interest)
      group.members[descriptor] = Unmanaged.passUnretained(self)
    }

    public var interest: Readiness {
      didSet {
        guard interest != oldValue else { return }
        do {
          try group.control(EPOLL_CTL_MOD, descriptor, interest)
        } catch {
          preconditionFailure("a watched descriptor was closed under its group: \(error)")
        }
      }
    }

    /// Stops watching. Called once, by the owner, before it closes the descriptor and lets go.
    public func leave() {
      group.members[descriptor] = nil
      do {
        try group.control(EPOLL_CTL_DEL, descriptor, [])
      } catch {
        preconditionFailure("a watched descriptor was closed under its group: \(error)")
      }
    }
  }

  /// By descriptor. An entry goes with `leave`, so none outlives its member.
  fileprivate var members: [Int32: Unmanaged<Member>] = [:]
  private let epoll: Descriptor
  private var source: IOSource?
  private var events: [epoll_event]

  /// How many are handled before the loop looks at everything else again.
  private static let mostAtOnce = 64

  public init(on loop: EventLoop) throws(SystemError) {
    epoll = Descriptor(owning: try checked("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    events = [epoll_event](repeating: epoll_event(), count: Self.mostAtOnce)
    source = try IOSource(on: loop, descriptor: epoll.raw, for: .readable) { [unowned self] _ in dispatch() }
  }

  fileprivate func control(_ operation: Int32, _ descriptor: Int32, _ interest: Readiness) throws(SystemError) {
    var event = epoll_event()
    event.events = interest.rawValue | Readiness.onChange.rawValue
    event.data.fd = descriptor
    try checked("epoll_ctl") { epoll_ctl(epoll.raw, operation, descriptor, &event) }
  }

  private func dispatch() {
    let count = epoll_wait(epoll.raw, &events, Int32(Self.mostAtOnce), 0)
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      let event = events[index]
      // One that left meanwhile is not found; one that took its number is told of a change it may look at in vain.
      guard let member = members[event.data.fd]?.takeUnretainedValue() else { continue }
      member.handler(Readiness(rawValue: event.events))
    }
  }
}
