internal import SegueClientKit

/// A view of what is audible, in an area of any size: the spectrum, and below it a level meter, as far as there is
/// room.
enum Visualizer {
  /// The range of levels that bars display, in decibels.
  private static let range: ClosedRange<Float> = SoundAnalysis.lowestLevel...(-8)
  /// The rows from which on the frequencies and the level meter are displayed.
  private static let rowsWithScale = 4
  private static let rowsWithMeter = 7
  /// The rows from which on a blank row is between the spectrum and the meter.
  private static let rowsWithGap = 12

  static func draw(_ frame: inout TerminalFrame, _ area: Area, _ state: SharedState) {
    guard area.rows > 0, area.columns > 0 else { return }
    let meterRows = area.rows >= rowsWithMeter && area.columns >= LevelMeter.minimumColumns ? 2 : 0
    let gap = area.rows >= rowsWithGap ? 1 : 0
    let scaleRows = area.rows >= rowsWithScale ? 1 : 0
    let bars = Bars(columns: area.columns)
    var spectrum = area
    spectrum.rows -= meterRows + gap + scaleRows
    spectrum.column += (area.columns - bars.columns) / 2
    spectrum.columns = bars.columns
    draw(&frame, spectrum, bars, state)
    if !state.sound.isAudible, spectrum.rows >= 3 {
      frame.write(
        VisualizerMessages.silent(state), in: spectrum.line(spectrum.rows / 2), isCentered: true, .dim, state.appearance
      )
    }
    if scaleRows > 0 { drawScale(&frame, spectrum, bars, row: spectrum.row + spectrum.rows, state) }
    if meterRows > 0 {
      let row = area.row + area.rows - meterRows
      let width = spectrum.columns
      LevelMeter.draw(
        &frame, Area(row: row, column: spectrum.column, rows: 1, columns: width), "L", state.sound.left,
        isAbove: true, state)
      LevelMeter.draw(
        &frame, Area(row: row + 1, column: spectrum.column, rows: 1, columns: width), "R", state.sound.right,
        isAbove: false, state)
    }
  }

  /// The bars of a spectrum, of which each displays one or several bands.
  private struct Bars {
    let count: Int
    private let width: Int
    private let gap: Int

    init(columns: Int) {
      width = columns >= 160 ? 3 : columns >= 60 ? 2 : 1
      gap = columns >= 24 ? 1 : 0
      count = max(1, min(SpectrumBands.count, (columns + gap) / (width + gap)))
    }

    var columns: Int { count * (width + gap) - gap }

    /// Returns the columns of a bar.
    func columns(of bar: Int) -> Range<Int> { bar * (width + gap)..<bar * (width + gap) + width }

    /// Returns the bands that a bar displays.
    func bands(of bar: Int) -> Range<Int> {
      let first = bar * SpectrumBands.count / count
      return first..<max(first + 1, (bar + 1) * SpectrumBands.count / count)
    }

    /// Returns the bar of a band.
    func bar(of band: Int) -> Int { (0..<count).last { bands(of: $0).lowerBound <= band } ?? 0 }
  }

  // MARK: The spectrum

  private static func draw(_ frame: inout TerminalFrame, _ area: Area, _ bars: Bars, _ state: SharedState) {
    let blocks = state.appearance.blocks
    let steps = area.rows * blocks.count
    let looks = (0..<area.rows).map { look(ofHeight: (Float($0) + 0.5) / Float(area.rows), state.appearance) }
    for bar in 0..<bars.count {
      let bands = state.sound.bands[bars.bands(of: bar)]
      let level = height(bands.lazy.map(\.level).max(), steps)
      let peak = height(bands.lazy.map(\.peak).max(), steps)
      for row in 0..<area.rows {
        let filled = min(max(level - row * blocks.count, 0), blocks.count)
        var cell = Cell.blank
        if filled > 0 {
          cell = Cell(glyph: blocks[filled - 1], look: looks[row])
        } else if peak > level, (peak - 1) / blocks.count == row {
          // The peak floats above the bar.
          cell = Cell(glyph: state.appearance.peak, look: looks[row])
        } else if row == 0 {
          cell = Cell(glyph: blocks[0], look: .dim)
        }
        for column in bars.columns(of: bar) { put(cell, &frame, area.row + area.rows - 1 - row, area.column + column) }
      }
    }
  }

