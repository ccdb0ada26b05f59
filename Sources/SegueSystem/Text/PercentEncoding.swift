/// The encoding of a byte in URIs as "%" and two hexadecimal digits (RFC 3986, 2.1).
public enum PercentEncoding {
  /// Appends `byte` in encoded form.
  public static func append(_ byte: UInt8, to text: inout [UInt8]) {
    let (high, low) = digits(of: byte)
    text.append(UInt8(ascii: "%"))
    text.append(high)
    text.append(low)
  }

  /// Returns the two digits of `byte`, in upper case.
  static func digits(of byte: UInt8) -> (high: UInt8, low: UInt8) {
    (hexDigits.utf8Start[Int(byte >> 4)], hexDigits.utf8Start[Int(byte & 15)])
  }

  /// Returns the byte with these two digits, in upper or lower case; nil if they are no digits.
  static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = value(of: high), let low = value(of: low) else { return nil }
    return high << 4 | low
  }

  private static let hexDigits: StaticString = "0123456789ABCDEF"

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
