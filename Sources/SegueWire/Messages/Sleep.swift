public import SegueSystem

/// The state of the sleep timer in `Status.sleep`.
public enum Sleep: Equatable, JSONEncodable, JSONDecodable {
  /// The remaining time, counted from `Status.monotonic`.
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

  public init(_ json: JSON?) {
    if let end = json?["after"]?.string.flatMap(SleepEnd.init) {
      self = .after(end)
    } else {
      self = .seconds(json?["seconds"]?.time ?? .zero)
    }
  }
}
