// Thread: the loop.

internal import CSystemd
internal import Glibc
public import SegueSystem

/// A group of descriptors with an epoll instance of its own inside that of the loop. If hundreds of descriptors are
/// ready at once, one system call returns many of them, whereas the loop makes one call for each `IOSource`.
@MainActor
public final class IOGroup {
  /// A descriptor that the group watches until `leave` is called, before which its owner must not close it. Every
  /// change is reported once (EPOLLET).
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
      // Proof: `leave` removes the entry, and is called before the last owner releases this object.
      group.members[descriptor] = Unmanaged.passUnretained(self)
    }

    public var interest: Readiness {
      didSet {
        guard interest != oldValue else { return }
        do {
          try group.control(EPOLL_CTL_MOD, descriptor, interest)
        } catch {
          preconditionFailure("a watched descriptor was closed before it left its group: \(error)")
        }
      }
    }

    /// Stops watching. Called once, by the owner, before it closes the descriptor and releases this object.
    public func leave() {
      group.members[descriptor] = nil
      do {
        try group.control(EPOLL_CTL_DEL, descriptor, [])
      } catch {
        preconditionFailure("a watched descriptor was closed before it left its group: \(error)")
      }
    }
  }

  /// The members by descriptor.
  fileprivate var members: [Int32: Unmanaged<Member>] = [:]
  private let epoll: Descriptor
  private var source: IOSource?
  private var events: [epoll_event]

  /// The maximum number of events that are handled before the loop dispatches other sources.
  private static let maximumEvents = 64

  public init(on loop: EventLoop) throws(SystemError) {
    epoll = Descriptor(owning: try checked("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    events = [epoll_event](repeating: epoll_event(), count: Self.maximumEvents)
    source = try IOSource(on: loop, descriptor: epoll.raw, for: .readable) { [unowned self] _ in dispatch() }
  }

  fileprivate func control(_ operation: Int32, _ descriptor: Int32, _ interest: Readiness) throws(SystemError) {
    var event = epoll_event()
    event.events = interest.rawValue | Readiness.onChange.rawValue
    event.data.fd = descriptor
    try checked("epoll_ctl") { epoll_ctl(epoll.raw, operation, descriptor, &event) }
  }

  private func dispatch() {
    let count = epoll_wait(epoll.raw, &events, Int32(Self.maximumEvents), 0)
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      let event = events[index]
      // A member that has left meanwhile is not found. A new member with the same descriptor gets a spurious event.
      guard let member = members[event.data.fd]?.takeUnretainedValue() else { continue }
      member.handler(Readiness(rawValue: event.events))
    }
  }
}
