internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// A list of the daemon on a screen: the part that is loaded, and focus, selection and filter.
struct ItemList {
  let source: ListSource
  private(set) var window = ListWindow<ListedItem>(lengthFrom: .pages)
  var navigation = ListNavigation<ListedItem>()
  /// The item whose contents the list shows, as the last page states it.
  private(set) var container: ListedItem?
  /// The error of the last request for a page; nil if it has succeeded.
  private var pageFailure: ClientError?
  /// The error because of which the displayed rows may not be all, or not the current ones; nil if there is none.
  var failure: ClientError? { if let filter = navigation.filter { filter.failure } else { pageFailure } }

  /// The columns that the items fill, as far as they were read.
  private var filledColumns = FilledColumns()
  /// Whether items that have covers are displayed with them.
  private(set) var showsCovers = true
  /// The form in which the items are displayed, since the last event.
  private(set) var form = ItemForm.table
  /// The number of items beside each other.
  private var stride = 1

  init(_ source: ListSource) { self.source = source }

  /// Whether the user can choose between covers and a table, since the last event.
  private(set) var canShowCovers = false

  var count: Int { navigation.count(window) }
  var focused: ListedItem? { navigation.focused(window) }
  var takesText: Bool { navigation.takesText }

  /// Performs a command that every list has. Returns false for any other command.
  mutating func perform(_ command: Command) -> Bool {
    if navigation.perform(command, window) { return true }
    switch command {
    case .filter: navigation.startFilter()
    case .cancel: navigation.cancel()
    case .select: navigation.toggleSelection(window)
    default: return false
    }
    return true
  }

  /// Returns whether the rows are displayed to which a command applies. Those of a request that has failed do not
  /// arrive soon. A filter waits for the list, because the keys after it are its text.
  func isReady(for command: Command) -> Bool {
    if failure != nil { return true }
    if command == .filter { return window.isLoaded }
    return !Command.onRows.contains(command) || !navigation.isWaiting(for: command, window)
  }

  /// Returns whether a command names what the user sees while lists change: after the answer to the change, the list
  /// has to arrive.
  func isSettled(for command: Command, _ state: SharedState) -> Bool {
    let needsElement = Command.onRows.contains(command) && !navigation.appliesToSelection(command)
    return !state.unanswered.change(source.topics) && isReady(for: command)
      && navigation.isSettled(window, needsElement: needsElement)
  }

