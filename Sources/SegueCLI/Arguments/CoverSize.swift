internal import SegueClientKit
internal import SegueWire

/// The size of a cover that `art` shows: a size of the protocol, or a number of pixels.
enum CoverSize: Equatable {
  case named(Art.Size)
  /// The maximum length of the longer side on a terminal.
  case pixels(Int)

  /// Parses the name of a size or a number of pixels. Throws a usage error.
  init(parsing text: String) throws(ClientError) {
    if let size = Art.Size(rawValue: text) {
      self = .named(size)
    } else if let pixels = EntryRange.positiveInteger(text) {
      self = .pixels(pixels)
    } else {
      let names = Art.Size.words.joined(separator: ", ")
      throw .usage(tr("invalid value “%1$s” for --size: use one of %2$s, or a number of pixels", text, names))
    }
  }

  /// The size to request: the smallest one that has at least the number of pixels.
  var requested: Art.Size {
    switch self {
    case .named(let size): size
    case .pixels(let pixels): Art.Size.allCases.first { pixels <= $0.edge ?? .max } ?? .full
    }
  }

  /// Returns the size in pixels at which a picture is drawn. The ratio of its sides stays the same.
  func scaled(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
    guard case .pixels(let pixels) = self, max(width, height) > pixels else { return (width, height) }
    let scale = Double(pixels) / Double(max(width, height))
    return (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
  }
}
