internal import Glibc
public import SegueSystem

/// Something came out otherwise than it must for the test to go on.
public struct Unexpected: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// How long what needs no time of its own may take on a machine that has other things to do.
public let patience = MediaTime.seconds(60)

/// Looks again and again for what nobody announces; nil if it is not there in time.
public func look<Found>(
  every interval: MediaTime = .milliseconds(5), within patience: MediaTime = patience,
  for find: () throws -> Found?
) rethrows -> Found? {
  let end = MonotonicTime.now + patience
  while true {
    if let found = try find() { return found }
    if MonotonicTime.now >= end { return nil }
    usleep(UInt32(clamping: interval.nanoseconds / 1_000))
  }
}

/// Looks again and again whether it is so, where nobody announces it; throws if it never is.
public func waitUntil(
  _ what: @autoclosure () -> String, every interval: MediaTime = .milliseconds(5),
  within patience: MediaTime = patience, _ condition: () throws -> Bool
) throws {
  let isSo = try look(every: interval, within: patience) { try condition() ? true : nil }
  if isSo == nil { throw Unexpected("waited in vain until \(what())") }
}

/// Whether somebody takes connections on the Unix socket at `path`: that it is there does not say so.
func listens(at path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  return withUnixAddress(path.utf8) { connect(descriptor, $0, $1) == 0 }
}
