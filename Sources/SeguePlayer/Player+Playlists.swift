internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// Playlists and lyrics. A playlist's change is on disk before its answer.
extension Player {
  /// Makes a playlist of what `uris` stand for; of the queue without them.
  public func savePlaylist(
    _ name: String, _ uris: [String]?, replaces: Bool, then: @escaping Completion<PlaylistResult>
  ) {
    guard let uris else {
      // A hundred thousand of them are turned into lines on the other thread.
      let entries = queue.entries
      return library.accessPlaylists(
        { folder throws(Failure) in
          PlaylistResult(playlist: try folder.save(name, entries.map(NewPlaylistEntry.init), replaces: replaces))
        }, then: then)
    }
    collect(uris) { [weak self] entries, refusals in
      guard let self else { return }
      if entries.isEmpty, let refusal = refusals.listed.first { return then(.failure(refusal.failure)) }
      self.library.accessPlaylists(
        { folder throws(Failure) in
          let info = try folder.save(name, entries.map(NewPlaylistEntry.init), replaces: replaces)
          return PlaylistResult(playlist: info, failed: refusals)
        }, then: then)
    }
  }

  /// Adds what `uris` stand for before what is at `index` now, or at the end.
  public func addToPlaylist(
    _ name: String, _ uris: [String], at index: Int?, then: @escaping Completion<PlaylistResult>
  ) {
    collect(uris) { [weak self] entries, refusals in
      guard let self else { return }
      if entries.isEmpty, let refusal = refusals.listed.first { return then(.failure(refusal.failure)) }
      self.library.accessPlaylists(
        { folder throws(Failure) in
          let info = try folder.add(name, entries.map(NewPlaylistEntry.init), at: index)
          return PlaylistResult(playlist: info, failed: refusals)
        }, then: then)
    }
  }

  /// A file beside the track says more than the track: somebody put it there.
  public func lyrics(of uri: String, then: @escaping Completion<Lyrics>) {
    let media: MediaURI
    do { media = try MediaURI(uri) } catch { return then(.failure(error)) }
    guard case .file(let path, _) = media else {
      return then(.failure(Failure(.notFound, "\(uri): a stream, of which no lyrics are known")))
    }
    lyrics(of: media.uri, besideIt: path.lyricsFiles[...], then: then)
  }

  private func lyrics(of uri: String, besideIt files: ArraySlice<FilePath>, then: @escaping Completion<Lyrics>) {
    guard let file = files.first else { return embeddedLyrics(of: uri, then: then) }
    prober.lyrics(FileURI.encode(file)) { [weak self] result in
      switch result {
      case .success(let text?): then(.success(Lyrics(text, uri: uri, source: .file)))
      case .failure(let failure) where failure.kind != .notFound: then(.failure(failure))
      case .success(nil), .failure: self?.lyrics(of: uri, besideIt: files.dropFirst(), then: then)
      }
    }
  }

  private func embeddedLyrics(of uri: String, then: @escaping Completion<Lyrics>) {
    prober.lyrics(uri) { result in
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let text?): then(.success(Lyrics(text, uri: uri, source: .embedded)))
      case .success(nil):
        then(.failure(Failure(.notFound, "\(uri): no lyrics in it, and no .lrc file beside it")))
      }
    }
  }
}

extension NewPlaylistEntry {
  fileprivate init(_ entry: QueueEntry) {
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
