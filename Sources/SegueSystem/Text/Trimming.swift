extension StringProtocol {
  /// The text without white space at its ends.
  public var trimmed: String {
    var rest = self[...]
    while rest.last?.isWhitespace == true { rest.removeLast() }
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    return String(rest)
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without spaces and control characters of ASCII at their ends.
  public var trimmed: SubSequence {
    guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
      return self[endIndex...]
    }
    return self[first...last]
  }
}
