/// A batch of requests. Each request is parsed when it is carried out. If all of them were parsed at once, other
/// sessions would wait, and the parsed values would take a hundred times the memory of the line until a slow client has
/// read all responses.
public struct RequestBatch: Sendable {
  /// The text of the array, which is valid JSON.
  private let text: [UInt8]
  /// The position after the opening bracket, or after the comma that follows the last element read.
  private var position: Int

  /// Creates a batch from a valid JSON array, which may have white space around it.
  init(valid text: UnsafeRawBufferPointer) {
    self.text = Array(text)
    position = (text.firstIndex(of: UInt8(ascii: "[")) ?? text.count) + 1
  }

  /// The number of bytes that the batch holds.
  public var size: Int { text.count }

  /// Returns the next element, or an error if the parser refuses what `JSONValidator` accepts. Returns nil after the
  /// last element.
  public mutating func next() -> Result<JSON, InvalidRequest>? {
    guard position < text.count else { return nil }
    let (end, isLast) = elementEnd
    defer { position = isLast ? text.count : end + 1 }
    return text.withUnsafeBytes { text in
      Result { () throws(InvalidRequest) in try JSON(request: UnsafeRawBufferPointer(rebasing: text[position..<end])) }
    }
  }

  /// The end of the element at `position`, and whether the array ends there too.
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
