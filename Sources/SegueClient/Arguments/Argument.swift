internal import SegueSystem

/// A word of the command line: bytes, since a file's name need not be UTF-8.
struct Argument {
  let bytes: [UInt8]

  /// For everything that is no path.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var path: FilePath { FilePath(bytes: bytes) }

  /// `-5`, `-1:30`: an amount, not an option.
  var isNegativeAmount: Bool {
    bytes.count > 1 && bytes[0] == UInt8(ascii: "-")
      && (UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[1] || bytes[1] == UInt8(ascii: "."))
  }
}
