/// The stream header of Musepack SV8: libavformat rounds the length it states to blocks of up to 1.7 s.
struct MusepackHeader {
  /// Frames after what the decoder delays by.
  let count: Int64
  /// Frames of silence the encoder put before them.
  let silence: Int64

  /// Frames by which the synthesis filter of every Musepack decoder delays (MPC_DECODER_SYNTH_DELAY of libmpcdec).
  static let decoderDelay: Int64 = 481

  init?(_ file: SourceFile) {
    var bytes = [UInt8](repeating: 0, count: 64)
    guard bytes.withUnsafeMutableBytes({ file.peek(at: 0, into: $0) }) == bytes.count,
      bytes[..<6].elementsEqual("MPCKSH".utf8)
    else { return nil }
    var at = 6
    /// Seven bits a byte, the most significant first; the last byte has its top bit clear.
    func number() -> Int64 {
      var value: Int64 = 0
      for _ in 0..<8 {
        let byte = bytes[at]
        at += 1
        value = value << 7 | Int64(byte & 0x7F)
        if byte & 0x80 == 0 { break }
      }
      return value
    }
    _ = number()
    // A checksum and the version.
    at += 5
    (count, silence) = (number(), number())
    guard count > 0 else { return nil }
  }
}
