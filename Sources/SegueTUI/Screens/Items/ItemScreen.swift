internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A screen that consists of lists of the daemon. A type with this protocol names its lists and its title, and has a
/// function for each command of its own; everything else is the same on all of these screens.
protocol ItemScreen: Screen {
  var tabs: ItemTabs { get set }
  /// The name of the screen.
  var title: String { get }
  /// The commands that only this screen has, and `cycleOrder` if a list has several orders.
  var ownCommands: [Command] { get }

  /// Returns facts about the contents for the title line.
  func facts(_ state: SharedState) -> String
  /// Returns the reason why one of the screen's own commands cannot be performed now; nil if it can.
  func reasonOwnDisabled(_ command: Command, _ state: SharedState) -> String?
  /// Performs one of the screen's own commands other than `cycleOrder`.
  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action]
}

extension ItemScreen {
  var list: ItemList {
    get { tabs.list }
    set { tabs.list = newValue }
  }

  var ownCommands: [Command] { [] }
  func reasonOwnDisabled(_ command: Command, _ state: SharedState) -> String? { nil }
  mutating func performOwn(_ command: Command, _ state: SharedState) -> [Action] { [] }
  func facts(_ state: SharedState) -> String { listFacts(state) }

  /// Returns the length of the list, and its order unless that is the standard one.
  func listFacts(_ state: SharedState) -> String {
    guard list.window.isLoaded else { return "" }
    let order = list.source.isInStandardOrder ? nil : list.source.order?.label
    let facts = [list.source.counted(list.window.length), order]
    return facts.compactMap(\.self).joined(separator: " \(state.appearance.dot) ")
  }

  // MARK: Commands

  var commands: [Command] {
    var commands: [Command] = [
      .open, .details, .add, .addNext, .playNow, .replaceQueue, .addToPlaylist, .toggleFavorite, .rate,
    ]
    commands += ownCommands
    if list.form == .grid { commands += [.left, .right] }
    if !tabs.names.isEmpty { commands += [.nextTab, .previousTab] }
    commands += Command.navigation
    commands += [.filter, .select]
    if list.canShowCovers { commands.append(.toggleTiles) }
    if list.canCancel { commands.append(.cancel) }
    commands += [.reload, .back]
    return commands + Command.playback + Command.everywhere
  }

  var possibleCommands: [Command] { commands + [.left, .right, .nextTab, .previousTab, .toggleTiles, .cancel] }

  var hints: [Command] {
    if takesText { return [.open, .cancel] }
    var hints: [Command] = [.open, .add, .playNow]
    if !tabs.names.isEmpty { hints.append(.nextTab) }
    hints += ownCommands.filter { $0 != .cycleOrder }
    if list.canShowCovers { hints.append(.toggleTiles) }
    hints += [.filter, .select, .toggleFavorite, .addNext]
    hints += ownCommands.filter { $0 == .cycleOrder }
    return hints + [.back, .help]
  }

