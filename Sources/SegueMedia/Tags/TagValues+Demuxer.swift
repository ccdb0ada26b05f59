// Decoding thread only.
internal import CFFmpeg
internal import Glibc

extension TagValues {
  /// What libavformat found. Ogg's comments are the stream's own; those go before the container's.
  mutating func collect(_ demuxer: Demuxer) {
    collect(demuxer.stream.pointee.metadata, rank: 3)
    collect(demuxer.context.pointee.metadata, rank: 4)
  }

  private mutating func collect(_ dictionary: OpaquePointer?, rank: Int) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      guard let key = next.pointee.key, let value = next.pointee.value else { continue }
      let bytes = UnsafeRawBufferPointer(start: value, count: strlen(value))
      add(UnsafeRawBufferPointer(start: key, count: strlen(key)), bytes, isBytes: false, rank: rank)
    }
  }
}