  /// Returns a sentence that says why a command of lists cannot be performed now; nil if it can.
  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    switch command {
    case .open, .select, .details, .add, .addNext, .playNow, .replaceQueue, .addToPlaylist, .toggleFavorite, .rate,
      .remove, .rename:
      if !window.isLoaded { return ItemMessages.notLoaded }
      let targets = targets(of: command)
      if targets.isEmpty { return ItemMessages.nothingFocused }
      if source == .tags, command != .open { return tr("This is a list of lists. %1$s opens one.", state.named(.open)) }
      if command == .details, focused?.item == nil { return tr("Only tracks, albums and artists have details.") }
      if command == .rate, focused?.track == nil { return tr("Only tracks can be rated.") }
      return command == .toggleFavorite && !targets.contains(where: \.canBeFavorite) ? ItemMessages.noFavorite : nil
    case .filter:
      if !window.isLoaded { return ItemMessages.notLoaded }
      return window.length == 0 ? ItemMessages.nothingFocused : nil
    case .cancel:
      return canCancel
        ? nil : tr("There is neither a filter nor a selection to end. %1$s returns.", state.named(.back))
    default: return nil
    }
  }

  /// Whether there is a filter or a selection that Esc ends.
  var canCancel: Bool { navigation.filter != nil || !navigation.selection.isEmpty }

  /// Returns the items to which a command applies: the selected ones, or the focused one. The selection ends when the
  /// daemon has performed the command.
  func targets(of command: Command) -> [ListedItem] { navigation.targets(of: command, window) }

  /// Focuses a row because of a click. Returns whether a double click opens the item.
  mutating func click(row: Int, isDouble: Bool) -> Bool { navigation.click(row: row, isDouble: isDouble, window) }

  mutating func scroll(by rows: Int) {
    switch form {
    case .table: navigation.scroll(by: rows, window)
    case .grid: navigation.scroll(by: rows.signum() * stride, window)
    }
  }

  mutating func scroll(to fraction: Double) { navigation.scroll(to: fraction, window) }

  /// The time at which something is requested again; nil if that is not necessary. While a filter is active, no pages
  /// are requested.
  var nextChange: MonotonicTime? { navigation.filter == nil ? window.nextRetry : navigation.nextChange }

  // MARK: Order and layout

  /// Takes over the order and the layout in the configuration.
  mutating func adopt(_ configuration: InterfaceConfiguration) {
    let ordered = source.inOrder(of: configuration)
    if ordered != source { read(ordered) }
    if let setting = source.layoutSetting { showsCovers = configuration.showsTiles(setting) }
  }

  /// Reads the list in another order.
  mutating func read(_ ordered: ListSource) {
    var list = ItemList(ordered)
    list.showsCovers = showsCovers
    self = list
  }

  /// Shows covers in place of a table, or a table in place of covers.
  mutating func toggleCovers() { showsCovers.toggle() }

  // MARK: The daemon

  /// Takes over the response to a request for this list. Ignores any other response.
  mutating func receive(_ call: DaemonCall, _ result: CallResult, at now: MonotonicTime) {
    if case .success = result { deselectTargets(of: call) }
    guard case .read(source, let read) = call else { return }
    switch (read, result) {
    case (.page(let number), .success(let result)):
      let page = ListedPage(result, read, of: source)
      pageFailure = nil
      container = page.container ?? container
      window.receive(page: number, page.items, version: nil, total: page.total)
      addFilledColumns(of: page.items)
    case (.page(let number), .failure(let error)):
      pageFailure = error
      if error.isNotFound {
        // There are no contents of something that is gone.
        window.receive(page: number, [], version: nil, total: 0)
      } else {
        window.fail(page: number, error, at: now)
      }
    case (.filterPage(let offset, let filter), .success(let result)):
      let page = ListedPage(result, read, of: source)
      window.receive(total: page.total)
      navigation.receive(page.items, at: offset, filter: filter)
      addFilledColumns(of: page.items)
    case (.filterPage(_, let filter), .failure(let error)): navigation.fail(filter: filter, error, at: now)
    }
  }

  /// Adds the columns that items fill. The artist of an album is not repeated beside each of its tracks.
  private mutating func addFilledColumns(of items: [ListedItem]) {
    let artist: String? = if case .album(let album) = container { album.albumArtist } else { nil }
    filledColumns.add(items, version: window.version) { item, column in
      if column == .artist, let artist, item.track?.metadata.artist == artist { return false }
      return item.hasText(in: column)
    }
  }

  /// Deselects the items to which a call has applied.
  private mutating func deselectTargets(of call: DaemonCall) {
    switch call {
    case .add(let uris, _), .playItems(let uris), .replaceQueue(let uris, _), .addToPlaylist(_, let uris),
      .setFavorite(let uris, _):
      navigation.deselect(uris)
    case .deletePlaylist(let name):
      navigation.remove { if case .playlist(let playlist) = $0 { playlist.name == name } else { false } }
    // The entries of the playlist have other places now.
    case .removeFromPlaylist(let name, _, _) where source == .playlist(name): navigation.selection.removeAll()
    default: break
    }
  }

  mutating func disconnect() {
    window.markOutdated()
    navigation.disconnect()
  }

  /// Whether a response to the first request for the list has arrived, be it an error.
  var hasArrived: Bool { window.isLoaded || failure != nil }

  /// Returns the places of the items in an area.
  func layout(_ area: Area, _ state: SharedState) -> ItemLayout {
    ItemLayout(form, area, cell: state.graphics?.cellSize ?? (1, 2))
  }

  /// Chooses the form of the list by the size of the whole area of the screen.
  mutating func chooseForm(for area: Area, _ state: SharedState) {
    canShowCovers = source.layoutSetting != nil && state.graphics != nil && area.rows >= 8 && area.columns >= 60
    form = showsCovers && canShowCovers ? .grid : .table
  }

  /// Adapts the list to the size of its area after an event.
  mutating func fit(_ area: Area, _ state: SharedState) {
    let layout = layout(area, state)
    stride = layout.columnCount
    navigation.fit(window, height: layout.capacity, stride: stride)
  }

  /// Adapts the list to the size of its area after an event, and displays it in a form.
  mutating func fit(_ area: Area, as form: ItemForm, _ state: SharedState) {
    self.form = form
    fit(area, state)
  }

  /// Adapts the list to the state after an event. Returns the requests for what its area displays.
  mutating func prepare(_ area: Area, _ state: inout SharedState) -> [DaemonCall] {
    let calls = prepareRows(area, state)
    guard form != .table else { return calls }
    let rows = navigation.scrolling.top..<navigation.scrolling.top + layout(area, state).capacity
    let covers = state.prepareCovers(of: rows.compactMap { navigation.element(at: $0, window)?.uri }, .small)
    return calls + covers
  }

  /// Adapts the list to the state after an event. Returns the requests for the rows in its area.
  mutating func prepareRows(_ area: Area, _ state: SharedState) -> [DaemonCall] {
    fit(area, state)
    window.update(version: state.version(of: source))
    let height = layout(area, state).capacity
    let reads = navigation.prepare(&window, height: height, stride: stride, at: state.now)
    return reads.map { DaemonCall.read(source, $0) }
  }
}

