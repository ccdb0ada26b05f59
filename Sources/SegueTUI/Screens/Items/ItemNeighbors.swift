internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The lists beside the list of a wide screen: on the left the one from which the screen was opened, and on the right
/// the contents of the focused item.
struct ItemNeighbors {
  /// The columns of a screen from which on there are two lists, and those from which on there are three.
  private static let columnsForTwo = 110
  private static let columnsForThree = 150
  /// The columns of a screen from which on the cover of an album stands beside its tracks.
  private static let columnsForCover = 80
  private static let rowsForCover = 12
  /// The columns of a cover with facts.
  private static let coverColumns = 28...64

  /// The areas of the lists. A line separates each from the one to its left.
  struct Areas {
    var parent: Area?
    var list: Area
    var contents: Area?
  }

  /// The list from which the screen was opened, as it was at the last event; nil if it was opened from no list.
  var parent: ItemList?
  /// The contents of the focused item, or of the one before while these are being read.
  private var contents: ItemList?
  /// The contents that are being read. Others are read after they have arrived, so that a focus that moves fast causes
  /// one request at a time.
  private var next: ItemList?
  /// The contents that belong beside the list since the last event; nil for those of a track.
  private var wanted: ListSource?
  /// Whether the daemon has said that the album whose tracks are listed has no cover.
  private var isUncovered = false

  /// Returns the areas of the lists within that of a screen. Covers leave no room for contents.
  func areas(of list: ItemList, in area: Area, _ state: SharedState) -> Areas {
    var areas = Areas(list: area)
    let showsCover = showsCover(beside: list, in: area, state)
    guard area.columns >= Self.columnsForTwo || showsCover, !state.appearance.isPlain else { return areas }
    // A filter without matches does not change the areas, and neither does the arrival of the list.
    let isEmpty = list.hasArrived && list.window.length == 0
    let hasContents = list.form == .table && list.source.hasContainers && !isEmpty
    let isWide = area.columns >= Self.columnsForThree
    if parent != nil, isWide || list.form == .table && !hasContents && !showsCover {
      areas.parent = areas.list.split(at: area.columns / (hasContents || list.form == .grid ? 4 : 3))
    }
    if hasContents {
      let left = areas.list.split(at: areas.list.columns / 2)
      (areas.list, areas.contents) = (left, areas.list)
    } else if showsCover {
      let columns = (areas.list.columns * 9 / 25).clamped(to: Self.coverColumns)
      let left = areas.list.split(at: areas.list.columns - columns - 1)
      (areas.list, areas.contents) = (left, areas.list)
    }
    return areas
  }

  /// Returns whether a cover with facts stands beside a list of tracks: that of the album whose tracks it has, or that
  /// of the focused track.
  private func showsCover(beside list: ItemList, in area: Area, _ state: SharedState) -> Bool {
    guard state.graphics != nil, list.form == .table, area.rows >= Self.rowsForCover,
      !list.hasArrived || list.window.length > 0
    else { return false }
    return switch list.source {
    case .album:
      area.columns >= Self.columnsForCover && !isUncovered
        && list.source.uri.map { state.isCoverMissing(of: $0, .medium) } == false
    case .playlist, .tracks, .favorites(.track, _), .history: area.columns >= Self.columnsForTwo
    default: false
    }
  }

  /// Takes over the response to a request for what stands beside a list.
  mutating func receive(_ call: DaemonCall, _ result: CallResult, beside list: ItemList, at now: MonotonicTime) {
    contents?.receive(call, result, at: now)
    next?.receive(call, result, at: now)
    if case (.cover(let request), .failure(let error)) = (call, result), case .album = list.source,
      request.uri == list.source.uri, error.isNotFound
    {
      isUncovered = true
    }
    guard let arrived = next, arrived.hasArrived else { return }
    next = nil
    // The focus may be back on the item whose contents are displayed.
    if contents?.source != wanted { contents = arrived }
  }

