internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The settings of the interface, which are written to `ui.conf`, and those of the daemon.
struct SettingsScreen: Screen {
  /// A row of the list.
  private enum Row {
    case interface(InterfaceSetting)
    case keys
    /// The command that turns on the page for phones.
    case web
    case daemon(SettingReport)
  }

  /// A value of a setting of the daemon that is being edited.
  private struct EditedValue {
    let name: String
    var field = TextField()
  }

  private var scrolling = ListScrolling()
  private var edited: EditedValue?

  let commands: [Command] =
    [.change, .reset, .back] + Command.navigation + Command.playback + Command.everywhere
  var hints: [Command] { takesText ? [] : [.change, .reset, .back, .help] }
  var takesText: Bool { edited != nil }

  /// The rows under their headings: the settings of the interface, and those of the daemon in its order, with the genre
  /// of the charts first among those of its section.
  private func groups(_ state: SharedState) -> [(heading: String, rows: [Row])] {
    func settings(_ section: String) -> [Row] {
      InterfaceSetting.allCases.filter { $0.section == section }.map(Row.interface)
    }
    var interface = settings(InterfaceConfiguration.interfaceSection)
    // The keys are a screen of their own, which is found at the top.
    interface.insert(.keys, at: min(2, interface.count))
    var groups = [
      (SettingsMessages.interface, interface + [.web]),
      (SettingsMessages.lists, settings(InterfaceConfiguration.listSection)),
    ]
    var sections: [String] = []
    for setting in state.settings where !sections.contains(setting.section) { sections.append(setting.section) }
    for section in sections {
      let members = state.settings.filter { $0.section == section }
      let genre = members.filter { $0.name == SettingReport.chartGenre }
      let others = members.filter { $0.name != SettingReport.chartGenre }
      groups.append((SettingsMessages.heading(section), (genre + others).map(Row.daemon)))
    }
    return groups
  }

  private func rows(_ state: SharedState) -> [Row] { groups(state).flatMap(\.rows) }

  private func focused(_ state: SharedState) -> Row? {
    let rows = rows(state)
    return rows.indices.contains(scrolling.focus) ? rows[scrolling.focus] : nil
  }

