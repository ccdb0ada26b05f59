internal import SegueWire

/// The URLs of artwork. Their last component begins with the size, such as `100x100bb.jpg` or, in older URLs,
/// `100x100-75.jpg`; the server sends any size.
enum ITunesArtwork {
  /// Returns the URL of the same picture in another size; the same URL if it has another form.
  static func url(_ url: String, size: Art.Size) -> String {
    guard let slash = url.lastIndex(of: "/") else { return url }
    let start = url.index(after: slash)
    let component = url[start...]
    let width = component.prefix(while: isDigit)
    let height = component.dropFirst(width.count + 1).prefix(while: isDigit)
    guard (1...5).contains(width.count), (1...5).contains(height.count),
      component.dropFirst(width.count).first == "x"
    else { return url }
    let rest = component.dropFirst(width.count + 1 + height.count)
    guard rest.hasPrefix("bb") || rest.hasPrefix("-") || rest.hasPrefix(".") else { return url }
    let edge = edge(of: size)
    return url[..<start] + "\(edge)x\(edge)" + rest
  }

  /// The server does not enlarge pictures, so the full size is that of the original.
  private static func edge(of size: Art.Size) -> Int {
    switch size {
    case .small: 200
    case .medium: 600
    case .full: 3000
    }
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
