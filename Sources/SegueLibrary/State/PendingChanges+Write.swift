internal import SegueSystem
internal import SegueWire

extension PendingChanges {
  /// Writes everything; the caller wraps it in a transaction.
  func write(to connection: SQLiteConnection) throws(StoreError) {
    if let replacement {
      try connection.execute("DELETE FROM queue")
      try write(replacement, to: connection)
    }
    if !removals.isEmpty {
      let delete = try connection.statement("DELETE FROM queue WHERE id = ?")
      for id in removals {
        delete.bind(1, Int64(bitPattern: id))
        try delete.run()
      }
    }
    try write(upserts.values, to: connection)
    try writeValues(to: connection)
  }

  private func write(_ entries: some Collection<SavedEntry>, to connection: SQLiteConnection) throws(StoreError) {
    guard !entries.isEmpty else { return }
    let insert = try connection.statement(
      """
      INSERT OR REPLACE INTO queue (id, rank, uri, duration, kind, metadata, error, probed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    var json = JSONWriter()
    for entry in entries {
      insert.bind(1, Int64(bitPattern: entry.id))
      insert.bind(2, entry.rank)
      insert.bind(3, entry.uri)
      insert.bind(4, entry.duration?.nanoseconds)
      insert.bind(5, entry.durationKind?.rawValue)
      json.removeAll()
      if json.known(entry.metadata) { json.bytes.withUnsafeBytes { insert.bind(6, $0) } }
      insert.bind(7, entry.error)
      insert.bind(8, entry.probed ? 1 : 0)
      try insert.run()
    }
  }

  private func writeValues(to connection: SQLiteConnection) throws(StoreError) {
    let values = StateValues(connection)
    if let nextID { try values.raise(.nextID, to: Int64(bitPattern: nextID)) }
    if let modes {
      try values.set(.repeatMode, modes.repeatMode.rawValue)
      try values.set(.shuffle, modes.shuffle.rawValue)
      try values.set(.consume, modes.consume ? 1 : 0)
    }
    if let playhead {
      try values.set(.entry, playhead.entry.map(Int64.init(bitPattern:)))
      try values.set(.position, playhead.position.nanoseconds)
      try values.set(.playState, playhead.state.rawValue)
      try values.set(.playheadTime, playhead.time.nanoseconds)
    }
    if let volume {
      try values.set(.volume, Int64(volume.level))
      try values.set(.muted, volume.muted ? 1 : 0)
    }
    if let sleep {
      switch sleep {
      case nil:
        try values.set(.sleepAt, nil as Int64?)
        try values.set(.sleepAfter, nil as String?)
      case .at(let time):
        try values.set(.sleepAt, time.nanoseconds)
        try values.set(.sleepAfter, nil as String?)
      case .after(let mark):
        try values.set(.sleepAt, nil as Int64?)
        try values.set(.sleepAfter, mark.rawValue)
      }
    }
    if let device { try values.set(.device, device) }
  }
}

extension JSONWriter {
  /// The members of `metadata` that are known, as an object; false, and nothing written, if none is.
  fileprivate mutating func known(_ metadata: Metadata) -> Bool {
    guard metadata != Metadata() else { return false }
    beginObject()
    if let title = metadata.title { member("title", title) }
    if let artist = metadata.artist { member("artist", artist) }
    if !metadata.artists.isEmpty { member("artists", metadata.artists) }
    if let album = metadata.album { member("album", album) }
    if let albumArtist = metadata.albumArtist { member("albumArtist", albumArtist) }
    if let composer = metadata.composer { member("composer", composer) }
    if !metadata.genre.isEmpty { member("genre", metadata.genre) }
    if let date = metadata.date { member("date", date) }
    if let year = metadata.year { member("year", year) }
    if let track = metadata.track { member("track", track) }
    if let trackTotal = metadata.trackTotal { member("trackTotal", trackTotal) }
    if let disc = metadata.disc { member("disc", disc) }
    if let discTotal = metadata.discTotal { member("discTotal", discTotal) }
    if let art = metadata.art { member("art", art) }
    if let stream = metadata.stream { member("stream", stream) }
    endObject()
    return true
  }
}
