// On the thread "index" only.

internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// The part of an album that a track belongs to.
extension LibraryWriter {
  /// Fills in `part` and `place`. A part that is new takes the album's number from where the track was before, so that
  /// a corrected title makes no other album.
  func findPart(_ row: inout TrackRow, _ keys: SortKeys, instead old: TrackRow?) throws(StoreError) {
    let found: CachedAlbumFragment
    if let lastPart, lastPart.holds(for: row, keys) {
      found = lastPart
    } else {
      found = try findPart(of: row, keys, claiming: old?.part)
      lastPart = found
    }
    row.part = found.number

    let disc = Int64((row.metadata.disc ?? found.disc ?? 1).clamped(to: 0...9999))
    // Behind those that have a number those whose name has one, and then the rest.
    let number =
      row.metadata.track.map { $0.clamped(to: 0...0xFF_FFFF) }
      ?? NameNormalization.leadingNumber(row.name).map { 0x100_0000 + $0 } ?? 0x200_0000
    row.place = disc << 32 | Int64(number)
  }

  private func findPart(of row: TrackRow, _ keys: SortKeys, claiming old: Int64?) throws(StoreError)
    -> CachedAlbumFragment
  {
    let home = try home(ofFolder: row.folder)
    let (title, titleDisc) = NameNormalization.withoutDisc(row.metadata.album ?? "")
    var place = PartPlace(folder: home.part, titleFold: NameNormalization.fold(title), artistFold: "")
    if !place.titleFold.isEmpty {
      place.artistFold = NameNormalization.fold(row.metadata.albumArtist ?? "")
      if NameNormalization.isVarious(place.artistFold)
        || (place.artistFold.isEmpty && row.flags.contains(.isCompilation))
      {
        place.artistFold = NameNormalization.various
      }
    }
    let number = try part(place, title, keys, claiming: old)
    return CachedAlbumFragment(row, keys, number: number, disc: home.disc ?? titleDisc)
  }

  private func part(
    _ place: PartPlace, _ title: String, _ keys: SortKeys, claiming old: Int64?
  ) throws(StoreError) -> Int64 {
    if let id = parts[place] { return id }
    let find = try connection.statement(
      "SELECT id, title_key FROM part WHERE folder = ? AND title_fold = ? AND artist_fold = ?")
    find.bind(1, place.folder)
    find.bind(2, place.titleFold)
    find.bind(3, place.artistFold)
    defer { find.reset() }
    let titleKey = keys.album.isEmpty ? SortKeys.byLetters(title) : keys.album
    let artistKey = place.artistFold == NameNormalization.various ? [0xFF] : keys.albumArtist
    if try find.step() {
      let id = find.integer(0) ?? 0
      if !keys.album.isEmpty, find.blob(1) != titleKey {
        let update = try connection.statement("UPDATE part SET title_key = ?, artist_key = ? WHERE id = ?")
        update.bind(1, blob: titleKey)
        update.bind(2, blob: artistKey)
        update.bind(3, id)
        try update.run()
      }
      parts[place] = id
      return id
    }
    let insert = try connection.statement(
      """
      INSERT INTO part (folder, title_fold, artist_fold, title, title_key, artist_key, album)
      VALUES (?, ?, ?, ?, ?, ?, (SELECT album FROM part WHERE id = ?))
      """)
    insert.bind(1, place.folder)
    insert.bind(2, place.titleFold)
    insert.bind(3, place.artistFold)
    insert.bind(4, title)
    insert.bind(5, blob: titleKey)
    insert.bind(6, blob: artistKey)
    insert.bind(7, place.titleFold.isEmpty ? nil : old)
    try insert.run()
    let id = connection.lastRow
    if keys.album.isEmpty { try noteUnsorted(.album, id) }
    if keys.albumArtist.isEmpty { try noteUnsorted(.albumArtist, id) }
    parts[place] = id
    return id
  }
}
