/// A description of the sink on which the stream plays.
public struct StreamSink: Sendable, Equatable {
  /// The sink's name at the server.
  public var device: String
  /// The sink's name for users.
  public var description: String
  /// The sampling rate of the sink itself, in hertz.
  public var sampleRate: Int
  public var channels: Int
  /// The sample format of the sink itself, as PulseAudio names it: `s16le`, `float32le`.
  public var format: String

  public init(device: String, description: String, sampleRate: Int, channels: Int, format: String) {
    self.device = device
    self.description = description
    self.sampleRate = sampleRate
    self.channels = channels
    self.format = format
  }
}

/// A description of a sink of the server.
public struct SinkDescription: Sendable, Equatable {
  /// The server's number of the sink.
  public var index: UInt32
  public var name: String
  /// The sink's name for users.
  public var description: String
  /// Whether the sink is the server's default.
  public var isDefault: Bool
  /// Whether the stream plays on this sink, or would play there if it were open.
  public var isCurrent: Bool
  /// The sampling rate of the sink, in hertz.
  public var sampleRate: Int
  public var channels: Int
  /// The sample format of the sink, as PulseAudio names it: `s16le`, `float32le`.
  public var format: String

  public init(
    index: UInt32, name: String, description: String, isDefault: Bool, isCurrent: Bool, sampleRate: Int, channels: Int,
    format: String
  ) {
    self.index = index
    self.name = name
    self.description = description
    self.isDefault = isDefault
    self.isCurrent = isCurrent
    self.sampleRate = sampleRate
    self.channels = channels
    self.format = format
  }
}