/// The way in which a list is used on a screen.
enum ListRole {
  /// The user moves in the list.
  case main
  /// The list is the one from which the screen was opened. Its focused item is the one that is open.
  case parent
  /// The list shows what the focused item contains.
  case contents
}

extension ItemList {
  /// Draws the rows into an area, and the headings of their columns into a row if there is one.
  func draw(
    _ frame: inout TerminalFrame, _ area: Area, headingRow: Int?, as role: ListRole, _ state: SharedState
  ) {
    let table = ItemTable(source.columns(state.configuration, filled: filledColumns), area)
    guard count > 0 else { return drawEmpty(&frame, area, as: role, state) }
    if form == .table, let headingRow {
      table.drawHeadings(&frame, headingRow, state)
    }
    let scrolling = navigation.scrolling
    let layout = layout(area, state)
    for number in 0..<max(0, min(layout.capacity, count - scrolling.top)) {
      switch form {
      case .table: drawRow(&frame, scrolling.top + number, area.line(number), table, as: role, state)
      case .grid: drawItem(&frame, scrolling.top + number, number, layout, state)
      }
    }
    guard role == .main else { return }
    ScrollBar.draw(&frame, area, top: scrolling.top, visible: layout.capacity, count: count, state)
    if !takesText {
      let text = layout.text(scrolling.focus - scrolling.top)
      frame.cursor = Position(row: text.row, column: text.column)
    }
  }

  /// Draws an item with its cover.
  private func drawItem(
    _ frame: inout TerminalFrame, _ row: Int, _ number: Int, _ layout: ItemLayout, _ state: SharedState
  ) {
    let text = layout.text(number)
    if let item = navigation.element(at: row, window) {
      if let art = state.cover(of: item.uri, .small), let cell = state.graphics?.cellSize {
        frame.addPicture(art, in: layout.cover(number), cell: cell)
      }
      let isCurrent = self.isCurrent(item, state)
      let look: Look =
        isCurrent ? state.appearance.look(.accent, .bold) : item.isUnavailable ? .dim : .bold
      let title = symbols(item, isCurrent, state).text(state.appearance) + item.title
      let lines = [(title, look)] + captions(of: item).map { ($0, Look.dim) }
      for (line, (content, look)) in lines.prefix(text.rows).enumerated() {
        frame.grid.write(
          content, row: text.row + line, column: text.column, width: text.columns, look: look,
          ellipsis: state.appearance.ellipsis)
      }
    } else {
      frame.grid.write(ItemMessages.loading, row: text.row, column: text.column, width: text.columns, look: .dim)
    }
    if row == navigation.scrolling.focus {
      frame.markFocus(tile: layout.place(number), text: text, state.appearance)
    }
    frame.addTarget(.row(row), layout.place(number))
  }

