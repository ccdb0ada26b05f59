public import SegueSystem

/// What the sleep timer waits for.
public enum SleepEnd: String, Sendable, CaseIterable {
  case track, album, queue
}

/// The sleep timer as `Status.sleep` shows it; null when it is off.
public enum Sleep: Equatable, JSONEncodable, JSONDecodable {
  /// So long from `Status.monotonic` on.
  case seconds(MediaTime)
  case after(SleepEnd)

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .seconds(let left): json.member("seconds", left)
    case .after(let end): json.member("after", end.rawValue)
    }
    json.endObject()
  }

  public init(_ json: JSON) {
    if let end = json["after"]?.string.flatMap(SleepEnd.init) {
      self = .after(end)
    } else {
      self = .seconds(json["seconds"]?.time ?? .zero)
    }
  }
}
