internal import CFFmpeg
internal import SegueWire

/// What a container and its stream say in their tags, as `Metadata`.
struct MetadataReader {
  /// Longest text passed on, in bytes of UTF-8: a tag may hold megabytes.
  private static let longest = 4 * 1024

  private var tags: [String: String] = [:]

  /// The stream's own tags (Ogg's comments are there) go before the container's.
  init(_ demuxer: Demuxer) {
    collect(demuxer.context.pointee.metadata)
    collect(demuxer.stream.pointee.metadata)
  }

  var metadata: Metadata {
    var result = Metadata()
    result.title = self["title"]
    result.artist = self["artist"]
    result.album = self["album"]
    result.albumArtist = self["album_artist", "albumartist", "album artist"]
    result.composer = self["composer"]
    return result
  }

  private subscript(names: String...) -> String? { names.lazy.compactMap { tags[$0] }.first }

  private mutating func collect(_ dictionary: OpaquePointer?) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      guard let key = next.pointee.key, let value = next.pointee.value else { continue }
      let text = String(cString: value)
      if !text.isEmpty { tags[String(cString: key).lowercased()] = text }
    }
  }
}
