/// A sink of the sound server in the result of `output.list`.
public struct OutputDevice: Equatable, JSONEncodable, JSONDecodable {
  public var name: String
  public var description: String
  /// Whether this is the default sink of the sound server.
  public var isDefault: Bool
  /// Whether the output uses this sink, or would use it.
  public var isCurrent: Bool
  public var sampleRate: Int
  public var channels: Int
  public var format: String

  public init(
    name: String, description: String, isDefault: Bool, isCurrent: Bool, sampleRate: Int, channels: Int, format: String
  ) {
    self.name = name
    self.description = description
    self.isDefault = isDefault
    self.isCurrent = isCurrent
    self.sampleRate = sampleRate
    self.channels = channels
    self.format = format
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    json.member("description", description)
    json.member("default", isDefault)
    json.member("current", isCurrent)
    json.member("sampleRate", sampleRate)
    json.member("channels", channels)
    json.member("format", format)
    json.endObject()
  }

  public init(_ json: JSON) {
    name = json["name"]?.string ?? ""
    description = json["description"]?.string ?? ""
    isDefault = json["default"]?.bool ?? false
    isCurrent = json["current"]?.bool ?? false
    sampleRate = json["sampleRate"]?.int ?? 0
    channels = json["channels"]?.int ?? 0
    format = json["format"]?.string ?? ""
  }
}

/// The result of `output.list` and `output.set`.
public struct OutputList: Equatable, JSONEncodable {
  /// All sinks. Only the first ones are encoded.
  public var outputs: [OutputDevice]
  /// The name of the chosen sink, which may be missing; nil if none is chosen, and the output uses the default.
  public var chosen: String?

  public init(outputs: [OutputDevice], chosen: String? = nil) {
    self.outputs = outputs
    self.chosen = chosen
  }

  public func encode(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.beginObject()
    json.member("outputs", outputs.prefix(ResponseLimits.listLength), within: &room)
    json.member("total", outputs.count)
    json.member("chosen", chosen)
    json.endObject()
  }
}

/// The result of `volume`.
public struct VolumeState: Equatable, JSONEncodable {
  /// The volume in percent, 0…100.
  public var volume: Int
  public var muted: Bool

  public init(volume: Int, muted: Bool) {
    self.volume = volume
    self.muted = muted
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("volume", volume)
    json.member("muted", muted)
    json.endObject()
  }
}
