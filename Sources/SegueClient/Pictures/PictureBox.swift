internal import SegueSystem

/// The characters that a picture takes the place of.
struct PictureBox: Equatable {
  var columns: Int
  var rows: Int

  /// For a picture of `width` × `height` pixels, within so many columns and rows: at its own size or smaller, or, where
  /// it `fills`, as large as goes in.
  init(
    _ width: Int, _ height: Int, cell: (width: Int, height: Int), within most: (columns: Int, rows: Int), fills: Bool
  ) {
    let (width, height) = (Double(max(1, width)), Double(max(1, height)))
    let room = (width: Double(most.columns * cell.width), height: Double(most.rows * cell.height))
    let scale = min(room.width / width, room.height / height, fills ? .infinity : 1)
    columns = Int((width * scale / Double(cell.width)).rounded(.up)).clamped(to: 1...max(1, most.columns))
    rows = Int((height * scale / Double(cell.height)).rounded(.up)).clamped(to: 1...max(1, most.rows))
  }
}
