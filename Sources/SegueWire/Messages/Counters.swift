/// The answer of `daemon.stats`: counts since the daemon started.
public struct Counters: Equatable, JSONEncodable {
  public var clients = 0
  public var requests: UInt64 = 0
  public var underruns: UInt64 = 0
  public var reconnects: UInt64 = 0
  public var workersStarted: UInt64 = 0
  public var workersLost: UInt64 = 0
  public var bytesDecoded: UInt64 = 0
  /// What workers could not be locked in with, by the kernel's names; nil before the first has come up.
  public var sandboxLacks: [String]?
  /// Times the loop came out of its sleep.
  public var wakeups: UInt64 = 0
  /// Why queue, modes and position cannot be saved at present; nil while they can.
  public var saveError: String?

  public init() {}

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("clients", clients)
    json.member("requests", requests)
    json.member("underruns", underruns)
    json.member("reconnects", reconnects)
    json.member("workersStarted", workersStarted)
    json.member("workersLost", workersLost)
    json.member("bytesDecoded", bytesDecoded)
    json.member("sandboxLacks", sandboxLacks)
    json.member("wakeups", wakeups)
    json.member("saveError", saveError)
    json.endObject()
  }
}
