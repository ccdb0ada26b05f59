internal import CPulse

/// The options of a new stream.
struct StreamOptions {
  /// The name of the sink; nil for the server's default.
  var device: String?
  /// The volume; nil for the one that the server remembers for this application.
  var volume: Volume?
  var muted: Bool
  var properties: TrackProperties
}

/// The properties of a track that mixers show for a stream.
struct TrackProperties: Equatable {
  var title: String?
  var artist: String?
  var file: String?

  /// Returns a property list, which the caller frees. Unknown properties are empty, so that they replace those of the
  /// previous track.
  func list() -> OpaquePointer? {
    let list = pa_proplist_new()
    let name = [artist, title ?? file].compactMap { $0 }.joined(separator: " – ")
    pa_proplist_sets(list, PA_PROP_MEDIA_NAME, name.isEmpty ? "Music" : name)
    pa_proplist_sets(list, PA_PROP_MEDIA_TITLE, title ?? "")
    pa_proplist_sets(list, PA_PROP_MEDIA_ARTIST, artist ?? "")
    pa_proplist_sets(list, PA_PROP_MEDIA_FILENAME, file ?? "")
    return list
  }
}
