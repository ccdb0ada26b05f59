internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// The pictures on the terminal: it draws the pictures of a frame that are not there yet, and removes those that are
/// not in the frame any more. One thread uses it.
final class PictureDisplay {
  /// The identifier before the first one at a terminal with the kitty graphics protocol. Other programs in the same
  /// window are unlikely to use those after it.
  private static let firstIdentifier = 0x5E60E
  /// The maximum number of pictures that the terminal keeps.
  private static let maximumImages = 64

  /// The maximum number of unchanged cells before a changed one that curses writes again, because a sequence that moves
  /// the cursor over them is not shorter than they are. The longest such sequence has the form `ESC [ 123 ; 123 H`.
  private static let rewrittenColumns = 10

  /// A drawn picture.
  private struct Drawn {
    let picture: PicturePlacement
    /// The number of the placement at a terminal with the kitty graphics protocol.
    let number: Int
  }

  /// A picture that the terminal keeps, with its identifier. Placeholders display it in a box of one size.
  private struct Image {
    let path: FilePath
    let box: PictureBox?
    let id: Int
  }

  private let output: TerminalOutput
  /// The terminal if it displays pictures.
  var terminal: GraphicsTerminal? {
    willSet {
      guard newValue != terminal else { return }
      removeAll()
      sequences = SequenceCache()
      // The terminal that has the pictures is gone, or none of tmux any more.
      if isInPlaceholders { images = [] }
    }
  }
  private var drawn: [Drawn] = []
  private var drawCount = 0
  /// The pictures that a terminal with the kitty graphics protocol has, the oldest first.
  private var images: [Image] = []
  /// The number of pictures that placeholders have displayed.
  private var placeholderCount = 0
  private var sequences = SequenceCache()
  /// The pictures that could not be read since `takeUnreadable`.
  private var unreadable: [FilePath] = []

  init(_ output: TerminalOutput) { self.output = output }

  /// Whether the protocol draws pictures above the cells, and removes them by commands. Those of other protocols are in
  /// the cells, and disappear when these are written.
  private var isAboveCells: Bool { terminal?.graphicsProtocol == .kitty }

  /// Whether the pictures consist of cells whose picture the terminal keeps.
  private var isInPlaceholders: Bool { terminal?.graphicsProtocol == .placeholders }

  /// Removes the pictures that `pictures` does not contain. Returns the rows that must be written again for that.
  func remove(except pictures: [PicturePlacement]) -> [Range<Int>] {
    let removed = drawn.filter { !pictures.contains($0.picture) }
    drawn.removeAll { !pictures.contains($0.picture) }
    guard !isAboveCells else {
      for drawn in removed { erase(drawn) }
      return []
    }
    let rows = removed.map { $0.picture.area.row..<$0.picture.area.row + $0.picture.area.rows }
    drawn.removeAll { drawn in
      let area = drawn.picture.area
      return rows.contains { $0.overlaps(area.row..<area.row + area.rows) }
    }
    return rows
  }

  /// Whether pictures may disappear when cells are written.
  var areInCells: Bool { !isAboveCells && !drawn.isEmpty }

  /// Notes that a cell is written. A picture in it, or shortly before it in its row, must be drawn again.
  func noteChange(_ position: Position) {
    drawn.removeAll { drawn in
      var area = drawn.picture.area
      area.columns += Self.rewrittenColumns
      return area.contains(position)
    }
  }

  /// Draws the pictures that are not there. Returns false if there are more: their sequences take some time, for which
  /// input does not have to wait.
  func draw(_ pictures: [PicturePlacement]) -> Bool {
    var isFirst = true
    for picture in pictures where !drawn.contains(where: { $0.picture == picture }) {
      let isPrepared = isAboveCells || isInPlaceholders || sequences.contains(picture)
      if !isPrepared, !isFirst { return false }
      if !isPrepared { isFirst = false }
      draw(picture)
    }
    return true
  }

