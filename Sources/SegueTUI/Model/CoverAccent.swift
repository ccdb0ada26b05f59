internal import SegueSystem
internal import SegueWire

/// The colour of the cover of the current track, which may take the place of the accent of the theme.
struct CoverAccent {
  /// The picture that the colour belongs to, or whose colour is being read.
  private var path: FilePath?
  /// The colour; nil for the accent of the theme. It stays while that of the next track is being read.
  private(set) var color: RGBColor?

  /// Returns the picture whose colour has to be read; nil if that is known, or if there is no picture.
  mutating func prepare(_ art: Art?) -> FilePath? {
    guard let path = art.map({ FilePath($0.path) }), path != self.path else { return nil }
    self.path = path
    return path
  }

  /// Takes over the colour of a picture.
  mutating func receive(_ color: RGBColor?, of path: FilePath) {
    if path == self.path { self.color = color }
  }

  /// Takes over that the track has no cover.
  mutating func reset() { (path, color) = (nil, nil) }
}

extension SharedState {
  /// Whether the accent is a colour of the cover. The palette without colours has no accent.
  var takesAccentFromCover: Bool { configuration.takesAccentFromCover && appearance.isColored }

  /// Returns the requests for the colour of the cover of the current track.
  mutating func prepareAccent() -> [InterfaceRequest] {
    guard takesAccentFromCover, isConnected else { return [] }
    guard let uri = status?.track?.uri else {
      coverAccent.reset()
      return []
    }
    let wanted = WantedCover(uri: uri, size: .small, format: .ppm)
    let calls = covers.prepare([wanted], at: now).map { InterfaceRequest.call(.cover($0)) }
    if covers.isMissing(wanted) { coverAccent.reset() }
    return calls + (coverAccent.prepare(covers.art(for: wanted)).map { [.readColor($0)] } ?? [])
  }
}
