internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// A request to the daemon, as a value. Its response comes back with it, so that the model knows what is answered.
enum DaemonCall: Equatable {
  case subscribe
  /// A part of a list.
  case read(ListSource, ListRead)
  /// The place of an entry in the queue, which fails if the entry has left the queue.
  case locate(id: UInt64)
  case play(id: UInt64)
  /// Plays a track that is not in the queue, which is added after the current one.
  case playTrack(uri: String)
  case add([String], QueuePlace)
  case setFavorite([String], Bool)
  /// Adds items after the current track and plays the first one.
  case playItems([String])
  /// Saves the queue as a playlist.
  case savePlaylist(name: String, replace: Bool)
  case deletePlaylist(name: String)
  /// Removes entries by their places and their URIs, of which the daemon accepts only those that belong together.
  case removeFromPlaylist(name: String, indices: [Int], uris: [String])
  /// Adds to the end of a playlist, which is created if there is none.
  case addToPlaylist(name: String, [String])
  case renamePlaylist(name: String, to: String)
  /// The names of the first playlists, as many as a page may have.
  case playlistNames
  /// Selects an output by the name of its device.
  case selectOutput(name: String)
  case toggle
  case stop
  case next
  case previous
  case seekBy(MediaTime)
  case seekTo(fraction: Double)
  case changeVolume(Int)
  case mute(Bool)
  case setRepeat(RepeatMode)
  case setShuffle(ShuffleMode)
  case setConsume(Bool)
  /// Adds a number to the factor of the speed.
  case changeSpeed(Double)
  case resetSpeed
  case remove([UInt64])
  case move([UInt64], to: Int)
  case clear
  case undo
  case redo
  case lyrics(uri: String)
  case cover(CoverRequest)
  /// A page of items, which begins at an offset.
  case catalog(CatalogQuery, offset: Int, refresh: Bool)
  case details(uri: String, isPerson: Bool, refresh: Bool)
  /// The last searches that contain a text.
  case hints(SearchField.Request)
  case suggestions(SearchField.Request)
  /// All that the library knows about a track.
  case track(uri: String)
  /// The rating of a track.
  case rating(uri: String)
  /// Sets the rating of a track, from 0 to 10; nil removes it.
  case rate(uri: String, Int?)
  case set(name: String, value: String)
  case reset(name: String)

  /// A place in the queue at which tracks are added.
  enum QueuePlace: String {
    case end
    /// After the current track.
    case next
  }

  /// Whether the result is a part of what screens display. They show a failure in its place.
  var isShownByScreens: Bool {
    switch self {
    case .read, .locate, .lyrics, .cover, .catalog, .details, .track, .rating, .playlistNames, .hints, .suggestions:
      true
    default: false
    }
  }

  /// Whether the call changes lists other than the queue, which no event announces.
  var changesLibrary: Bool {
    switch self {
    case .setFavorite, .rate, .selectOutput: true
    default: changesPlaylist
    }
  }

  /// Whether the request changes the playlists or the entries of one.
  var changesPlaylist: Bool {
    switch self {
    case .savePlaylist, .deletePlaylist, .removeFromPlaylist, .addToPlaylist, .renamePlaylist: true
    default: false
    }
  }

  /// Whether the request changes the queue.
  var changesQueue: Bool {
    switch self {
    case .remove, .move, .clear, .undo, .redo: true
    default: false
    }
  }

  /// Whether a daemon that runs answers without waiting for files or the network.
  var isAnsweredAtOnce: Bool {
    switch self {
    case .lyrics, .cover, .add, .playTrack, .playItems, .catalog, .details, .playlistNames, .suggestions: false
    // Playlists are files, and an item of a catalogue is looked up before it is a favorite.
    case .setFavorite: false
    default: !changesPlaylist
    }
  }

