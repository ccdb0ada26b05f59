internal import Glibc
internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// Values of arguments, of which the daemon knows some. Without a daemon that responds at once, those are missing.
final class LiveValues {
  /// The time that all requests together may take.
  private static let timeout = MediaTime.milliseconds(500)
  /// The maximum number of values that are requested.
  private static let limit = 500

  private let typed: String
  private let socket: FilePath?
  private let deadline = MonotonicTime.now + LiveValues.timeout
  private lazy var connection = connect()

  init(typed: String, socket: FilePath?) {
    self.typed = typed
    self.socket = socket
  }

  /// Returns the values of a kind that may begin with the typed text.
  func candidates(_ kind: ArgumentValues.Kind) -> [CommandCompletion.Candidate] {
    switch kind {
    case .words(let words): words.map { .init($0) }
    case .verbs: Verb.all.map { .init($0.name, $0.summary) }
    case .methods:
      (answer(RPCDiscoverRequest())?.json["methods"]?.elements ?? []).map { .init($0["name"]?.string ?? "") }
    case .entries:
      answer(QueueListRequest(limit: Self.limit)).map(\.value.tracks).map { tracks in
        tracks.map { .init("\($0.index.oneBased)", $0.artist.isEmpty ? $0.title : "\($0.title) - \($0.artist)") }
      } ?? []
    case .chapters:
      (answer(ChaptersRequest())?.value.chapters ?? []).enumerated().map { .init("\($0.oneBased)", $1.title) }
    case .names(let kind): names(kind)
    case .genres(let kind): (answer(CatalogGenresRequest(kind: kind))?.value.genres ?? []).map { .init($0.name) }
    case .outputs:
      (answer(OutputListRequest())?.value.outputs ?? []).map { .init($0.name, $0.description) }
    case .providers:
      (answer(CatalogProvidersRequest())?.value.providers ?? []).map { .init($0.name, $0.title) }
    case .settings(let areChangeable):
      settings.filter { $0.isChangeable || !areChangeable }.map { .init($0.name, translated(text: $0.summary)) }
    case .valuesOfSetting(let name): values(ofSetting: name.lowercased())
    case .files: [.files]
    case .resources: resources
    }
  }

  private func names(_ kind: NameLookup.Kind) -> [CommandCompletion.Candidate] {
    // An item whose name a shell cannot insert is named by its URI.
    func names<Item: NamedItem>(_ items: [Item], _ description: (Item) -> String?)
      -> [CommandCompletion.Candidate]
    {
      items.map { .init($0.name == $0.name.visible ? $0.name : $0.uri, description($0) ?? "") }
    }
    return switch kind {
    case .album: names(found() ?? items(LibraryAlbumsRequest())) { $0.albumArtist }
    case .artist: names(found() ?? items(LibraryArtistsRequest())) { _ in nil }
    case .track: names(found() ?? items(LibraryTracksRequest())) { $0.artist }
    case .genre: names(items(LibraryGenresRequest())) { _ in nil }
    case .playlist: names(items(PlaylistsListRequest())) { _ in nil }
    case .composer, .conductor, .work, .year, .decade, .albumArtist:
      names(kind.tag.map { items(LibraryValuesRequest(tag: $0)) } ?? []) { _ in nil }
    }
  }

  /// Files, and the URIs of the library or, if the kind is typed, of its items.
  private var resources: [CommandCompletion.Candidate] {
    func uris<Item: NamedItem>(_ items: [Item]) -> [CommandCompletion.Candidate] {
      items.map { .init($0.uri, $0.name) }
    }
    switch typed.hasPrefix("segue:") ? typed.dropFirst("segue:".count).split(separator: "/").first : nil {
    case "album": return uris(items(LibraryAlbumsRequest()))
    case "artist": return uris(items(LibraryArtistsRequest()))
    case "genre": return uris(items(LibraryGenresRequest()))
    case "playlist": return uris(items(PlaylistsListRequest()))
    case let word?:
      if let tag = LibraryTag(rawValue: String(word)) { return uris(items(LibraryValuesRequest(tag: tag))) }
      fallthrough
    case nil:
      let tags = LibraryTag.allCases.filter { $0 != .genre }.map(\.rawValue)
      let kinds = (["album", "artist", "genre"] + tags + ["playlist", "search"]).map {
        CommandCompletion.Candidate("segue:\($0)/")
      }
      return typed.hasPrefix("segue:") ? kinds : [.files] + kinds
    }
  }

  /// Returns the first items of a list.
  private func items<Item>(_ request: some PagedRequest<ListPage<Item>>) -> [Item] {
    var request = request
    request.limit = Self.limit
    return answer(request)?.value.items ?? []
  }

  /// Returns the items of the library that match the typed text best; nil if it names none.
  private func found<Item: NamedItem>() -> [Item]? {
    let query = NameLookup.query(for: typed)
    guard !query.isEmpty, !typed.hasPrefix("segue:") else { return nil }
    let answer = answer(
      LibrarySearchRequest(query: query, type: Item.libraryKind, limit: Self.limit, remember: false))
    return answer?.json.list("\(Item.listName)") ?? []
  }

  private var settings: [SettingReport] { answer(SettingsListRequest())?.value.settings ?? [] }

  /// Returns the values of the setting with this name, or with this name after the dot, in lower case.
  private func values(ofSetting name: String) -> [CommandCompletion.Candidate] {
    let setting = settings.first {
      let full = $0.name.lowercased()
      return full == name || full.split(separator: ".").last.map(String.init) == name
    }
    return switch setting?.type {
    case .flag: candidates(.words(["yes", "no"]))
    case .choice(let words): candidates(.words(words))
    case .name where name.hasSuffix("device"): candidates(.outputs)
    case .whole, .number, .name, .paths, nil: []
    }
  }

  /// Returns the result of a request; nil if there is none before the deadline.
  private func answer<Value>(_ request: some ProtocolRequest<Value>) -> Response<Value>? {
    guard let connection, let id = connection.sendWithoutBlocking(EncodedRequest(request)) else { return nil }
    while connection.wait(until: deadline) == .readable {
      guard let messages = try? connection.receiveMessages() else { return nil }
      if let answer = messages.first(where: { $0["id"]?.int == id }) { return answer["result"].map { Response($0) } }
    }
    return nil
  }

  private func connect() -> Connection? {
    let standard = socket == nil && Directories.environment("SEGUE_SOCKET") == nil
    let path = socket ?? Directories.socket
    return standard && !Self.isRunning(at: path) ? nil : try? Connection(path: path, blocking: false)
  }

  /// Whether a daemon runs at the usual path. If none does, the service manager may listen there, and a connection
  /// would start the daemon.
  private static func isRunning(at path: FilePath) -> Bool {
    // A daemon that was not started by the service manager holds a lock.
    let lock = FilePath(bytes: path.bytes + Array(".lock".utf8)).withCString { open($0, O_RDONLY | O_CLOEXEC) }
    if lock >= 0 {
      let descriptor = Descriptor(owning: lock)
      if flock(descriptor.raw, LOCK_SH | LOCK_NB) != 0 { return true }
    }
    // The manager has this link for a service that runs; what it leads to does not exist.
    let link = Directories.runtime?.appending("systemd/units/invocation:segued.service")
    var status = stat()
    return link?.withCString { lstat($0, &status) } == 0
  }
}
