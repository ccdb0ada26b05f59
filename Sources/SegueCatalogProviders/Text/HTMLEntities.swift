/// The characters that entities of HTML stand for.
enum HTMLEntities {
  /// The maximum number of characters between "&" and ";".
  static let maximumNameLength = 10

  /// Returns the character of an entity, without "&" and ";"; nil if the entity is unknown. A number that is no
  /// character becomes U+FFFD, and one from 128 to 159 is a character of windows-1252 (HTML, 13.2.5.80).
  static func scalar(named name: String) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return named[name] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = isHexadecimal ? digits.dropFirst() : digits
    guard !number.isEmpty, number.utf8.allSatisfy({ $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "+") }),
      number.allSatisfy(\.isHexDigit), isHexadecimal || number.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    guard let value = UInt32(number, radix: isHexadecimal ? 16 : 10) else { return "\u{FFFD}" }
    if (128..<160).contains(value) { return windows1252[Int(value) - 128] }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// The characters from 128 to 159 of windows-1252. Five of them do not exist.
  private static let windows1252 = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

  /// The entities of XML and of HTML 4 that texts contain.
  private static let named: [String: Unicode.Scalar] = {
    var named = others
    for (offset, name) in latin1.split(separator: " ").enumerated() {
      named[String(name)] = Unicode.Scalar(UInt8(160 + offset))
    }
    return named
  }()

  /// The names of U+00A0 to U+00FF, in their order.
  private static let latin1 = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
    para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
    Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
    thorn yuml
    """

  private static let others: [String: Unicode.Scalar] = [
    "quot": "\"", "amp": "&", "lt": "<", "gt": ">", "apos": "'", "OElig": "Œ", "oelig": "œ", "Scaron": "Š",
    "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ", "tilde": "˜", "ensp": "\u{2002}", "emsp": "\u{2003}",
    "thinsp": "\u{2009}", "zwnj": "\u{200C}", "zwj": "\u{200D}", "lrm": "\u{200E}", "rlm": "\u{200F}", "ndash": "–",
    "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "dagger": "†",
    "Dagger": "‡", "bull": "•", "hellip": "…", "permil": "‰", "prime": "′", "Prime": "″", "lsaquo": "‹", "rsaquo": "›",
    "euro": "€", "trade": "™", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "minus": "−",
    "infin": "∞", "asymp": "≈", "ne": "≠", "le": "≤", "ge": "≥", "spades": "♠", "clubs": "♣", "hearts": "♥",
    "diams": "♦",
  ]
}
