internal import CPulse

/// What mixers show of a stream.
struct TrackProperties: Equatable {
  var title: String?
  var artist: String?
  var file: String?

  /// The caller frees it. What is unknown is empty, so that it replaces what was known of the track before.
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
