internal import SegueClientKit
internal import SegueWire

/// Items as tiles in two columns, or in one on a narrow terminal: number and kind, title, creator and short facts
/// beside the picture.
struct ItemTiles {
  /// The lines of a tile, including the empty line below it.
  private static let lineCount = 5
  /// The maximum size of a picture in cells.
  static let pictureSize = (columns: 8, rows: 4)
  private static let gap = 2

  let rows: [ItemRow]
  let style: Style
  /// Whether there is space for pictures.
  let hasPictures: Bool

  /// The number of tiles beside each other.
  var columnCount: Int { style.columns >= VerbContext.minimumColumns ? 2 : 1 }
  /// The width of a tile.
  private var width: Int { (style.columns - Self.gap * (columnCount - 1)) / columnCount }
  /// The width of the picture and the space beside it.
  private var indent: Int { hasPictures ? Self.pictureSize.columns + 2 : 0 }

  /// The tiles in groups that stand beside each other.
  var groups: [ArraySlice<ItemRow>] {
    stride(from: 0, to: rows.count, by: columnCount).map { rows[$0..<min($0 + columnCount, rows.count)] }
  }

  /// Returns the column at which the tile with this index in its group starts.
  func column(_ index: Int) -> Int { index * (width + Self.gap) }

  /// Returns the lines of a group. The space of pictures is skipped, not overwritten.
  func lines(_ group: ArraySlice<ItemRow>) -> [String] {
    let tiles = group.map(tile)
    return (0..<Self.lineCount).map { line in
      var text = ""
      for (index, tile) in tiles.enumerated() {
        guard line < tile.count else { continue }
        if index > 0 { text += String(repeating: " ", count: Self.gap) }
        if indent > 0 { text += "\u{1B}[\(indent)C" }
        let isLast = index == tiles.count - 1
        let part =
          isLast
          ? tile[line].text.truncated(to: width - indent, ellipsis: style.ellipsis)
          : tile[line].text.padded(to: width - indent, ellipsis: style.ellipsis)
        text += tile[line].paint.map { style.paint(part, $0) } ?? part
      }
      return text
    }
  }

  private func tile(_ row: ItemRow) -> [(text: String, paint: Style.Paint?)] {
    let number = row.number.map { "\($0)  " } ?? ""
    return [
      (number + row.item.kind.label + (row.item.favorite ? " " + style.heart : ""), .dim),
      (row.item.title.visible, .bold), ((row.item.creator ?? "").visible, nil), (row.item.shortFacts(style), .dim),
    ]
  }
}
