// Decoding thread only.
internal import CFFmpeg
internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension Demuxer {
  /// The container's chapters, in its order.
  var chapters: [Chapter] {
    UnsafeBufferPointer(start: context.pointee.chapters, count: Int(context.pointee.nb_chapters)).prefix(
      Chapter.maximumCount
    )
    .compactMap { chapter in
      guard let chapter else { return nil }
      let start = av_rescale_q(
        chapter.pointee.start, chapter.pointee.time_base, AVRational(num: 1, den: 1_000_000_000))
      let title = av_dict_get(chapter.pointee.metadata, "title", nil, 0).flatMap { $0.pointee.value }
      return Chapter(
        title: title.map { TagText.mended(String(cString: $0)) } ?? "", start: MediaTime(nanoseconds: start))
    }
  }

  /// A picture that is no video. Valid as long as the demuxer.
  var attachedPicture: UnsafeRawBufferPointer? {
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index],
        stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, let data = stream.pointee.attached_pic.data,
        stream.pointee.attached_pic.size > 0
      else { continue }
      return UnsafeRawBufferPointer(start: data, count: Int(stream.pointee.attached_pic.size))
    }
    return nil
  }
}
