public import SegueSystem

/// The times at which passwords and tokens may be tried again after failures: for each account and for each address.
///
/// From the fifth failure on, each one doubles a delay, from one second to 15 minutes. A success forgets the failures.
public struct AttemptDelays {
  /// The subject of the failures.
  public enum Subject: Hashable, Sendable {
    /// An e-mail address in lower case, whether or not somebody has registered with it.
    case account(String)
    /// An address of IPv4, or the first 64 bits of one of IPv6, which one client may have.
    case address([UInt8])

    /// The subject for the address of a client in bytes.
    public init(client bytes: [UInt8]) {
      let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
      // An address of IPv4 on a socket for both (RFC 4291, 2.5.5.2).
      self = .address(bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : Array(bytes.prefix(8)))
    }
  }

  private struct Failures {
    var count = 0
    var last: MonotonicTime
  }

  private var failures: [Subject: Failures] = [:]

  private static let permitted = 4
  private static let maximumDelay = MediaTime.seconds(15 * 60)
  /// The number of subjects that are remembered.
  private static let maximumSubjects = 10_000

  public init() {}

  /// Returns the time until the subjects may try again; nil if they may now.
  public func delay(for subjects: [Subject], at now: MonotonicTime) -> MediaTime? {
    let delays = subjects.compactMap { subject -> MediaTime? in
      guard let failed = failures[subject], failed.count > Self.permitted else { return nil }
      let end = failed.last + Self.delay(after: failed.count)
      return end > now ? end - now : nil
    }
    return delays.max()
  }

  private static func delay(after count: Int) -> MediaTime {
    min(.seconds(1 << min(count - permitted - 1, 20)), maximumDelay)
  }

  public mutating func fail(_ subjects: [Subject], at now: MonotonicTime) {
    for subject in subjects {
      failures[subject, default: Failures(last: now)].count += 1
      failures[subject]?.last = now
    }
    guard failures.count > Self.maximumSubjects else { return }
    // What has failed least recently is forgotten, a tenth at once, so that this is seldom done.
    let times = failures.values.map(\.last).sorted()
    let limit = times[failures.count / 10]
    failures = failures.filter { $0.value.last > limit }
  }

  public mutating func succeed(_ subjects: [Subject]) { for subject in subjects { failures[subject] = nil } }
}
