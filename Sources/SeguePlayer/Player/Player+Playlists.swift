public import SegueCatalogService
internal import SegueFiles
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// Requests for playlists, lyrics and covers. A change of a playlist is on disk before the
/// response to its request.
extension Player {
  /// Saves the tracks of `uris` as a playlist, nil for those of the queue.
  public func savePlaylist(
    _ name: String, _ uris: [String]?, replaces: Bool, then: @escaping Completion<PlaylistResult>
  ) {
    guard let uris else {
      // A hundred thousand entries are converted on the other thread.
      let entries = queue.contents.entries
      return playlists.access(
        { folder throws(Failure) in
          PlaylistResult(playlist: try folder.save(name, entries.map(NewPlaylistEntry.init), replaces: replaces))
        }, then: then)
    }
    collect(uris) { [weak self] entries, refusals in
      guard let self else { return }
      if entries.isEmpty, let refusal = refusals.listed.first { return then(.failure(refusal.failure)) }
      self.playlists.access(
        { folder throws(Failure) in
          let info = try folder.save(name, entries.map(NewPlaylistEntry.init), replaces: replaces)
          return PlaylistResult(playlist: info, failed: refusals)
        }, then: then)
    }
  }

  /// Inserts the tracks of `uris` before the entry at `index`, nil for the end.
  public func addToPlaylist(
    _ name: String, _ uris: [String], at index: Int?, then: @escaping Completion<PlaylistResult>
  ) {
    collect(uris) { [weak self] entries, refusals in
      guard let self else { return }
      if entries.isEmpty, let refusal = refusals.listed.first { return then(.failure(refusal.failure)) }
      self.playlists.access(
        { folder throws(Failure) in
          let info = try folder.add(name, entries.map(NewPlaylistEntry.init), at: index)
          return PlaylistResult(playlist: info, failed: refusals)
        }, then: then)
    }
  }

  /// Finds the lyrics of a track. An `.lrc` file takes precedence over the lyrics in the track.
  public func lyrics(of uri: String, then: @escaping Completion<Lyrics>) {
    let media: MediaURI
    do { media = try MediaURI(uri) } catch { return then(.failure(error)) }
    guard case .file(let path, _) = media else {
      return then(.failure(Failure(.notFound, "\(uri): streams have no lyrics")))
    }
    lyrics(of: media.uri, in: path.lyricsFiles[...], then: then)
  }

  private func lyrics(of uri: String, in files: ArraySlice<FilePath>, then: @escaping Completion<Lyrics>) {
    guard let file = files.first else { return embeddedLyrics(of: uri, then: then) }
    prober.lyrics(FileURI.encode(file)) { [weak self] result in
      switch result {
      case .success(let text?): then(.success(Lyrics(text, uri: uri, source: .file)))
      case .failure(let failure) where failure.kind != .notFound: then(.failure(failure))
      case .success(nil), .failure: self?.lyrics(of: uri, in: files.dropFirst(), then: then)
      }
    }
  }

  private func embeddedLyrics(of uri: String, then: @escaping Completion<Lyrics>) {
    prober.lyrics(uri) { result in
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let text?): then(.success(Lyrics(text, uri: uri, source: .embedded)))
      case .success(nil):
        then(
          .failure(
            Failure(.notFound, "\(uri): no lyrics in the file, and no .lrc file with the same name beside it")))
      }
    }
  }

  /// Finds the cover of a track, or of an album (`segue:album/ID`); nil for the current track.
  public func art(
    of uri: String?, _ size: Art.Size, as format: Art.Format?, in group: CatalogRequestGroup,
    then: @escaping Completion<Art>
  ) {
    guard let uri = uri ?? queue.contents.currentEntry?.uri else { return then(.failure(noCurrentTrack)) }
    covers.find(uri, size, as: format, in: group, then: then)
  }
}

extension NewPlaylistEntry {
  fileprivate init(_ entry: PlayQueue.Entry) {
    self.init(uri: entry.uri, metadata: entry.metadata, duration: entry.duration)
  }

  fileprivate init(_ entry: NewEntry) {
    self.init(uri: entry.uri, metadata: entry.info.metadata, duration: entry.info.duration)
  }
}

extension Lyrics {
  fileprivate init(_ raw: String, uri: String, source: Source) {
    let text = LyricsText(raw)
    self.init(uri: uri, source: source, text: text.text, lines: text.lines)
  }
}
