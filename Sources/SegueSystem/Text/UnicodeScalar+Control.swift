extension Unicode.Scalar {
  /// Whether the scalar is a control character, a separator of lines or paragraphs, or one of Unicode's bidirectional
  /// embeddings, overrides and isolates, which would reverse the text beside it.
  public var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