  /// Returns the lines below the title of an item. The artist is not repeated below each of the artist's albums.
  private func captions(of item: ListedItem) -> [String] {
    if case .artist = source { [item.text(of: .year)] } else { item.captions }
  }

  /// Returns the symbols before the title of an item. The output in use is marked whether something plays or not.
  private func symbols(_ item: ListedItem, _ isCurrent: Bool, _ state: SharedState) -> RowSymbols {
    let playback = source == .outputs ? state.appearance.playing : state.symbol
    return RowSymbols(
      playback: isCurrent ? playback : nil, isUnavailable: item.isUnavailable,
      isSelected: navigation.selection.contains(item.id), isFavorite: item.isFavorite)
  }

  private func drawRow(
    _ frame: inout TerminalFrame, _ row: Int, _ area: Area, _ table: ItemTable, as role: ListRole,
    _ state: SharedState
  ) {
    let line = area.row
    let appearance = state.appearance
    if let item = navigation.element(at: row, window) {
      let isCurrent = self.isCurrent(item, state)
      let look = isCurrent ? appearance.look(.accent, .bold) : item.isUnavailable ? Look.dim : .plain
      symbols(item, isCurrent, state).draw(&frame, area, look, appearance)
      for place in table.places { write(item, place, line, look, &frame, state) }
    } else {
      table.textPlace?.write(ItemMessages.loading, row: line, look: .dim, &frame, state)
    }
    switch role {
    case .main:
      if row == navigation.scrolling.focus {
        frame.markFocus(area, besideBar: ScrollBar.columns(visible: navigation.scrolling.height, count: count, state))
      }
      frame.addTarget(.row(row), area)
    case .parent:
      if row == navigation.scrolling.focus {
        frame.grid.restyle(area) { $0 = appearance.look(.highlight, .bold) }
      }
    case .contents: break
    }
  }

  /// Whether the item is the current track or the output in use.
  private func isCurrent(_ item: ListedItem, _ state: SharedState) -> Bool {
    if case .output(let output) = item { return output.isCurrent }
    return item.uri == state.status?.track?.uri
  }

  /// Writes the text of an item in a column. The marks behind a name are never truncated.
  private func write(
    _ item: ListedItem, _ place: ItemTable.Place, _ row: Int, _ look: Look, _ frame: inout TerminalFrame,
    _ state: SharedState
  ) {
    if place.column == .rating {
      let stars = state.stars(item.track?.rating)
      let look = look.color == nil ? state.appearance.look(.mark) : look
      return place.write(stars, row: row, look: look, &frame, state)
    }
    var text = item.text(of: place.column)
    if place.column == .name, !item.marks.isEmpty {
      let marks = "  " + item.marks
      let width = max(0, place.width - DisplayWidth.of(marks))
      text = text.truncated(to: width, ellipsis: state.appearance.ellipsis) + marks
    }
    place.write(text, row: row, look: look, &frame, state)
  }

  /// Says why no row is displayed, and what would help.
  private func drawEmpty(_ frame: inout TerminalFrame, _ area: Area, as role: ListRole, _ state: SharedState) {
    if role == .main, !takesText { frame.cursor = Position(row: area.row, column: area.column) }
    let lines: [String]
    if failure?.isNotFound == true {
      lines = source.missingMessages(state)
    } else if let failure {
      lines = [PlaybackMessages.failure(failure, state), ItemMessages.retry(state)]
    } else if let filter = navigation.filter {
      lines = filter.isReading(of: window) ? [] : [ItemMessages.noMatch]
    } else if window.isLoaded {
      lines = source.emptyMessages(state)
    } else {
      lines = state.isConnected ? [ItemMessages.loading] : []
    }
    EmptyText.draw(&frame, lines, in: area, state)
  }
}
