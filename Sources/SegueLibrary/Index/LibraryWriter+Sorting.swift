// On the thread "index" only.

extension LibraryWriter {
  /// Sets the order of the sort keys, which `collation` names. If it differs from the order of the existing keys, all of
  /// them are to be computed anew. Returns whether that is so.
  func setCollation(_ collation: String) throws(StoreError) -> Bool {
    let name = Int64(bitPattern: FolderDigest.hash(Array(collation.utf8)))
    let known = try StoredNumber.read(.collation, connection)
    if known == name { return false }
    try StoredNumber.write(.collation, name, connection)
    // If no order is known yet, the existing keys have this one.
    if known == 0 { return false }
    try pendingSortKeys.insertAll()
    return true
  }

  /// Writes the sort keys of texts: one key for each text. An empty key changes nothing.
  func setSortKeys(_ keys: [[UInt8]], of texts: [PendingSortKey]) throws(StoreError) {
    for (text, key) in zip(texts, keys) {
      if !key.isEmpty { try setSortKey(text.kind, text.id, key) }
      try pendingSortKeys.remove(text.kind, text.id)
    }
    try flush()
  }

  private func setSortKey(_ kind: PendingSortKey.Kind, _ id: Int64, _ key: [UInt8]) throws(StoreError) {
    switch kind {
    case .track: try tracks.setTitleKey(id, key)
    case .artist: try artists.setSortKey(id, key)
    case .album: try fragments.setTitleKey(id, key)
    case .albumArtist: try fragments.setArtistKey(id, key)
    case .genre: try genres.setSortKey(id, key)
    }
  }
}