  var takesText: Bool { list.takesText }

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    let reason = ownCommands.contains(command) ? reasonOwnDisabled(command, state) : nil
    return reason ?? list.reasonDisabled(command, state)
  }

  func isReady(for command: Command, _ state: SharedState) -> Bool { list.isReady(for: command) }

  mutating func adopt(_ configuration: InterfaceConfiguration) { tabs.adopt(configuration) }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    switch command {
    case .cycleOrder: return tabs.selectNextOrder()
    case .toggleTiles: return tabs.selectNextLayout()
    case _ where ownCommands.contains(command): return performOwn(command, state)
    case _ where list.perform(command): return []
    case .open: return list.focused.map { ItemActions.open($0, in: list.source.uri, state) } ?? []
    case .details: return list.focused?.item.map { [.show(DetailsScreen($0))] } ?? []
    case .rate:
      guard let track = list.focused?.track else { return [] }
      return [.show(RatingScreen(uri: track.uri, title: track.title))]
    case .add: return [.call(.add(list.targets(of: command).map(\.uri), .end))]
    case .addNext: return [.call(.add(list.targets(of: command).map(\.uri), .next))]
    case .playNow: return [.call(.playItems(list.targets(of: command).map(\.uri)))]
    case .replaceQueue: return [.call(.replaceQueue(list.targets(of: command).map(\.uri), playing: nil))]
    case .addToPlaylist: return [.show(PlaylistNameScreen(.addition(of: list.targets(of: command).map(\.uri))))]
    case .toggleFavorite:
      let items = list.targets(of: command).filter(\.canBeFavorite)
      return [.call(.setFavorite(items.map(\.uri), !items.allSatisfy(\.isFavorite)))]
    case .nextTab: tabs.select(by: 1)
    case .previousTab: tabs.select(by: -1)
    case .reload: return [.reload]
    default: break
    }
    return []
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? { list.navigation.type(key) ? [] : nil }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    list.navigation.paste(text)
    return []
  }

  // MARK: Mouse

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    list.click(row: row, isDouble: isDouble) ? perform(.open, state) : []
  }

  mutating func click(tab: Int, _ state: SharedState) -> [Action] {
    tabs.select(tab)
    return []
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    list.scroll(by: rows)
    return []
  }

  mutating func scroll(to fraction: Double, _ state: SharedState) { list.scroll(to: fraction) }

  // MARK: The daemon

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    tabs.receive(call, result, at: state.now)
    return []
  }

  mutating func disconnect() { tabs.disconnect() }

  mutating func setParent(_ screen: (any Screen)?) { tabs.setParent((screen as? any ItemScreen)?.list) }

  mutating func fit(_ state: SharedState) { tabs.fit(listArea(state), state) }

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    tabs.prepare(listArea(state), &state)
  }

  func showsParent(_ state: SharedState) -> Bool { tabs.showsParent(in: listArea(state), state) }

  mutating func prepareBesideChild(_ state: SharedState) -> [DaemonCall] {
    tabs.prepareBesideChild(listArea(state), state)
  }

  func nextChange(_ state: SharedState) -> MonotonicTime? {
    [state.nextSecond, tabs.nextChange].compactMap { $0 }.min()
  }

  // MARK: The view

  /// Returns the area of the list and of what stands beside it.
  func listArea(_ state: SharedState) -> Area {
    let layout = ListLayout(state.size)
    return Area(row: layout.firstRow, column: 0, rows: layout.rows, columns: state.size.columns)
  }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) { drawList(&frame, state) }

  /// Draws the title, the progress bar and the list.
  func drawList(_ frame: inout TerminalFrame, _ state: SharedState) {
    let layout = ListLayout(state.size)
    let columns = state.size.columns
    if let filter = list.navigation.filter {
      let facts = FilterLine.facts(filter, in: list.window)
      FilterLine.draw(&frame, filter.field, isEditing: filter.isEditing, facts, state)
    } else {
      let selected = list.navigation.selection.count
      var facts = selected == 0 ? facts(state) : ItemMessages.selected(selected, of: list.window.length)
      if selected > 0, let time = list.navigation.selection.elements.map(\.duration).total {
        facts += " \(state.appearance.dot) \(time.clock)"
      }
      TitleLine.draw(&frame, title, facts, tabs: tabs.names, selected: tabs.selected, state)
    }
    ProgressBar.draw(&frame, Area(row: layout.progressRow, column: 1, rows: 1, columns: max(0, columns - 2)), state)
    tabs.draw(&frame, listArea(state), headingRow: layout.headingRow, state)
  }

  /// The list itself shows a failure if there are no rows.
  func problem(_ state: SharedState) -> Message? {
    guard list.count > 0, let failure = list.failure else { return nil }
    return .failure("\(PlaybackMessages.failure(failure, state)) \(ItemMessages.retry(state))")
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    guard let library = state.library, library.scanning else { return PlaybackLine.draw(&frame, row: row, state) }
    frame.grid.write(
      ItemMessages.scanning(library.done, of: library.total), row: row, column: 1, width: state.size.columns - 2,
      ellipsis: state.appearance.ellipsis)
  }
}

/// The actions that depend on the kind of an item.
enum ItemActions {
  /// Performs the default action on a track, or shows what another item contains. `container` is the URI of what the
  /// list shows the contents of.
  static func open(_ item: ListedItem, in container: String?, _ state: SharedState) -> [Action] {
    switch item {
    case .track(let track): CatalogActions.open(CatalogItem(track), in: container, state)
    case .album, .artist, .tag, .value, .folder: ContentsScreen(of: item).map { [.show($0)] } ?? []
    case .playlist(let playlist): [.show(PlaylistScreen(playlist))]
    case .play(let play): CatalogActions.open(CatalogItem(play.track), in: nil, state)
    case .output(let output): [.call(.selectOutput(name: output.name))]
    }
  }
}
