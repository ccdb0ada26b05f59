/// The requests of a batch, read one by one as they are carried out: read all at once they would keep everybody waiting,
/// and take a hundred times the room of their line for as long as the slowest reader of their answers likes.
public struct Batch: Sendable {
  /// The array's text, whose grammar was found sound.
  private let text: [UInt8]
  /// Behind the bracket, or behind the comma after the last element that was read.
  private var position: Int

  /// `text` is a JSON array, perhaps with white space around it.
  init(sound text: UnsafeRawBufferPointer) {
    self.text = Array(text)
    position = (text.firstIndex(of: UInt8(ascii: "[")) ?? text.count) + 1
  }

  /// The bytes it keeps.
  public var size: Int { text.count }

  /// The next element, or why it cannot be read (`JSONValidator` tells what it does not look for); nil when all were taken.
  public mutating func next() -> Result<JSON, InvalidRequest>? {
    guard position < text.count else { return nil }
    let (end, isLast) = elementEnd
    defer { position = isLast ? text.count : end + 1 }
    return text.withUnsafeBytes { text in
      Result { () throws(InvalidRequest) in try JSON(request: UnsafeRawBufferPointer(rebasing: text[position..<end])) }
    }
  }

  /// Where the element at `position` ends, and whether the array ends there too.
  private var elementEnd: (end: Int, isLast: Bool) {
    text.withUnsafeBytes { text in
      var depth = 0
      var isInString = false
      var index = position
      while index < text.count {
        switch text[index] {
        case UInt8(ascii: "\""): isInString.toggle()
        case UInt8(ascii: "\\") where isInString: index += 1
        case _ where isInString: break
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ",") where depth == 0: return (index, false)
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          if depth == 0 { return (index, true) }
          depth -= 1
        default: break
        }
        index += 1
      }
      return (index, true)
    }
  }
}
