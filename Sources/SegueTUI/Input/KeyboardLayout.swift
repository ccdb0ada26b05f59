/// Cyrillic keyboard layouts. A key that enters a Cyrillic letter stands for the key at the same position of a Latin
/// keyboard.
enum KeyboardLayout {
  /// The letters of the Russian layout, and those of the Ukrainian and the Belarusian one that differ, in pairs with
  /// the characters at the same positions of the US layout.
  private static let positions: [Character: Character] = {
    let pairs: [(cyrillic: String, latin: String)] = [
      ("йцукенгшщзхъ", "qwertyuiop[]"), ("фывапролджэ", "asdfghjkl;'"), ("ячсмитьбю.", "zxcvbnm,./"), ("ё", "`"),
      ("ЙЦУКЕНГШЩЗХЪ", "QWERTYUIOP{}"), ("ФЫВАПРОЛДЖЭ", "ASDFGHJKL:\""), ("ЯЧСМИТЬБЮ,", "ZXCVBNM<>?"), ("Ё", "~"),
      ("іїєў", "s]'o"), ("ІЇЄЎ", "S}\"O"),
    ]
    var table: [Character: Character] = [:]
    for pair in pairs {
      for (cyrillic, latin) in zip(pair.cyrillic, pair.latin) { table[cyrillic] = latin }
    }
    return table
  }()

  /// Returns the key at the same position of a Latin keyboard; nil for a key that is on no Cyrillic layout.
  static func latinKey(for key: Key) -> Key? {
    guard case .character(let character) = key.code, let latin = positions[character] else { return nil }
    return Key(code: .character(latin), modifiers: key.modifiers)
  }
}