  // MARK: Commands

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    guard command == .change || command == .reset, case .daemon(let setting)? = focused(state) else {
      return command == .reset ? reasonNotReset(state) : nil
    }
    if !state.isConnected { return PlaybackMessages.noDaemon }
    if !setting.isChangeable { return SettingsMessages.onlyInFile(setting) }
    return command == .reset && setting.source != .chosen ? SettingsMessages.notReset : nil
  }

  /// Returns why a setting of the interface cannot be reset; nil if it can.
  private func reasonNotReset(_ state: SharedState) -> String? {
    guard case .interface(let setting)? = focused(state), setting.word(in: state.configuration) != setting.words[0]
    else {
      return SettingsMessages.notReset
    }
    return nil
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    if scrolling.perform(command, count: rows(state).count) { return [] }
    switch (command, focused(state)) {
    case (.change, .keys?): return [.show(KeysScreen())]
    case (.change, .web?): return [.showMessage(.information(SettingsMessages.aboutWeb))]
    case (.change, .interface(let setting)?):
      return set(setting, to: setting.words.word(after: setting.word(in: state.configuration)))
    case (.reset, .interface(let setting)?): return set(setting, to: setting.words[0])
    case (.change, .daemon(let setting)?): return change(setting)
    case (.reset, .daemon(let setting)?): return [.call(.reset(name: setting.name))]
    default: return []
    }
  }

  private func set(_ setting: InterfaceSetting, to word: String) -> [Action] {
    let (label, value) = (SettingsMessages.label(setting), SettingsMessages.word(word, of: setting))
    return [.configure(.setting(setting, to: word)), .showMessage(.information(SettingsMessages.saved(label, value)))]
  }

  /// Chooses the next value of a choice, and has any other value edited.
  private mutating func change(_ setting: SettingReport) -> [Action] {
    switch setting.type {
    case .flag: return [.call(.set(name: setting.name, value: setting.value == .flag(true) ? "no" : "yes"))]
    case .choice(let words): return [.call(.set(name: setting.name, value: words.word(after: setting.value.text)))]
    case .whole, .number, .name, .paths:
      edited = EditedValue(name: setting.name)
      edited?.field.insert(SettingsMessages.editable(setting))
      return []
    }
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    guard let value = edited else { return nil }
    switch key.code {
    case .escape: edited = nil
    case .enter:
      edited = nil
      return [.call(.set(name: value.name, value: value.field.text))]
    default: return edited?.field.handle(key) == true ? [] : nil
    }
    return []
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    edited?.field.insert(text)
    return []
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    edited = nil
    scrolling.focus(on: row)
    guard isDouble else { return [] }
    if let reason = reasonDisabled(.change, state) { return [.showMessage(.information(reason))] }
    return perform(.change, state)
  }

  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    edited = nil
    scrolling.scroll(by: rows, count: self.rows(state).count)
    return []
  }

  // MARK: The daemon

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    switch (call, result) {
    case (.set, .success(let report as SettingReport)), (.reset, .success(let report as SettingReport)):
      return [.showMessage(.information(SettingsMessages.changed(report)))]
    case (.set, .failure(let error)) where error.kind == Failure.Kind.invalidParams.rawValue:
      return [.showMessage(.failure(SettingsMessages.refused(error)))]
    default: break
    }
    return []
  }

  /// The next daemon may have other settings.
  mutating func disconnect() { edited = nil }

  mutating func fit(_ state: SharedState) {
    let flow = flow(groups(state), state)
    scrolling.fit(count: rows(state).count, height: flow.maximum, capacity: flow.capacity)
  }

  // MARK: The view

  /// The columns that a label and its value need.
  private static let minimumColumns = 72

  private func flow(_ groups: [(heading: String, rows: [Row])], _ state: SharedState) -> RowFlow {
    let top = state.size.rows >= 12 ? 2 : 1
    let rows = max(1, state.size.rows - 2 - top - statusText(state).rowsAbove)
    var (headed, count): (Set<Int>, Int) = ([], 0)
    for group in groups {
      headed.insert(count)
      count += group.rows.count
    }
    return RowFlow(
      Area(row: top, column: 0, rows: rows, columns: state.size.columns), count: count, headed: headed,
      minimumColumns: Self.minimumColumns)
  }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let appearance = state.appearance
    TitleLine.draw(&frame, tr("Settings"), "", state)
    let groups = groups(state)
    let headings = groups.flatMap { group in group.rows.indices.map { $0 == 0 ? group.heading : "" } }
    let entries = groups.flatMap(\.rows).map { texts(of: $0, state) }
    let widest = entries.map { DisplayWidth.of($0.label) }.max() ?? 0
    for line in flow(groups, state).lines(from: scrolling.top) {
      let area = line.area
      switch line.content {
      case .heading(let index):
        frame.grid.write(
          headings[index], row: area.row, column: area.column + 1, width: area.columns - 2,
          look: appearance.look(.highlight, .bold), ellipsis: appearance.ellipsis)
      case .row(let index):
        let (label, value, isFixed) = entries[index]
        let labelWidth = min(DisplayWidth.of(label), area.columns - 12)
        let start = area.column + 3
        frame.grid.write(label, row: area.row, column: start, width: labelWidth, ellipsis: appearance.ellipsis)
        // On a narrow screen, a long label moves its value to the right, and a long value begins earlier.
        let end = area.column + area.columns - 1
        let column = max(
          start + labelWidth + 2,
          min(start + 2 + min(widest, area.columns / 2 - 4), end - DisplayWidth.of(value)))
        let edited = index == scrolling.focus ? edited : nil
        if edited == nil {
          frame.grid.write(
            value, row: area.row, column: column, width: end - column, look: isFixed ? .dim : .bold,
            ellipsis: appearance.ellipsis)
        }
        if index == scrolling.focus {
          frame.grid.restyle(area) { $0.emphasis.insert(.reversed) }
          frame.cursor = Position(row: area.row, column: area.column)
          if let field = edited?.field { frame.write(field, row: area.row, column: column, width: end - column) }
        }
        frame.addTarget(.row(index), area)
      }
    }
  }

  /// Returns the label and the value of a row, and whether the value cannot be changed.
  private func texts(of row: Row, _ state: SharedState) -> (label: String, value: String, isFixed: Bool) {
    switch row {
    case .interface(let setting):
      let word = SettingsMessages.word(setting.word(in: state.configuration), of: setting)
      return (SettingsMessages.label(setting), word, false)
    case .keys: return (SettingsMessages.keys, SettingsMessages.allCommands, false)
    case .web: return (SettingsMessages.web, SettingsMessages.webCommand, true)
    case .daemon(let setting):
      return (SettingsMessages.label(setting), SettingsMessages.value(setting), !setting.isChangeable)
    }
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    statusText(state).draw(&frame, row: row, .dim)
  }

  /// The status line describes the focused setting.
  private func statusText(_ state: SharedState) -> StatusText {
    let text =
      switch focused(state) {
      case _ where edited != nil: SettingsMessages.editing
      case .interface(let setting)?: SettingsMessages.summary(setting, state)
      case .keys?: tr("%1$s shows all commands with their keys, which can be changed.", state.named(.change))
      case .web?: SettingsMessages.aboutWeb
      case .daemon(let setting)?: SettingsMessages.summary(setting)
      case nil: ""
      }
    return StatusText(text, state)
  }

  func nextChange(_ state: SharedState) -> MonotonicTime? { nil }
}

extension SettingReport {
  /// The name of the setting with the genre of popular films.
  static let chartGenre = "catalog.genre"
}
