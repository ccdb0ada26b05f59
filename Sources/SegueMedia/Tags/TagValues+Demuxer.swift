// Decoding thread only.
internal import CFFmpeg
internal import Glibc

extension TagValues {
  /// Above those of all tags that are read without libavformat.
  private static let demuxerRank = 100

  /// Collects the tags that libavformat has found.
  mutating func collect(_ demuxer: Demuxer) {
    // A video's container has the title of the whole, and its streams have names of their own. In Ogg the stream's
    // comments are all there is.
    let isContainerFirst = demuxer.formatName == "matroska,webm"
    collect(demuxer.context.pointee.metadata, rank: Self.demuxerRank + (isContainerFirst ? 0 : 1))
    collect(demuxer.stream.pointee.metadata, rank: Self.demuxerRank + (isContainerFirst ? 1 : 0))
  }

  private mutating func collect(_ dictionary: OpaquePointer?, rank: Int) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      guard let key = next.pointee.key, let value = next.pointee.value else { continue }
      let bytes = UnsafeRawBufferPointer(start: value, count: strlen(value))
      add(UnsafeRawBufferPointer(start: key, count: strlen(key)), bytes, rank: rank)
    }
  }
}
