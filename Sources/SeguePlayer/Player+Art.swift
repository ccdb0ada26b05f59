internal import SegueLibrary
internal import SegueLoop
public import SegueWire

extension Player {
  /// The cover of a track, or of an album (`segue:album/ID`); of the current track, if `uri` is nil.
  public func art(of uri: String?, _ size: Art.Size, asPNG: Bool, then: @escaping Completion<Art>) {
    guard let uri = uri ?? queue.currentEntry?.uri else {
      return then(.failure(noCurrentTrack))
    }
    covers.find(uri, size, asPNG: asPNG, then: then)
  }

  /// Has the cover of the current track looked for, once for each and one at a time: those of tracks that were passed
  /// meanwhile are not looked for. Nobody waits for it.
  func followArt() {
    let uri = queue.currentEntry?.uri
    guard uri != artwork.track else { return }
    artwork.cover = nil
    guard !artwork.isSought else { return }
    artwork.track = uri
    guard let uri, case .file = try? MediaURI(uri) else { return }
    artwork.isSought = true
    covers.find(uri, .medium, asPNG: false) { [weak self] result in
      guard let self else { return }
      self.artwork.isSought = false
      if self.queue.currentEntry?.uri == uri, case .success(let art) = result {
        self.artwork.cover = art.uri
        self.note(.player)
      }
      self.followArt()
    }
  }
}