  var request: ClientRequest {
    switch self {
    case .subscribe: ClientRequest("subscribe") { $0.member("topics", ["player", "queue", "library", "settings"]) }
    case .read(let source, let read): source.request(for: read)
    case .locate(let id):
      ClientRequest("list") {
        $0.member("id", id)
        $0.member("limit", 1)
      }
    case .play(let id): ClientRequest("play") { $0.member("id", id) }
    case .playTrack(let uri): ClientRequest("play") { $0.member("uri", uri) }
    case .add(let uris, let place):
      ClientRequest("queue.add") {
        $0.member("uris", uris)
        $0.member("at", place.rawValue)
      }
    case .setFavorite(let uris, let isFavorite):
      ClientRequest(isFavorite ? "favorites.add" : "favorites.remove") { $0.member("uris", uris) }
    case .playItems(let uris):
      ClientRequest("queue.add") {
        $0.member("uris", uris)
        $0.member("at", QueuePlace.next.rawValue)
        $0.member("play", true)
      }
    case .savePlaylist(let name, let replace):
      ClientRequest("playlists.save") {
        $0.member("name", name)
        $0.member("replace", replace)
      }
    case .deletePlaylist(let name): ClientRequest("playlists.delete") { $0.member("name", name) }
    case .removeFromPlaylist(let name, let indices, let uris):
      ClientRequest("playlists.remove") {
        $0.member("name", name)
        $0.member("indices", numbers: indices[...])
        $0.member("uris", uris)
      }
    case .addToPlaylist(let name, let uris):
      ClientRequest("playlists.add") {
        $0.member("name", name)
        $0.member("uris", uris)
      }
    case .renamePlaylist(let name, let new):
      ClientRequest("playlists.rename") {
        $0.member("name", name)
        $0.member("to", new)
      }
    case .playlistNames: ClientRequest("playlists.list") { $0.member("limit", 1000) }
    case .selectOutput(let name): ClientRequest("output.set") { $0.member("device", name) }
    case .toggle: ClientRequest("toggle")
    case .stop: ClientRequest("stop")
    case .next: ClientRequest("next")
    case .previous: ClientRequest("prev")
    case .seekBy(let offset): ClientRequest("seek") { $0.member("offset", offset) }
    case .seekTo(let fraction): ClientRequest("seek") { $0.member("fraction", fraction) }
    case .changeVolume(let delta): ClientRequest("volume") { $0.member("delta", delta) }
    case .mute(let isMuted): ClientRequest("volume") { $0.member("muted", isMuted) }
    case .setRepeat(let mode): ClientRequest("repeat") { $0.member("mode", mode.rawValue) }
    case .setShuffle(let mode): ClientRequest("shuffle") { $0.member("mode", mode.rawValue) }
    case .setConsume(let isOn): ClientRequest("consume") { $0.member("on", isOn) }
    case .changeSpeed(let difference): ClientRequest("speed") { $0.member("delta", difference) }
    case .resetSpeed: ClientRequest("speed") { $0.member("factor", 1) }
    case .remove(let ids): ClientRequest("queue.remove") { $0.member("ids", numbers: ids[...]) }
    case .move(let ids, let index):
      ClientRequest("queue.move") {
        $0.member("ids", numbers: ids[...])
        $0.member("to", index)
      }
    case .clear: ClientRequest("queue.clear")
    case .undo: ClientRequest("queue.undo")
    case .redo: ClientRequest("queue.redo")
    case .set(let name, let value):
      ClientRequest("settings.set") {
        $0.member("name", name)
        $0.member("value", value)
      }
    case .track(let uri): ClientRequest("library.track") { $0.member("uri", uri) }
    case .rating(let uri): ClientRequest("rating.get") { $0.member("uri", uri) }
    case .rate(let uri, let rating):
      ClientRequest("rating.set") {
        $0.member("uri", uri)
        $0.member("rating", rating)
      }
    case .reset(let name): ClientRequest("settings.reset") { $0.member("name", name) }
    case .catalog(let query, let offset, let refresh): query.request(offset: offset, refresh: refresh)
    case .details(let uri, let isPerson, let refresh):
      ClientRequest(isPerson ? "catalog.person" : "catalog.info") {
        $0.member("uri", uri)
        if refresh { $0.member("refresh", true) }
      }
    case .hints(let request): request.source.hints(containing: request.text)
    case .suggestions(let request): request.source.suggestions(for: request.text)
    case .lyrics(let uri): ClientRequest("lyrics") { $0.member("uri", uri) }
    case .cover(let request):
      ClientRequest("art") {
        $0.member("uri", request.uri)
        $0.member("size", request.size.rawValue)
        $0.member("format", request.format.rawValue)
      }
    }
  }
}
