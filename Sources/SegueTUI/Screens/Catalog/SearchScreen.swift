internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// A search with one field: tabs choose what is searched, the library or items of a catalogue. The radio is the same
/// screen with popular stations and searches for stations.
struct SearchScreen: CatalogScreen {
  /// Something that can be searched.
  private enum Tab: Equatable {
    case library
    case items(CatalogItem.Kind)
    case popularStations
    case stationsByName
    case stationsByCountry
    case stationsByTag

    var name: String {
      switch self {
      case .library: tr("Library")
      case .items(let kind): CatalogMessages.kinds(kind)
      case .popularStations: CatalogMessages.popular
      case .stationsByName: tr("Name")
      case .stationsByCountry: tr("Country")
      case .stationsByTag: tr("Tag")
      }
    }

    /// The source of hints and suggestions; nil if there are none.
    var suggestions: SuggestionSource? {
      switch self {
      case .library: .library
      case .items(let kind): .catalog(kind)
      case .stationsByName: .catalog(.station)
      case .popularStations, .stationsByCountry, .stationsByTag: nil
      }
    }

    /// Returns the query for a text. Throws the reason why the text is no query.
    func query(_ text: String) throws(InvalidQuery) -> PageQuery {
      switch self {
      case .popularStations: return .popular(.station, isAnyGenre: true)
      case .stationsByCountry:
        guard text.utf8.count == 2, text.utf8.allSatisfy({ 0x61...0x7A ~= $0 | 0x20 }) else {
          throw InvalidQuery(message: tr("Please enter the country as a code of two letters, such as de or us."))
        }
        return .stationsOfCountry(text.lowercased())
      case .stationsByTag:
        if text.isEmpty { throw InvalidQuery(message: tr("Please enter a tag, such as jazz.")) }
        return .stationsWithTag(text)
      case .library, .items, .stationsByName:
        guard suggestions?.isLongEnough(text) == true else {
          throw InvalidQuery(message: CatalogMessages.queryTooShort)
        }
        return switch self {
        case .items(let kind): .search(text, kind)
        case .stationsByName: .search(text, .station)
        default: .library(text)
        }
      }
    }
  }

  private struct InvalidQuery: Error {
    let message: String
  }

  private let allTabs: [Tab]
  private(set) var selectedTab = 0
  private var search = SearchField()
  private var isEditing = true
  var list: CatalogList?
  var showsTiles: Bool
  let layoutSetting: ListSetting

  private init(_ tabs: [Tab], _ layoutSetting: ListSetting) {
    self.layoutSetting = layoutSetting
    showsTiles = InterfaceConfiguration().showsTiles(layoutSetting)
    allTabs = tabs
    show(tab: 0)
  }

  static let all = SearchScreen(
    [
      .library, .items(.song), .items(.album), .items(.artist), .items(.film), .items(.audiobook), .items(.podcast),
      .items(.station), .items(.person),
    ], .searchLayout)
  static let radio = SearchScreen(
    [.popularStations, .stationsByName, .stationsByCountry, .stationsByTag], .radioLayout)

  private var tab: Tab { allTabs[selectedTab] }
  var title: String { allTabs.contains(.library) ? tr("Search") : tr("Radio") }
  var tabs: [String] { allTabs.map(\.name) }
  var ownCommands: [Command] { tab == .library ? [.filter, .saveSearch] : [.filter] }
  var takesText: Bool { isEditing }

  var hints: [Command] {
    isEditing ? [] : [.open, .details, .add] + ownCommands + [.nextTab, .refresh, .toggleTiles, .back, .help]
  }

  mutating func select(tab index: Int, _ state: SharedState) {
    show(tab: index)
    search.textChanged(at: state.now)
  }

  /// Shows another tab, and searches it for the text that was searched before.
  private mutating func show(tab index: Int) {
    selectedTab = index
    let wasSearched = list != nil
    list = nil
    if tab == .popularStations {
      isEditing = false
      list = CatalogList(.popular(.station, isAnyGenre: true))
    } else if wasSearched, !isEditing, let query = try? tab.query(search.field.text) {
      list = CatalogList(query)
    } else {
      isEditing = true
    }
  }

  // MARK: Commands

