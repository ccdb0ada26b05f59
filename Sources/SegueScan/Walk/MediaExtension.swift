internal import SegueFiles

/// The kind of a file by its extension. It is determined without making a string of the name, because a walk visits
/// very many names.
enum MediaExtension {
  case audio, cueSheet, other

  init(_ name: UnsafeRawBufferPointer) {
    guard let packed = Self.packed(name) else {
      self = .other
      return
    }
    self = packed == Self.cueExtension ? .cueSheet : Self.audioExtensions.contains(packed) ? .audio : .other
  }

  private static let cueExtension = packed("x.cue")
  private static let audioExtensions = Set(MediaKind.audioExtensions.compactMap { packed("x.\($0)") })

  private static func packed(_ name: String) -> UInt64? { Array(name.utf8).withUnsafeBytes { packed($0) } }

  /// Returns the extension, one to eight bytes after the last dot, in lower-case ASCII; nil if the name has none or
  /// begins with the dot.
  private static func packed(_ name: UnsafeRawBufferPointer) -> UInt64? {
    var packed: UInt64 = 0
    var index = name.count - 1
    let last = max(1, name.count - 9)
    while index >= last {
      let byte = name[index]
      if byte == UInt8(ascii: ".") { return packed == 0 ? nil : packed }
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      packed = packed << 8 | UInt64(isUpper ? byte | 0x20 : byte)
      index -= 1
    }
    return nil
  }
}
