internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The prompt in which the name of a playlist is typed, or chosen among those that there are.
struct PlaylistNameScreen: PromptScreen {
  /// The purpose for which a name is needed.
  enum Purpose: Equatable {
    /// The queue is saved as the playlist.
    case queue
    /// The tracks that a search finds in the library are saved as the playlist.
    case search(String)
    /// Tracks, and what other items contain, are added to the playlist.
    case addition(of: [String])
    /// A playlist is renamed.
    case newName(of: String)
  }

  private let purpose: Purpose
  private var field = TextField()
  /// The names of the playlists; nil until the daemon has stated them.
  private var names: [String]?
  private var isRequested = false
  /// The index of the chosen row; nil if the text itself is the name.
  private var choice: Int?
  /// The call that Enter has made, until it is answered.
  private var pending: DaemonCall?
  /// The name of a playlist that exists, as the daemon has said when something was to be saved under it.
  private var existingName: String?

  init(_ purpose: Purpose) {
    self.purpose = purpose
    switch purpose {
    case .search(let name), .newName(let name): field.insert(name)
    case .queue, .addition: break
    }
  }

  /// The names below the field: those that contain the text, except while a playlist is renamed.
  private var rows: [String] {
    if case .newName = purpose { return [] }
    let text = field.text.lowercased()
    return (names ?? []).filter { $0.lowercased().containsSubstring(text) }
  }

  private var name: String {
    let rows = rows
    return choice.flatMap { rows.indices.contains($0) ? rows[$0] : nil } ?? field.text.trimmed
  }

  // MARK: Input

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    switch key.code {
    case .escape: return [.back]
    case .enter: return submit(state)
    case .down: choice = rows.isEmpty ? nil : min((choice ?? -1) + 1, rows.count - 1)
    case .up: choice = choice.flatMap { $0 > 0 ? $0 - 1 : nil }
    default:
      guard field.handle(key) else { return nil }
      choice = nil
    }
    return []
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    field.insert(text)
    choice = nil
    return []
  }

  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] {
    choice = row
    return isDouble ? submit(state) : []
  }

  private mutating func submit(_ state: SharedState) -> [Action] {
    let name = name
    if name.isEmpty { return [.showMessage(.information(PlaylistMessages.nameNeeded))] }
    if pending != nil { return [.showMessage(.information(PlaylistMessages.pending))] }
    if purpose == .queue, state.queue.length == 0 {
      return [.showMessage(.information(PlaybackMessages.emptyQueue(state)))]
    }
    switch purpose {
    case .queue, .search:
      if name == existingName { return [replacement(of: name)] }
      return call(.savePlaylist(name: name, uris: savedURIs, replace: false), state)
    case .addition(let uris): return call(.addToPlaylist(name: name, uris), state)
    case .newName(name): return [.back]
    case .newName(let former): return call(.renamePlaylist(name: former, to: name), state)
    }
  }

  private mutating func call(_ call: DaemonCall, _ state: SharedState) -> [Action] {
    if state.isConnected { pending = call }
    return [.call(call)]
  }

  /// The URIs of what is saved; nil for the queue.
  private var savedURIs: [String]? {
    if case .search(let text) = purpose { ["segue:search/\(FileURI.percentEncoded(text))"] } else { nil }
  }

  private func replacementCall(_ name: String) -> DaemonCall {
    .savePlaylist(name: name, uris: savedURIs, replace: true)
  }

  /// Returns the action that saves in place of a playlist.
  private func replacement(of name: String) -> Action {
    let question = tr("There is already a playlist “%1$s”. Press Enter again to replace it.", name.visible)
    return .confirm(Confirmation(calls: [replacementCall(name)], question: question))
  }

  // MARK: The daemon

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    guard !isRequested else { return [] }
    isRequested = true
    return [.playlistNames]
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    if call == .playlistNames {
      switch result {
      case .success(let response):
        names = (response as? ListPage<PlaylistInfo>)?.items.map(\.name) ?? []
        return []
      case .failure(let error): return [.showMessage(.failure(PlaybackMessages.failure(error, state)))]
      }
    }
    let isReplacement = existingName.map { call == replacementCall($0) } ?? false
    guard call == pending || isReplacement else { return [] }
    pending = nil
    switch (call, result) {
    case (_, .success): return [.back]
    case (.savePlaylist(let name, _, _), .failure(let error)) where error.kind == Failure.Kind.exists.rawValue:
      existingName = name
      return [replacement(of: name)]
    case (.renamePlaylist(_, let name), .failure(let error)) where error.kind == Failure.Kind.exists.rawValue:
      return [.showMessage(.failure(tr("There is already a playlist “%1$s”. Choose another name.", name.visible)))]
    case (_, .failure(let error)):
      let message =
        error.kind == Failure.Kind.invalidParams.rawValue
        ? SettingsMessages.refused(error) : tr("The playlist cannot be changed: %1$s.", error.message)
      return error.exit == .noDaemon ? [] : [.showMessage(.failure(message))]
    }
  }

  mutating func disconnect() {
    if names == nil { isRequested = false }
    pending = nil
  }

  // MARK: The view

  var title: String { PlaylistMessages.title(purpose) }
  var usage: String { PlaylistMessages.usage(purpose) }

  /// The number of names that are displayed at once.
  private static let maximumRows = 10

  /// The box keeps its height while the text chooses among the names.
  func rows(_ state: SharedState) -> Int {
    if case .newName = purpose { return 1 }
    return 2 + (names?.count ?? 0).clamped(to: 1...Self.maximumRows)
  }

  func draw(_ frame: inout TerminalFrame, in area: Area, _ state: SharedState) {
    frame.write(PlaylistMessages.name, field, in: area)
    let rows = rows
    // The chosen row stays visible.
    let height = max(1, area.rows - 2)
    let first = max(0, (choice ?? 0) - height + 1)
    for (line, index) in rows.indices.dropFirst(first).prefix(height).enumerated() {
      let place = area.line(2 + line)
      frame.grid.write(
        rows[index].visible, row: place.row, column: place.column, width: place.columns,
        ellipsis: state.appearance.ellipsis)
      if index == choice { frame.grid.restyle(place.widened) { $0.emphasis.insert(.reversed) } }
      frame.addTarget(.row(index), place.widened)
    }
  }
}
