internal import SegueClientKit
internal import SegueWire

/// The most popular items of each kind, or the most popular people.
struct ChartScreen: CatalogScreen {
  /// The content of a tab.
  private enum Chart: Equatable {
    case items(CatalogItem.Kind)
    case people

    var name: String {
      switch self {
      case .items(let kind): CatalogMessages.kinds(kind)
      case .people: CatalogMessages.people
      }
    }

    func query(isAnyGenre: Bool) -> PageQuery {
      switch self {
      case .items(let kind): .popular(kind, isAnyGenre: isAnyGenre && kind == .film)
      case .people: .people
      }
    }
  }

  private let charts: [Chart]
  /// The lists of the tabs.
  private var lists: [CatalogList]
  private(set) var selectedTab = 0
  /// Whether the charts of films are those of all genres.
  private var isAnyGenre = false
  /// The genre in the settings whose films are listed; nil before it is known.
  private var genre: SettingValue?
  var showsTiles = false
  var layoutSetting: ListSetting { charts.count > 1 ? .popularLayout : .peopleLayout }

  private init(_ charts: [Chart]) {
    self.charts = charts
    lists = charts.map { CatalogList($0.query(isAnyGenre: false)) }
  }

  static let popular = ChartScreen(
    [.items(.song), .items(.album), .items(.film), .items(.audiobook), .items(.podcast), .items(.station)])
  static let people = ChartScreen([.people])

  var list: CatalogList? {
    get { lists[selectedTab] }
    set { if let newValue { lists[selectedTab] = newValue } }
  }

  var title: String { charts.count > 1 ? CatalogMessages.popular : CatalogMessages.people }
  var tabs: [String] { charts.count > 1 ? charts.map(\.name) : [] }
  var ownCommands: [Command] { charts.count > 1 ? [.toggleGenre] : [] }

  /// Other charts than those of films have no genre.
  var hints: [Command] { listHints.filter { $0 != .toggleGenre || charts[selectedTab] == .items(.film) } }

  mutating func select(tab: Int, _ state: SharedState) { selectedTab = tab }

  /// The genre of the films.
  var note: String? {
    guard charts[selectedTab] == .items(.film) else { return nil }
    return isAnyGenre ? tr("Films of all genres.") : tr("Films of the genre in the settings.")
  }

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    if command == .toggleGenre, charts[selectedTab] != .items(.film) {
      return tr("Only the charts of films are limited to a genre.")
    }
    return reasonDisabledInList(command, state)
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    guard command == .toggleGenre else { return performInList(command, state) }
    isAnyGenre.toggle()
    lists[selectedTab] = CatalogList(charts[selectedTab].query(isAnyGenre: isAnyGenre))
    return []
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    clickInList(row: row, isDouble: isDouble, state)
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    for index in lists.indices { lists[index].receive(call, result, state) }
    return []
  }

  mutating func disconnect() {
    for index in lists.indices { lists[index].disconnect() }
  }

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    if let genre = state.setting(SettingReport.chartGenre)?.inUse, genre != self.genre {
      if self.genre != nil, let films = charts.firstIndex(of: .items(.film)) {
        lists[films] = CatalogList(charts[films].query(isAnyGenre: isAnyGenre))
      }
      self.genre = genre
    }
    return prepareList(&state)
  }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) { drawList(&frame, facts: listFacts, state) }
}