  private func draw(_ picture: PicturePlacement) {
    drawCount += 1
    // A picture that cannot be read counts as drawn, so that it is not read again for every frame.
    drawn.append(Drawn(picture: picture, number: drawCount))
    guard let terminal else { return }
    let sequence: [UInt8]
    if isAboveCells || isInPlaceholders {
      guard let id = identifier(of: picture) else { return unreadable.append(picture.path) }
      sequence =
        isAboveCells
        ? TerminalPicture.kittyPlacement(id: id, placement: drawCount, picture.box)
        : PicturePlaceholders.sequence(id: id, picture.box)
    } else {
      guard let found = sequences.sequence(for: picture, terminal) else { return unreadable.append(picture.path) }
      sequence = found
    }
    let move = "\u{1B}7\u{1B}[\(picture.position.row + 1);\(picture.position.column + 1)H"
    output.write(Array(move.utf8) + sequence + Array("\u{1B}8".utf8))
  }

  /// Returns the identifier of a picture at the terminal, to which it is transmitted the first time. Nil if it cannot
  /// be read.
  private func identifier(of placement: PicturePlacement) -> Int? {
    let path = placement.path
    let box = isInPlaceholders ? placement.box : nil
    if let image = images.first(where: { $0.path == path && $0.box == box }) { return image.id }
    guard let picture = TerminalPicture(path) else { return nil }
    if images.count >= Self.maximumImages,
      let oldest = images.firstIndex(where: { image in !drawn.contains { $0.picture.path == image.path } })
    {
      delete(images.remove(at: oldest))
    }
    let id = nextIdentifier()
    images.append(Image(path: path, box: box, id: id))
    output.write(
      box.map { PicturePlaceholders.transmission(picture, id: id, $0) } ?? picture.kittyTransmission(id: id))
    return id
  }

  private func nextIdentifier() -> Int {
    guard isInPlaceholders else { return (images.map(\.id).max() ?? Self.firstIdentifier) + 1 }
    var id: Int
    repeat {
      id = PicturePlaceholders.identifier(placeholderCount, process: getpid())
      placeholderCount += 1
    } while images.count < PicturePlaceholders.identifierCount && images.contains { $0.id == id }
    return id
  }

  private func delete(_ image: Image) {
    output.write(
      isInPlaceholders ? PicturePlaceholders.deletion(id: image.id) : TerminalPicture.kittyDeletion(id: image.id))
  }

  private func erase(_ drawn: Drawn) {
    guard let image = images.first(where: { $0.path == drawn.picture.path }) else { return }
    output.write(TerminalPicture.kittyRemoval(id: image.id, placement: drawn.number))
  }

  /// Returns the pictures that could not be read since the last call.
  func takeUnreadable() -> [FilePath] {
    defer { unreadable = [] }
    return unreadable
  }

  /// Removes all pictures, because the whole screen is written again.
  func removeAll() {
    if isAboveCells { for drawn in drawn { erase(drawn) } }
    drawn = []
  }

  /// Removes all pictures, and those that the terminal keeps.
  func reset() {
    for image in images { delete(image) }
    images = []
    drawn = []
  }
}

/// The sequences of the last pictures.
private struct SequenceCache {
  private struct Key: Hashable {
    let path: FilePath
    let box: PictureBox
  }

  /// The maximum size in bytes. It exceeds that of the pictures of a screen.
  private static let maximumSize = 8 << 20

  private var sequences: [Key: [UInt8]] = [:]
  private var size = 0

  func contains(_ picture: PicturePlacement) -> Bool { sequences[Key(path: picture.path, box: picture.box)] != nil }

  mutating func sequence(for picture: PicturePlacement, _ terminal: GraphicsTerminal) -> [UInt8]? {
    let key = Key(path: picture.path, box: picture.box)
    if let known = sequences[key] { return known }
    guard let sequence = terminal.sequence(picture.path, picture.box) else { return nil }
    if size + sequence.count > Self.maximumSize { (sequences, size) = ([:], 0) }
    sequences[key] = sequence
    size += sequence.count
    return sequence
  }
}
