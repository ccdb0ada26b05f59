internal import SegueSystem

/// The encoding of HTML forms (`application/x-www-form-urlencoded`), which iTunes expects in queries: a space becomes "+",
/// and every byte except ASCII letters, digits and ".-_*" is percent-encoded. `FileURI.percentEncoded` is the encoding of
/// RFC 3986, which other services expect.
enum FormEncoding {
  static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "*"):
        encoded.append(byte)
      case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
      default: PercentEncoding.append(byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
