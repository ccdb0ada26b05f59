internal import Glibc
public import SegueSystem

/// A state in which a test cannot continue.
public struct Unexpected: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// The timeout of operations that are fast on an idle machine.
public let defaultTimeout = MediaTime.seconds(60)

/// Calls `find` at intervals until it returns a value, and returns that; nil after the timeout. For conditions that no
/// event reports.
public func waitForValue<Found>(
  every interval: MediaTime = .milliseconds(5), within timeout: MediaTime = defaultTimeout,
  for find: () throws -> Found?
) rethrows -> Found? {
  let end = MonotonicTime.now + timeout
  while true {
    if let found = try find() { return found }
    if MonotonicTime.now >= end { return nil }
    usleep(UInt32(clamping: interval.nanoseconds / 1_000))
  }
}

/// Checks `condition` at intervals until it holds. Throws after the timeout. For conditions that no event reports.
public func waitUntil(
  _ what: @autoclosure () -> String, every interval: MediaTime = .milliseconds(5),
  within timeout: MediaTime = defaultTimeout, _ condition: () throws -> Bool
) throws {
  let holds = try waitForValue(every: interval, within: timeout) { try condition() ? true : nil }
  if holds == nil { throw Unexpected("timed out waiting until \(what())") }
}

/// Waits for a random time of at most `limit`, before an event that may happen at any time.
public func waitRandomly(within limit: MediaTime) {
  usleep(UInt32.random(in: 0..<UInt32(clamping: limit.nanoseconds / 1_000)))
}

/// Returns whether a process accepts connections on the Unix socket at `path`, which may also exist without one.
func isListening(at path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  return withUnixAddress(path.utf8) { connect(descriptor, $0, $1) == 0 }
}