  mutating func disconnect() {
    contents?.disconnect()
    next = nil
  }

  /// Adapts the lists to the size of their areas after an event.
  mutating func fit(_ areas: Areas, _ state: SharedState) {
    if let area = areas.parent { parent?.fit(area, as: .table, state) }
    if let area = areas.contents { contents?.fit(area, as: .table, state) }
  }

  /// Returns the requests for the contents of the focused item of a list, or for the cover of the list.
  mutating func prepare(_ areas: Areas, of list: ItemList, _ state: inout SharedState) -> [DaemonCall] {
    guard let area = areas.contents else { return [] }
    if case .album = list.source, let uri = list.source.uri { return state.prepareCovers(of: [uri], .medium) }
    guard let focused = list.focused else { return [] }
    guard let source = focused.contents.first else {
      (contents, wanted) = (nil, nil)
      return state.prepareCovers(of: [focused.uri], .medium)
    }
    let ordered = source.inOrder(of: state.configuration)
    wanted = ordered
    if contents?.source == ordered { return contents?.prepare(area, &state) ?? [] }
    guard next == nil else { return [] }
    var list = ItemList(ordered)
    let calls = list.prepare(area, &state)
    next = list
    return calls
  }

  /// The time at which something is requested again; nil if that is not necessary.
  var nextChange: MonotonicTime? {
    [parent?.nextChange, contents?.nextChange, next?.nextChange].compactMap { $0 }.min()
  }

  /// Draws what stands beside a list.
  func draw(
    _ frame: inout TerminalFrame, _ areas: Areas, headingRow: Int?, of list: ItemList, _ state: SharedState
  ) {
    if let area = areas.parent {
      parent?.draw(&frame, area, headingRow: headingRow, as: .parent, state)
      frame.drawLine(before: areas.list, from: headingRow, state.appearance)
      frame.addTarget(.command(.back), area)
    }
    if let area = areas.contents {
      frame.drawLine(before: area, from: headingRow, state.appearance)
      if case .album = list.source {
        return drawAlbum(&frame, area, list, state)
      }
      let focused = list.focused
      if let track = focused?.track {
        Self.draw(&frame, area, coverOf: track.uri, TrackHeading(track, state), state)
      } else if focused != nil {
        contents?.draw(&frame, area, headingRow: headingRow, as: .contents, state)
      }
      // A click on the facts about a track does not play it.
      frame.addTarget(.command(focused?.track == nil ? .open : .details), area)
    }
  }

  /// Draws the cover of the album whose tracks a list has, and facts about it.
  private func drawAlbum(_ frame: inout TerminalFrame, _ area: Area, _ list: ItemList, _ state: SharedState) {
    guard let uri = list.source.uri, case .album(let album) = list.container else { return }
    Self.draw(&frame, area, coverOf: uri, TrackHeading(album, state), state)
  }

  /// Draws a cover and facts below it.
  private static func draw(
    _ frame: inout TerminalFrame, _ area: Area, coverOf uri: String, _ heading: TrackHeading, _ state: SharedState
  ) {
    let count = heading.lines.count
    var rest = Area(row: area.row, column: area.column + 1, rows: area.rows, columns: max(0, area.columns - 2))
    if let art = state.cover(of: uri, .medium), let cell = state.graphics?.cellSize, rest.rows > count + 4 {
      let place = Area(row: rest.row, column: rest.column, rows: rest.rows - count - 1, columns: rest.columns)
      rest.remove(rows: frame.addPicture(art, in: place, cell: cell, isCentered: true).rows + 1)
    }
    heading.draw(&frame, rest, isCentered: true, state)
  }
}

extension Area {
  /// Takes columns off the left side, and one more for a line. Returns the area of these columns.
  fileprivate mutating func split(at columns: Int) -> Area {
    let left = Area(row: row, column: column, rows: rows, columns: columns)
    column += columns + 1
    self.columns -= columns + 1
    return left
  }
}
