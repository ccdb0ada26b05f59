internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The result of a request, as the object that its method returns.
typealias CallResult = Result<any JSONDecodable, ClientError>

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
  /// Adds items at the end of the queue or after the current track.
  case add([String], QueuePlace)
  case setFavorite([String], Bool)
  /// Adds items after the current track and plays the first one.
  case playItems([String])
  /// Replaces the queue by items, and plays one of their tracks, or the first one.
  case replaceQueue([String], playing: String?)
  /// Saves the queue as a playlist, or the tracks of items by their URIs.
  case savePlaylist(name: String, uris: [String]? = nil, replace: Bool)
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
  case seek(to: MediaTime)
  /// Sets the sleep timer, or turns it off.
  case sleep(SleepRequest.Timer)
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
  /// A change of the queue of which no screen knows more than the result.
  case changeQueue(QueueCommand)
  /// Random tracks of the library, and a random album, which are to be added.
  case randomTracks(Int)
  case randomAlbum
  case undo
  case redo
  case lyrics(uri: String)
  case chapters(uri: String)
  case cover(WantedCover)
  /// A page of items, which begins at an offset.
  case catalog(PageQuery, offset: Int, refresh: Bool)
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
  /// Has the sound sent that is audible, or no longer.
  case followSound(Bool)

  /// A request that changes the queue, as a value that can be compared.
  struct QueueCommand: Equatable {
    let request: any ProtocolRequest<QueueSummary>

    static func == (one: QueueCommand, other: QueueCommand) -> Bool {
      EncodedRequest(one.request) == EncodedRequest(other.request)
    }
  }

  /// Whether the result is a part of what screens display. They show a failure in its place.
  var isShownByScreens: Bool {
    switch self {
    case .read, .locate, .lyrics, .chapters, .cover, .catalog, .details, .track, .rating, .playlistNames, .hints,
      .suggestions:
      true
    default: false
    }
  }

  /// The topic whose lists the call changes; nil if it changes no list on which further commands act. Usually, the
  /// event of the topic precedes the response; a call that changes nothing has no event.
  var changedTopic: Topic? {
    switch self {
    case .remove, .move, .clear, .changeQueue, .undo, .redo: .queue
    case .setFavorite: .favorites
    case .rate: .ratings
    case .savePlaylist, .deletePlaylist, .removeFromPlaylist, .addToPlaylist, .renamePlaylist: .playlists
    case .selectOutput: .output
    case .subscribe, .read, .locate, .play, .playTrack, .add, .playItems, .replaceQueue, .playlistNames, .randomTracks,
      .randomAlbum, .toggle, .stop,
      .next,
      .previous, .seekBy, .seekTo, .seek, .sleep, .changeVolume, .mute, .setRepeat, .setShuffle, .setConsume,
      .changeSpeed,
      .resetSpeed, .lyrics, .chapters, .cover, .catalog, .details, .hints, .suggestions, .track, .rating, .set, .reset,
      .followSound:
      nil
    }
  }

  /// Whether a daemon that runs answers without waiting for files or the network.
  var isAnsweredAtOnce: Bool {
    switch self {
    case .lyrics, .chapters, .cover, .add, .playTrack, .playItems, .replaceQueue, .catalog, .details, .playlistNames,
      .suggestions:
      false
    // Playlists are files, and an item of a catalogue is looked up before it is a favorite.
    case .setFavorite: false
    default: changedTopic != .playlists
    }
  }

  /// Decodes the result of the call.
  func decode(_ result: JSON) -> any JSONDecodable {
    func decode<Request: ProtocolRequest>(_ request: Request) -> any JSONDecodable { Request.Result(result) }
    return decode(request)
  }

  var request: any ProtocolRequest {
    switch self {
    case .subscribe: SubscribeRequest()
    case .read(let source, let read): source.request(for: read)
    case .locate(let id): QueueListRequest(limit: 1, id: id)
    case .play(let id): PlayRequest(.id(id))
    case .playTrack(let uri): PlayRequest(.uri(uri))
    case .add(let uris, let place): QueueAddRequest(uris: uris, at: place)
    case .setFavorite(let uris, true): FavoritesAddRequest(uris: uris)
    case .setFavorite(let uris, false): FavoritesRemoveRequest(uris: uris)
    case .playItems(let uris): QueueAddRequest(uris: uris, at: .next, play: true)
    case .replaceQueue(let uris, let track): QueueReplaceRequest(uris: uris, play: track ?? "")
    case .savePlaylist(let name, let uris, let replace):
      PlaylistsSaveRequest(name: name, uris: uris, replace: replace)
    case .deletePlaylist(let name): PlaylistsDeleteRequest(name: name)
    case .removeFromPlaylist(let name, let indices, let uris):
      PlaylistsRemoveRequest(name: name, indices: indices, uris: uris)
    case .addToPlaylist(let name, let uris): PlaylistsAddRequest(name: name, uris: uris)
    case .renamePlaylist(let name, let new): PlaylistsRenameRequest(name: name, to: new)
    case .playlistNames: PlaylistsListRequest()
    case .selectOutput(let name): OutputSetRequest(device: name)
    case .toggle: ToggleRequest()
    case .stop: StopRequest()
    case .next: NextRequest()
    case .previous: PrevRequest()
    case .seekBy(let offset): SeekRequest(.offset(offset))
    case .seekTo(let fraction): SeekRequest(.fraction(fraction))
    case .seek(let position): SeekRequest(.position(position))
    case .sleep(let timer): SleepRequest(timer)
    case .changeVolume(let delta): VolumeRequest(.delta(delta))
    case .mute(let isMuted): VolumeRequest(muted: isMuted)
    case .setRepeat(let mode): RepeatRequest(mode: mode)
    case .setShuffle(let mode): ShuffleRequest(mode: mode)
    case .setConsume(let isOn): ConsumeRequest(on: isOn)
    case .changeSpeed(let difference): SpeedRequest(.delta(difference))
    case .resetSpeed: SpeedRequest(.factor(.normal))
    case .remove(let ids): QueueRemoveRequest(ids: ids)
    case .move(let ids, let index): QueueMoveRequest(ids: ids, to: .index(index))
    case .clear: QueueClearRequest()
    case .changeQueue(let command): command.request
    case .undo: QueueUndoRequest()
    case .redo: QueueRedoRequest()
    case .set(let name, let value): SettingsSetRequest(name: name, value: .text(value))
    case .track(let uri): LibraryTrackRequest(uri: uri)
    case .rating(let uri): RatingGetRequest(uri: uri)
    case .rate(let uri, let rating): RatingSetRequest(uri: uri, rating: rating)
    case .reset(let name): SettingsResetRequest(name: name)
    case .followSound(true): SubscribeRequest(topics: [.sound])
    case .followSound(false): UnsubscribeRequest(topics: [.sound])
    case .catalog(let query, let offset, let refresh): query.request(offset: offset, refresh: refresh)
    case .details(let uri, isPerson: true, let refresh): CatalogPersonRequest(uri: uri, refresh: refresh)
    case .details(let uri, isPerson: false, let refresh): CatalogInfoRequest(uri: uri, refresh: refresh)
    case .hints(let request): request.source.hints(containing: request.text)
    case .suggestions(let request): request.source.suggestions(for: request.text)
    case .randomTracks(let count): LibraryRandomRequest(limit: count)
    case .randomAlbum: LibraryAlbumsRequest(sort: .random, limit: 1)
    case .lyrics(let uri): LyricsRequest(uri: uri)
    case .chapters(let uri): ChaptersRequest(uri: uri)
    case .cover(let request): ArtRequest(uri: request.uri, size: request.size, format: request.format)
    }
  }
}
