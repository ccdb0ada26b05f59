/// The forms in which ID3 states genres: `17`, `(17)`, `(17)(4)Live`, `(RX)`, `((not a number)`, or a name.
enum ID3Genre {
  static func names(in text: String) -> [String] {
    if let name = name(text[...]) { return [name] }
    var names: [String] = []
    var rest = text[...]
    while rest.first == "(", !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")"),
      let name = name(rest[rest.index(after: rest.startIndex)..<end])
    {
      names.append(name)
      rest = rest[rest.index(after: end)...]
    }
    // The text after a number refines or repeats it.
    let refined = rest.hasPrefix("((") ? rest.dropFirst() : rest
    if !refined.isEmpty, !names.contains(String(refined)) { names.append(String(refined)) }
    return names
  }

  private static func name(_ number: Substring) -> String? {
    switch number {
    case "RX": return "Remix"
    case "CR": return "Cover"
    default: break
    }
    return Int32(number).flatMap(TagLibFile.genre)
  }
}
