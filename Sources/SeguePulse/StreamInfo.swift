/// Where the stream plays.
public struct StreamInfo: Sendable, Equatable {
  /// The sink's name at the server.
  public var device: String
  /// The sink's name for people.
  public var description: String
  /// What the sink itself runs at.
  public var sampleRate: Int
  public var channels: Int
  /// As PulseAudio names it: `s16le`, `float32le`.
  public var format: String

  public init(device: String, description: String, sampleRate: Int, channels: Int, format: String) {
    self.device = device
    self.description = description
    self.sampleRate = sampleRate
    self.channels = channels
    self.format = format
  }
}

/// A sink that the server has.
public struct SinkDescription: Sendable, Equatable {
  /// The number that the server knows it by.
  var index: UInt32
  public var name: String
  /// For people.
  public var description: String
  /// Whether streams without a wish of their own go there.
  public var isDefault: Bool
  /// Whether our stream plays there, or would if there were one.
  public var isCurrent: Bool
  public var sampleRate: Int
  public var channels: Int
  /// As PulseAudio names it: `s16le`, `float32le`.
  public var format: String
}
