// Thread: the decoding thread.
package import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

extension Demuxer {
  /// Opens `file`, whose name is `name`. Tags that would take libavformat too long, and sizes and lists that it
  /// misreads, are hidden from it.
  package convenience init(file: FileInput, name: String) throws(MediaError) {
    if let failure = ForeignContent.refusal(of: file) ?? FileDiagnosis(file).encryption { throw .failed(failure) }
    let replacements =
      HiddenTags(file).replacements + FragmentedEditLists.replacements(file) + AudioChunk.replacements(file)
      + CAFHeader.replacements(file) + MusepackBlocks.replacements(file)
    let format = DTSInWave.isIn(file) ? "dts" : nil
    try self.init(file: file, name: name, format: format, applying: replacements) { FileDiagnosis($0).failureToOpen }
  }

  /// Whether timestamps restart within the file, as in a chained Ogg file, whose links are streams one after another. A
  /// seek would go to any of the links that contain the timestamp.
  package var isChained: Bool { formatName == "ogg" && file.map(OggPages.isChained) == true }

  /// The chapters of the container in its order.
  var chapters: [Chapter] {
    chapters(limit: Chapter.maximumCount).map { Chapter(title: TagText.cleaned($0.title), start: $0.start) }
  }
}

extension TagValues {
  /// The rank of libavformat's tags, which is below that of all tags that are read without it.
  private static let demuxerRank = 100

  /// Adds the tags that libavformat found.
  mutating func collect(_ demuxer: Demuxer) {
    // A video's container states the title of the whole, and its streams have titles of their own. In Ogg, only the
    // stream has comments.
    let isContainerFirst = demuxer.formatName == "matroska,webm"
    collect(demuxer, .container, rank: Self.demuxerRank + (isContainerFirst ? 0 : 1))
    collect(demuxer, .stream, rank: Self.demuxerRank + (isContainerFirst ? 1 : 0))
  }

  private mutating func collect(_ demuxer: Demuxer, _ scope: Demuxer.MetadataScope, rank: Int) {
    demuxer.forEachTag(of: scope) { key, value in add(key, value, rank: rank) }
  }
}
