internal import SegueLibrary
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

private let name = Method.Parameter(
  name: "name", schema: .string, summary: "The playlist's: no path, no dot in front.", isRequired: true)
private let changed = (name: "playlist", schema: Schema.named("PlaylistResult"))

/// Playlists are `.m3u8` files in `$XDG_DATA_HOME/segue/playlists`.
let playlistMethods = [
  Method(
    name: "playlists.list", summary: "The playlists, by name.", parameters: [.offset, .limit],
    result: (name: "page", schema: .named("PlaylistPage")), errors: .ofFiles
  ) { call in
    let (page, reply) = (call.page(), call.reply)
    call.library.accessPlaylists(
      { folder throws(Failure) in
        let (playlists, total) = try folder.list(page)
        return ListPage(items: playlists, total: total, offset: page.offset)
      }, then: reply.answerOffLoop)
  },
  Method(
    name: "playlists.load", summary: "What is in a playlist; `queue.add` takes it as segue:playlist/NAME.",
    parameters: [name, .offset, .limit], result: (name: "page", schema: .named("TrackPage")), errors: .ofFiles
  ) { call in
    let (wanted, page, reply, library) = (call.string("name") ?? "", call.page(), call.reply, call.library)
    library.accessPlaylists({ folder throws(Failure) in
      let (entries, total) = try folder.contents(wanted, page)
      return ListPage(items: entries.map(ListedTrack.init(_:)), total: total, offset: page.offset)
    }) { result in
      guard case .success(let listed) = result else { return reply.answerOffLoop(result) }
      let uris = listed.items.map(\.uri)
      library.read({ reader throws(StoreError) in
        let known = try reader.tracks(uris)
        var full = listed
        for index in full.items.indices { try full.items[index].fill(from: known[index], reader) }
        return .success(EncodedJSON(full))
      }) { result in
        // What the file itself says is something, too.
        if case .success(let full) = result { reply.answer(full) } else { reply.answerOffLoop(.success(listed)) }
      }
    }
  },
  Method(
    name: "playlists.save", summary: "Makes a playlist of the queue, or of these.",
    parameters: [
      name,
      .init(
        name: "uris", schema: .array(of: .string),
        summary: "Whatever `queue.add` takes, as the tracks it stands for. Left out: the queue."),
      .init(
        name: "replace", schema: .boolean, summary: "In the place of one of that name; else that is `exists`.",
        defaultValue: "false"),
    ],
    result: changed, errors: [.exists] + .ofFiles
  ) { call in
    call.player.savePlaylist(
      call.string("name") ?? "", call["uris"] == nil ? nil : call.strings("uris"),
      replaces: call.bool("replace") ?? false, then: call.reply.answerOffLoop)
  },
  Method(
    name: "playlists.add", summary: "Adds to a playlist, which is made where there is none.",
    parameters: [
      name,
      .init(
        name: "uris", schema: .array(of: .string), summary: "Whatever `queue.add` takes.", isRequired: true),
      .init(name: "at", schema: .count, summary: "Before the entry that is there now. Left out: at the end."),
    ],
    result: changed, errors: [.outOfRange] + .ofFiles
  ) { call in
    call.player.addToPlaylist(
      call.string("name") ?? "", call.strings("uris"), at: call.integer("at"), then: call.reply.answerOffLoop)
  },
  Method(
    name: "playlists.remove", summary: "Takes entries out of a playlist.",
    parameters: [
      name,
      .init(
        name: "indices", schema: .array(of: .count), summary: "Their places, from 0, as they are before.",
        isRequired: true),
    ],
    result: changed, errors: [.outOfRange] + .ofFiles
  ) { call in
    let (name, indices) = (call.string("name") ?? "", call["indices"]?.elements?.compactMap(\.int) ?? [])
    call.change { folder throws(Failure) in try folder.remove(name, indices) }
  },
  Method(
    name: "playlists.rename", summary: "Gives a playlist another name; one that is taken is `exists`.",
    parameters: [name, .init(name: "to", schema: .string, summary: "The new name.", isRequired: true)], result: changed,
    errors: [.exists] + .ofFiles
  ) { call in
    let (name, new) = (call.string("name") ?? "", call.string("to") ?? "")
    call.change { folder throws(Failure) in try folder.rename(name, to: new) }
  },
  Method(
    name: "playlists.delete", summary: "Deletes a playlist; what it names stays where it is.", parameters: [name],
    result: (name: "nothing", schema: .object([])), errors: .ofFiles
  ) { call in
    let (name, reply) = (call.string("name") ?? "", call.reply)
    call.library.accessPlaylists(
      { folder throws(Failure) in
        try folder.delete(name)
        return Empty()
      }, then: reply.answer)
  },
]

extension Call {
  /// Answers with what became of a playlist.
  fileprivate func change(_ body: @escaping @Sendable (PlaylistFolder) throws(Failure) -> PlaylistInfo) {
    let reply = reply
    library.accessPlaylists(
      { folder throws(Failure) in PlaylistResult(playlist: try body(folder)) }, then: reply.answer)
  }
}

extension ListedTrack {
  /// As the playlist has it.
  fileprivate init(_ entry: PlaylistEntry) {
    var metadata = entry.track.metadata
    if metadata.title == nil { metadata.title = MediaURI.displayName(of: entry.track.uri) }
    self.init(
      index: entry.index, uri: entry.track.uri, duration: entry.track.duration,
      durationKind: entry.track.durationKind, metadata: metadata, error: entry.failure?.message)
  }

  /// Takes over what the index knows.
  fileprivate mutating func fill(from known: LibraryTrack?, _ reader: LibraryReader) throws(StoreError) {
    guard let known else {
      favorite = try reader.isFavorite(uri)
      rating = try reader.rating(uri)
      return
    }
    let (place, trouble) = (index, error)
    self = ListedTrack(known)
    index = place
    error = trouble ?? error
  }
}
