internal import SegueSystem
public import SegueWire

/// The samples of an event of the topic `sound`.
public struct SoundSamples {
  public let sound: Sound
  public let left: [Int16]
  public let right: [Int16]

  public init(_ sound: Sound) {
    self.sound = sound
    (left, right) = (Self.samples(sound.left), Self.samples(sound.right))
  }

  public init(_ json: JSON) { self.init(Sound(json)) }

  /// The number of the sample after the last one.
  public var next: UInt64 { sound.first + UInt64(left.count) }

  /// The numbers of the frames, if the sound is `Signal`. A frame of silence has the number -1.
  public var frames: [Int] {
    zip(left, right).map { Int(UInt32(UInt16(bitPattern: $0)) | UInt32(UInt16(bitPattern: $1)) << 16) - 1 }
  }

  private static func samples(_ text: String) -> [Int16] {
    let bytes = Base64.standard.decoded(text.utf8)
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }
}
