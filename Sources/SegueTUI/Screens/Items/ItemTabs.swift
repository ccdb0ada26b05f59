internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The lists of a screen, of which one is displayed. Tabs lead to the others.
struct ItemTabs {
  private var lists: [ItemList]
  private(set) var selected = 0
  private var neighbors = ItemNeighbors()

  /// Creates the tabs of at least one list.
  init(_ sources: [ListSource]) { lists = sources.map { ItemList($0) } }

  /// The displayed list.
  var list: ItemList {
    get { lists[selected] }
    set { lists[selected] = newValue }
  }

  /// The names of the tabs; empty if there is only one list.
  var names: [String] { lists.count > 1 ? lists.map(\.source.name) : [] }

  mutating func select(_ index: Int) {
    if lists.indices.contains(index) { selected = index }
  }

  /// Selects the next tab, or the previous one if `step` is -1; after the last one follows the first one.
  mutating func select(by step: Int) { selected = (selected + step + lists.count) % lists.count }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, at now: MonotonicTime) {
    for index in lists.indices { lists[index].receive(call, result, at: now) }
    neighbors.receive(call, result, beside: list, at: now)
  }

  /// Takes over the orders and the layouts in the configuration.
  mutating func adopt(_ configuration: InterfaceConfiguration) {
    for index in lists.indices { lists[index].adopt(configuration) }
  }

  /// Reads the displayed list in the next of its orders, and with it those that have the same setting. The order is
  /// remembered.
  mutating func selectNextOrder() -> [Action] {
    guard let setting = list.source.orderSetting, let order = list.source.order else { return [] }
    let word = setting.words.word(after: order.rawValue)
    for index in lists.indices where lists[index].source.orderSetting == setting {
      lists[index].read(lists[index].source.inOrder(word))
    }
    return [.configure(.list(setting, to: word))]
  }

  /// Displays the list in its other layout, which is remembered.
  mutating func selectNextLayout() -> [Action] {
    guard let setting = list.source.layoutSetting else { return [] }
    list.toggleCovers()
    return [.configure(.layout(setting, showsTiles: list.showsCovers))]
  }

  mutating func disconnect() {
    for index in lists.indices { lists[index].disconnect() }
    neighbors.disconnect()
  }

  /// Takes over the list from which the screen was opened, as it is now; nil if it was opened from no list.
  mutating func setParent(_ list: ItemList?) { neighbors.parent = list }

  /// The time at which something is requested again; nil if that is not necessary.
  var nextChange: MonotonicTime? { [list.nextChange, neighbors.nextChange].compactMap { $0 }.min() }

  /// Adapts the displayed list and its neighbors to the size of the area of the screen after an event.
  mutating func fit(_ area: Area, _ state: SharedState) {
    list.chooseForm(for: area, state)
    let areas = neighbors.areas(of: list, in: area, state)
    list.fit(areas.list, state)
    neighbors.fit(areas, state)
  }

  /// Adapts the displayed list and its neighbors to the state after an event. Returns the requests for what they show.
  mutating func prepare(_ area: Area, _ state: inout SharedState) -> [DaemonCall] {
    list.chooseForm(for: area, state)
    let areas = neighbors.areas(of: list, in: area, state)
    return list.prepare(areas.list, &state) + neighbors.prepare(areas, of: list, &state)
  }

  /// Adapts the displayed list to the state while a screen that was opened from it shows it. Returns the requests for
  /// its rows.
  mutating func prepareBesideChild(_ area: Area, _ state: SharedState) -> [DaemonCall] {
    list.chooseForm(for: area, state)
    return list.prepareRows(neighbors.areas(of: list, in: area, state).list, state)
  }

  /// Returns whether the list from which the screen was opened stands beside the displayed one.
  func showsParent(in area: Area, _ state: SharedState) -> Bool {
    neighbors.areas(of: list, in: area, state).parent != nil
  }

  /// Draws the displayed list and its neighbors.
  func draw(_ frame: inout TerminalFrame, _ area: Area, headingRow: Int?, _ state: SharedState) {
    let areas = neighbors.areas(of: list, in: area, state)
    list.draw(&frame, areas.list, headingRow: headingRow, as: .main, state)
    neighbors.draw(&frame, areas, headingRow: headingRow, of: list, state)
  }
}