  /// The commands that have a function here in some state of the screen, such as on another tab.
  var possibleCommands: [Command] {
    commands + [.left, .right] + (allTabs.contains(.library) ? [.saveSearch] : [])
  }

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    if command == .saveSearch, list?.items.isEmpty != false { return tr("Nothing was found that can be saved.") }
    return reasonDisabledInList(command, state)
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    if command == .saveSearch, case .library(let text)? = list?.query {
      return [.show(PlaylistNameScreen(.search(text)))]
    }
    guard command == .filter else { return performInList(command, state) }
    // The popular stations are not searched: the field is that for names.
    if tab == .popularStations, let names = allTabs.firstIndex(of: .stationsByName) { show(tab: names) }
    isEditing = true
    search.textChanged(at: state.now)
    return []
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    guard isEditing else { return nil }
    switch key.code {
    case .enter: return submit(search.chosenText)
    case .escape:
      if list == nil { return [.back] }
      isEditing = false
    case .tab:
      let step = key.modifiers.contains(.shift) ? allTabs.count - 1 : 1
      select(tab: (selectedTab + step) % allTabs.count, state)
    case .function: return nil
    default: return search.handle(key, at: state.now) ? [] : nil
    }
    return []
  }

  private mutating func submit(_ text: String) -> [Action] {
    let text = text.trimmed
    do throws(InvalidQuery) {
      list = CatalogList(try tab.query(text))
      search.take(text)
      isEditing = false
      return []
    } catch {
      return [.showMessage(.information(error.message))]
    }
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    search.paste(text, at: state.now)
    return []
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    guard isEditing else { return clickInList(row: row, isDouble: isDouble, state) }
    search.choose(row)
    return submit(search.chosenText)
  }

  // MARK: The daemon

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    search.receive(call, result)
    list?.receive(call, result, state)
    return []
  }

  mutating func disconnect() {
    search.disconnect()
    list?.disconnect()
  }

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    isEditing ? search.prepare(tab.suggestions, at: state.now) : prepareList(&state)
  }

  func nextChange(_ state: SharedState) -> MonotonicTime? {
    [state.nextSecond, isEditing ? search.suggestionTime : nil].compactMap { $0 }.min()
  }

  // MARK: The view

  /// The list begins below the field.
  func firstRow(_ layout: ListLayout) -> Int {
    let isLow = layout.headingRow == nil
    return tab == .popularStations ? (showsTiles && !isLow ? 2 : 1) : isLow ? 2 : 3
  }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    if isEditing {
      TitleLine.draw(&frame, title, "", tabs: tabs, selected: selectedTab, state)
    } else {
      drawList(&frame, facts: tab == .popularStations ? listFacts : "", state)
    }
    guard tab != .popularStations else { return }
    // Beside the tabs, there may be no room for the number of results.
    let facts = isEditing ? "" : listFacts
    let end = state.size.columns - 1
    frame.grid.write(facts, row: 1, endingAt: end, look: .dim)
    let width = end - 3 - (facts.isEmpty ? 0 : DisplayWidth.of(facts) + 2)
    frame.grid.write("/", row: 1, column: 1, look: .bold)
    frame.write(search.field, row: 1, column: 3, width: width, isEditing: isEditing)
    guard isEditing else { return }
    drawRows(&frame, state)
  }

  /// Draws the hints and the suggestions.
  private func drawRows(_ frame: inout TerminalFrame, _ state: SharedState) {
    let layout = ListLayout(state.size)
    var row = firstRow(layout)
    for (index, completion) in search.rows.enumerated() {
      let heading = index == search.hints.count ? tr("Suggestions") : index == 0 ? tr("Last searches") : nil
      if let heading {
        guard row < layout.progressRow else { return }
        frame.grid.write(heading, row: row, column: 1, look: .dim)
        row += 1
      }
      guard row <= layout.progressRow else { return }
      let area = Area(row: row, column: 0, rows: 1, columns: state.size.columns)
      draw(&frame, completion, row: row, state)
      if index == search.choice { frame.grid.restyle(area) { $0.emphasis.insert(.reversed) } }
      frame.addTarget(.row(index), area)
      row += 1
    }
  }

  /// Draws a hint or a suggestion, with facts such as kind and artist behind it as far as there is room.
  private func draw(_ frame: inout TerminalFrame, _ completion: SearchCompletion, row: Int, _ state: SharedState) {
    let appearance = state.appearance
    let end = state.size.columns - 1
    let width = frame.grid.write(
      completion.text, row: row, column: 3, width: end - 3, ellipsis: appearance.ellipsis)
    let column = 3 + width + 2
    guard column + 8 < end else { return }
    frame.grid.write(
      completion.facts.joined(separator: " \(appearance.dot) "), row: row, column: column, width: end - column,
      look: .dim, ellipsis: appearance.ellipsis)
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    guard isEditing else { return PlaybackLine.draw(&frame, row: row, state) }
    StatusText(CatalogMessages.prompt, usesLastLine: true, state).draw(&frame, row: row, .dim)
  }
}
