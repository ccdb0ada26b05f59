/// The result of `daemon.stats`: counters since the start of the daemon.
public struct Counters: Equatable, JSONEncodable {
  public var clients = 0
  public var requests: UInt64 = 0
  public var underruns: UInt64 = 0
  public var reconnects: UInt64 = 0
  public var workersStarted: UInt64 = 0
  public var workersLost: UInt64 = 0
  public var bytesDecoded: UInt64 = 0
  /// The sandbox mechanisms that the kernel does not support; nil before the first worker has started.
  public var sandboxLacks: [String]?
  /// The number of times that the loop woke up.
  public var wakeups: UInt64 = 0
  /// The reason why the queue, the modes and the position cannot be saved at the moment; nil while they can be saved.
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
