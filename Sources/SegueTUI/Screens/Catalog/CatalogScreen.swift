internal import SegueWire

/// A screen that shows a list of items of online catalogues. A type with this protocol has the list and its title, and
/// performs the commands of its own; everything else is the same on all of these screens.
protocol CatalogScreen: Screen {
  /// The displayed list; nil if there is none.
  var list: CatalogList? { get set }
  /// Whether the items are displayed as tiles instead of a table.
  var showsTiles: Bool { get set }
  /// The setting that remembers this.
  var layoutSetting: ListSetting { get }
  var title: String { get }
  var tabs: [String] { get }
  var selectedTab: Int { get }
  /// The commands that only this screen has.
  var ownCommands: [Command] { get }

  mutating func select(tab: Int, _ state: SharedState)
  /// A note of one line below the list; nil if there is none.
  var note: String? { get }

  /// Returns the first row of the list.
  func firstRow(_ layout: ListLayout) -> Int
}

extension CatalogScreen {
  /// The table has no headings. A row between the tabs and tiles is empty.
  func firstRow(_ layout: ListLayout) -> Int {
    showsTiles ? layout.firstRow : layout.headingRow ?? layout.firstRow
  }

  var note: String? { nil }

  /// The number of results; an empty text before they have arrived.
  var listFacts: String {
    guard let list, let page = list.page else { return "" }
    let count = list.items.count
    guard let total = page.total, total > count else { return CatalogMessages.count(count) }
    return CatalogMessages.count(count, of: total)
  }

  // MARK: Commands

  var commands: [Command] {
    CatalogActions.commands + ownCommands + (showsTiles ? [.left, .right] : [])
      + (tabs.count > 1 ? [.nextTab, .previousTab] : []) + Command.navigation + [.refresh, .toggleTiles, .back]
      // Items of catalogues cannot be selected. The key, which would pause, says so.
      + [.select]
      // The key of the repeat mode refreshes the list here.
      + Command.playback.filter { $0 != .cycleRepeat } + Command.everywhere
  }

  var possibleCommands: [Command] { commands + [.left, .right] }

  var hints: [Command] { listHints }

  /// The commands that the last line shows while the list is displayed.
  var listHints: [Command] {
    [.open, .details, .add] + (tabs.count > 1 ? [.nextTab] : []) + ownCommands
      + [.refresh, .toggleTiles, .toggleFavorite, .back, .help]
  }

  mutating func adopt(_ configuration: InterfaceConfiguration) { showsTiles = configuration.showsTiles(layoutSetting) }

  func reasonDisabledInList(_ command: Command, _ state: SharedState) -> String? {
    command == .select
      ? CatalogMessages.noSelection(state) : CatalogActions.reasonDisabled(command, list?.focused, state)
  }

  /// Performs a command of the list or of the tabs.
  mutating func performInList(_ command: Command, _ state: SharedState) -> [Action] {
    switch command {
    case .nextTab: select(tab: (selectedTab + 1) % tabs.count, state)
    case .previousTab: select(tab: (selectedTab + tabs.count - 1) % tabs.count, state)
    case .toggleTiles:
      showsTiles.toggle()
      return [.configure(.layout(layoutSetting, showsTiles: showsTiles))]
    case .refresh: list?.refresh()
    case _ where list?.move(command) == true: break
    default: return list?.focused.map { CatalogActions.perform(command, $0, state) } ?? []
    }
    return []
  }

  // MARK: Mouse

  mutating func clickInList(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    list?.focus(on: row)
    return isDouble ? list?.focused.map { CatalogActions.perform(.open, $0, state) } ?? [] : []
  }

  mutating func click(tab: Int, _ state: SharedState) -> [Action] {
    if tabs.indices.contains(tab) { select(tab: tab, state) }
    return []
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    let rows = showsTiles ? rows.signum() : rows
    list?.scroll(by: rows)
    return []
  }

  // MARK: The daemon

  /// Returns the area of the list above its notes.
  func listArea(_ state: SharedState) -> Area {
    let layout = ListLayout(state.size)
    let first = firstRow(layout)
    let count = notes(state).count
    return Area(
      row: first, column: 0, rows: max(1, layout.progressRow + 1 - count - first), columns: state.size.columns)
  }

  /// Returns the lines below the list.
  private func notes(_ state: SharedState) -> [(text: String, look: Look)] {
    (note.map { [($0, .dim)] } ?? []) + (list?.notes(width: state.size.columns - 2, state) ?? [])
  }

  mutating func fit(_ state: SharedState) {
    let rows = listArea(state).rows
    let showsTiles = showsTiles
    list?.fit(state, rows: rows, showsTiles: showsTiles)
  }

  mutating func prepareList(_ state: inout SharedState) -> [DaemonCall] {
    let rows = listArea(state).rows
    let showsTiles = showsTiles
    return list?.prepare(&state, rows: rows, showsTiles: showsTiles) ?? []
  }

  // MARK: The view

  /// Draws the title with facts about the list, and the list.
  func drawList(_ frame: inout TerminalFrame, facts: String, _ state: SharedState) {
    TitleLine.draw(&frame, title, facts, tabs: tabs, selected: selectedTab, state)
    guard let list else { return }
    let area = listArea(state)
    list.draw(&frame, area, showsTiles: showsTiles, state)
    for (line, note) in notes(state).enumerated() {
      frame.grid.write(
        note.text, row: area.row + area.rows + line, column: 1, width: area.columns - 2, look: note.look,
        ellipsis: state.appearance.ellipsis)
    }
  }
}