  /// Puts a character of one column into a cell, if the frame has that.
  fileprivate static func put(_ cell: Cell, _ frame: inout TerminalFrame, _ row: Int, _ column: Int) {
    guard 0..<frame.grid.size.rows ~= row, 0..<frame.grid.size.columns ~= column else { return }
    frame.grid[row, column] = cell
  }

  /// Returns the number of steps, from 0 to `steps`, that display a level.
  private static func height(_ level: Float?, _ steps: Int) -> Int {
    guard let level else { return 0 }
    let part = (level - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Int((min(max(part, 0), 1) * Float(steps)).rounded())
  }

  /// Returns the look of a part of a bar at a height from 0 to 1.
  private static func look(ofHeight height: Float, _ appearance: Appearance) -> Look {
    appearance.look(height < 0.55 ? .accent : height < 0.82 ? .mark : .alert)
  }

  // MARK: The scale

  private static let frequencies: [(Float, String)] = [
    (50, "50"), (100, "100"), (200, "200"), (500, "500"), (1_000, "1k"), (2_000, "2k"), (5_000, "5k"), (10_000, "10k"),
  ]

  private static func drawScale(
    _ frame: inout TerminalFrame, _ area: Area, _ bars: Bars, row: Int, _ state: SharedState
  ) {
    var end = area.column
    for (frequency, text) in frequencies {
      guard let band = SpectrumBands.band(of: frequency) else { continue }
      let columns = bars.columns(of: bars.bar(of: band))
      let column = area.column + (columns.lowerBound + columns.upperBound - text.count + 1) / 2
      guard column >= end, column + text.count <= area.column + area.columns else { continue }
      end = column + frame.grid.write(text, row: row, column: column, look: .dim) + 1
    }
  }
}

/// The level of a channel: its mean power as a bar, its peak as a mark and as a number.
enum LevelMeter {
  /// The range of the bar, in decibels.
  private static let range: ClosedRange<Float> = -60...0
  /// The levels from which on the bar has the next colour.
  private static let mark: Float = -12
  private static let alert: Float = -3
  private static let valueColumns = 9
  static let minimumColumns = 24

  /// Draws the meter in an area of one row. `isAbove`: whether the mark of the peak is above the line of the bar rather
  /// than below it, so that those of two meters do not touch.
  static func draw(
    _ frame: inout TerminalFrame, _ area: Area, _ name: String, _ level: SoundAnalysis.ChannelLevel, isAbove: Bool,
    _ state: SharedState
  ) {
    let appearance = state.appearance
    frame.grid.write(name, row: area.row, column: area.column, look: .dim)
    let start = area.column + 2
    let count = area.columns - 2 - valueColumns
    let filled = column(of: level.rms, count)
    let peak = column(of: level.peak, count) - 1
    for column in 0..<max(0, count) {
      let value = range.lowerBound + (Float(column) + 0.5) / Float(count) * (range.upperBound - range.lowerBound)
      let look = appearance.look(value < mark ? .accent : value < alert ? .mark : .alert)
      let isLit = column < filled || column == peak
      let glyph =
        column == peak
        ? appearance.peakMark(isFilled: column < filled, isAbove: isAbove)
        : isLit ? appearance.filled : appearance.empty
      Visualizer.put(Cell(glyph: glyph, look: isLit ? look : .dim), &frame, area.row, start + column)
    }
    let value = state.sound.isAudible ? text(level.peak, appearance) : appearance.ellipsis
    frame.grid.write(value, row: area.row, endingAt: area.column + area.columns, look: .dim)
  }

  private static func column(of level: Float, _ count: Int) -> Int {
    let part = (level - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Int((min(max(part, 0), 1) * Float(count)).rounded())
  }

  /// Returns a level as text, such as "-6.2 dB".
  private static func text(_ level: Float, _ appearance: Appearance) -> String {
    guard level > SoundAnalysis.lowestLevel else { return tr("%1$s dB", appearance.isUnicode ? "-∞" : "-inf") }
    let tenths = Int((level * 10).rounded()).magnitude
    return tr("%1$s dB", "\(level < -0.05 ? "-" : "")\(tenths / 10).\(tenths % 10)")
  }
}

extension Appearance {
  /// The characters of a cell that is filled from below, in steps.
  fileprivate var blocks: [Character] {
    isUnicode ? ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : [".", ":", "|", "#"]
  }

  /// The character of a peak above a bar.
  fileprivate var peak: Character { isUnicode ? "▁" : "-" }
}
