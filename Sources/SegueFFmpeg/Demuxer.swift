internal import CDictionary
internal import CFFmpeg
internal import Glibc
package import SegueSystem
package import SegueWire
internal import SegueWorkerProtocol

/// An open container of libavformat. It returns the packets of one audio stream in order, and can seek.
package final class Demuxer {
  private let context: UnsafeMutablePointer<AVFormatContext>
  let stream: UnsafeMutablePointer<AVStream>
  /// The file, which may be on a server; nil for other network streams.
  package let file: FileInput?
  private let io: IOContext
  /// The network stream; nil for a file. `context` is closed before the input is released.
  private let input: StreamInput?
  /// The last ID3 tag between the packets of the audio stream.
  private var timedMetadata: [UInt8]?
  /// The reason why a part of the stream, such as a segment of HLS, was left out because it could not be read;
  /// nil before the end of the stream, and if nothing was left out.
  package private(set) var omission: Failure?

  /// Opens `file`, whose name is `name`. libavformat reads the bytes of `replacements` instead of those in the file. If
  /// opening fails, `diagnose` may find a better reason in the bytes of the file.
  /// - Parameter format: The name of the format; nil if the bytes decide.
  package init(
    file: FileInput, name: String, format: String?, applying replacements: [FileInput.Replacement],
    diagnose: (FileInput) -> Failure?
  ) throws(MediaError) {
    io = try file.makeContext(applying: replacements)
    guard let context = avformat_alloc_context() else { throw .unplayable("out of memory") }
    self.file = file
    input = nil
    do {
      (self.context, stream) = try Self.open(context, name, format, io: io, options: DemuxerOptions.file) {
        diagnose(file)
      }
    } catch {
      throw file.takeError() ?? error
    }
  }

  /// Opens a network stream.
  package init(_ input: StreamInput) throws(MediaError) {
    guard let context = avformat_alloc_context() else { throw .unplayable("out of memory") }
    do {
      io = try input.makeContext(for: context)
    } catch {
      avformat_free_context(context)
      throw error
    }
    file = nil
    self.input = input
    do {
      // libavformat recognises only manifests whose URL ends in "m3u8".
      let format = input.manifest == nil ? nil : "hls"
      (self.context, stream) = try Self.open(context, input.name, format, io: io, options: DemuxerOptions.stream) {
        nil
      }
    } catch {
      input.closeParts()
      throw input.takeError() ?? Self.reason(for: error, of: input)
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
    input?.closeParts()
  }

  /// Returns the reason why `input` cannot be read. The demuxer of MP4 calls a file damaged if it cannot go back to the
  /// audio before the index.
  private static func reason(for error: MediaError, of input: StreamInput?) -> MediaError {
    guard case .failed(let failure) = error, failure.kind == .damaged || failure.kind == .unplayable,
      let input, input.size != nil, !input.isSeekable
    else { return error }
    return .failed(
      Failure(
        failure.kind, "\(failure.localizableMessage); its server cannot send parts of a file, which some formats need"))
  }

  private func takeError() -> MediaError? { input?.takeError() ?? file?.takeError() }

  /// Whether a read has failed or was interrupted, which libavformat may remember.
  package var hasReadError: Bool { (context.pointee.pb?.pointee.error ?? 0) != 0 || file?.hasError == true }

  /// Reads the next packet of the audio stream. Returns false at the end.
  package func read(_ packet: Packet) throws(MediaError) -> Bool {
    while true {
      segue_refill_dictionary_budget()
      let code = av_read_frame(context, packet.pointer)
      // Some demuxers return a part of a packet if the rest of it cannot be read.
      if file?.hasChanged == true, let error = takeError() {
        packet.unref()
        throw error
      }
      if code == segue_averror_eof, let failure = input?.takeOmission() {
        omission = failure
        return false
      }
      if code < 0, let error = takeError() { throw error }
      if code == segue_averror_eof { return false }
      if code == segue_averror_invalid_data {
        throw Self.reason(for: .damaged("the rest of it cannot be read"), of: input)
      }
      if code < 0 { throw MediaError(code: code, doing: "read on in") }
      input?.recordPacket()
      let index = packet.pointer.pointee.stream_index
      if index == stream.pointee.index { return true }
      if let other = context.pointee.streams[Int(index)], Self.isTimedMetadata(other) {
        timedMetadata = Array(packet.bytes)
      }
      packet.unref()
    }
  }

  /// Asks the kernel to read a local file ahead of what libavformat has read.
  package func readAhead() { file?.readAhead(of: io.position, count: readAheadSize) }

  /// Whether the bytes that follow those that libavformat has read are in memory, for two seconds or more. False at the
  /// end of the file: what follows it may be slow.
  package var isCached: Bool {
    guard let file, let size = file.size else { return false }
    let twoSeconds = bytesPerSecond > 0 ? bytesPerSecond * 2 : Double(readAheadSize)
    return Double(size - io.position) >= twoSeconds && file.isCached(at: io.position, count: readAheadSize)
  }

  /// The number of bytes to read ahead of the decoder: two seconds of audio, and enough for the reads of the container.
  private var readAheadSize: Int64 { Int64(min(max(Double(512 << 10), bytesPerSecond * 2), Double(8 << 20))) }

  /// The number of bytes of a second of the file on average; 0 if the size or the duration is not known. Few formats
  /// state the bit rate of the file.
  private var bytesPerSecond: Double {
    guard let size = file?.size, let microseconds = containerDuration, microseconds > 0 else { return 0 }
    return Double(size) / (Double(microseconds) / 1_000_000)
  }

  /// Allows seeks by bit rate or by a table of contents, after which the position is approximate.
  package func allowApproximateSeeks() { context.pointee.flags |= AVFMT_FLAG_FAST_SEEK }

  /// Takes the last ID3 tag that the container had between the packets of the audio stream.
  package func takeTimedMetadata() -> [UInt8]? {
    defer { timedMetadata = nil }
    return timedMetadata
  }

  private static func isTimedMetadata(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_TIMED_ID3
  }

  /// Seeks to the last position at or before `timestamp` at which decoding can start. Returns false if the container is
  /// not seekable.
  package func seek(to timestamp: Int64) throws(MediaError) -> Bool {
    let code = av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD)
    if code < 0, let error = takeError() { throw error }
    return code >= 0
  }

  /// Continues with the packet at or after the byte `offset` of the file. The packets have no timestamps from there on.
  package func seek(toByte offset: Int64) throws(MediaError) {
    let code = av_seek_frame(context, stream.pointee.index, offset, AVSEEK_FLAG_BYTE)
    if code < 0 { throw takeError() ?? MediaError(code: code, doing: "read on in") }
  }

  /// Adds a packet's offset and timestamp to the index that libavformat uses for seeking.
  package func addIndexEntry(offset: Int64, timestamp: Int64) {
    av_add_index_entry(stream, offset, timestamp, 0, 0, AVINDEX_KEYFRAME)
  }
}

// MARK: Properties of the container and of the stream
extension Demuxer {
  package var timeBase: TimeBase { TimeBase(stream.pointee.time_base) }
  package var codec: Codec { Codec(id: parameters.codec_id) }
  package var formatName: String { String(cString: context.pointee.iformat.pointee.name) }
  var parameters: AVCodecParameters { stream.pointee.codecpar.pointee }

  /// The identifier of the audio stream in the container.
  package var streamID: Int32 { stream.pointee.id }
  package var streamCount: Int { Int(context.pointee.nb_streams) }
  /// The duration that the container states for the audio stream, in its time base.
  package var streamDuration: Int64? {
    // The stated duration is that of the rest.
    input.map { $0.beginning > .zero } == true ? nil : stream.pointee.duration.timestamp
  }
  /// The duration that the container states for all streams, in microseconds.
  package var containerDuration: Int64? {
    guard let duration = context.pointee.duration.timestamp else { return nil }
    return duration.addingReportingOverflow((input?.beginning.nanoseconds ?? 0) / 1000).partialValue
  }
  package var statedSampleRate: Int64 { Int64(parameters.sample_rate) }
  package var statedChannelCount: Int64 { Int64(parameters.ch_layout.nb_channels) }
  /// The bits of a sample that STREAMINFO of a FLAC stream states (RFC 9639, 8.2); nil for other codecs.
  package var flacSampleSize: Int? { flacInfo.map { Int($0[12] & 1) << 4 + Int($0[13] >> 4) + 1 } }
  /// The samples in a block that STREAMINFO of a FLAC stream states; nil for other codecs.
  package var flacBlockSize: Int64? { flacInfo.map { Int64($0[0]) << 8 | Int64($0[1]) } }
  private var flacInfo: UnsafeMutablePointer<UInt8>? {
    parameters.codec_id == AV_CODEC_ID_FLAC && parameters.extradata_size >= 34 ? parameters.extradata : nil
  }
  /// The number of bytes of a frame of uncompressed audio.
  package var blockAlign: Int64 { Int64(parameters.block_align) }
  /// The stated bit rate of the stream or, if it has none, of the container.
  package var statedBitRate: Int64? { [parameters.bit_rate, context.pointee.bit_rate].first { $0 > 0 } }

  /// Whether the demuxer synthesizes the sound from notes and samples, as for tracker modules and the music of game
  /// consoles. A seek in such a file goes to a row of notes, and omits earlier notes that still sound there.
  package var rendersNotes: Bool { ["libopenmpt", "libgme"].contains(formatName) }

  /// Whether timestamps count frames. If the rate changes within the file, such timestamps do not state the time.
  package var countsFrames: Bool { ["flac", "ogg", "aac", "mp3", "ac3", "eac3", "dts"].contains(formatName) }

  /// Whether the server or the container allows seeking in a network stream.
  package var isConnectionSeekable: Bool {
    (context.pointee.pb?.pointee.seekable ?? 0) & AVIO_SEEKABLE_NORMAL != 0
  }

  /// Whether the source consists of segments that were recorded before, among which the demuxer seeks.
  package var seeksInSegments: Bool {
    formatName == "hls" && containerDuration != nil
  }

  /// Whether the source consists of fragments of MP4, among which libavformat does not find a position: its demuxer of
  /// MP4 keeps the index of the previous fragment (FFmpeg 5.1).
  package var hasFragments: Bool { input?.manifest == .fragments }

  /// Whether the source is a network stream of unknown duration and size that is not seekable. The size of a manifest
  /// is not that of the stream.
  package var hasUnknownEnd: Bool {
    guard let input, containerDuration == nil, !isConnectionSeekable else { return false }
    return input.size == nil || input.manifest != nil
  }

  /// Whether the source goes on for ever: it is a station, or its manifest is continued. Some servers do not state the
  /// size of a recording.
  package var isLive: Bool { hasUnknownEnd && (input?.isStation == true || input?.manifest != nil) }
}

// MARK: Metadata
extension Demuxer {
  /// The part of a file that tags belong to.
  package enum MetadataScope {
    case container, stream
  }

  /// Calls `body` with the key and the value of each tag that libavformat found.
  package func forEachTag(
    of scope: MetadataScope, _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    let dictionary =
      switch scope {
      case .container: context.pointee.metadata
      case .stream: stream.pointee.metadata
      }
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      guard let key = next.pointee.key, let value = next.pointee.value else { continue }
      body(
        UnsafeRawBufferPointer(start: key, count: strlen(key)),
        UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
  }

  /// Returns at most `limit` chapters of the container in its order. The titles are unchecked.
  package func chapters(limit: Int) -> [(title: String, start: MediaTime)] {
    UnsafeBufferPointer(start: context.pointee.chapters, count: Int(context.pointee.nb_chapters)).prefix(limit)
      .compactMap { chapter in
        guard let chapter else { return nil }
        let start = av_rescale_q(
          chapter.pointee.start, chapter.pointee.time_base, AVRational(num: 1, den: 1_000_000_000))
        let title = av_dict_get(chapter.pointee.metadata, "title", nil, 0).flatMap { $0.pointee.value }
        return (title.map { String(cString: $0) } ?? "", MediaTime(nanoseconds: start))
      }
  }

  /// The first attached picture. The bytes are valid during the lifetime of the demuxer.
  package var attachedPicture: UnsafeRawBufferPointer? {
    for index in 0..<streamCount {
      guard let stream = context.pointee.streams[index],
        stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, let data = stream.pointee.attached_pic.data,
        stream.pointee.attached_pic.size > 0
      else { continue }
      return UnsafeRawBufferPointer(start: data, count: Int(stream.pointee.attached_pic.size))
    }
    return nil
  }

  /// Whether the tags of the stream have changed since the last call of `acknowledgeMetadataUpdate`, as at a new link
  /// of an Ogg stream.
  package var hasMetadataUpdate: Bool { stream.pointee.event_flags & AVSTREAM_EVENT_FLAG_METADATA_UPDATED != 0 }

  package func acknowledgeMetadataUpdate() { stream.pointee.event_flags &= ~AVSTREAM_EVENT_FLAG_METADATA_UPDATED }
}

// MARK: Opening
extension Demuxer {
  private typealias Opened = (UnsafeMutablePointer<AVFormatContext>, UnsafeMutablePointer<AVStream>)

  /// - Parameter format: The name of the format; nil if the bytes decide.
  private static func open(
    _ created: UnsafeMutablePointer<AVFormatContext>, _ name: String, _ format: String? = nil, io: IOContext,
    options: [(String, String)], diagnose: () -> Failure?
  ) throws(MediaError) -> Opened {
    var context: UnsafeMutablePointer<AVFormatContext>? = created
    created.pointee.pb = io.pointer
    segue_reset_dictionary_budget()
    var dictionary = OpaquePointer?.none
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    // If this fails, it frees the context and sets it to nil. It does not free our I/O context.
    let code = avformat_open_input(&context, name, format.flatMap { av_find_input_format($0) }, &dictionary)
    av_dict_free(&dictionary)
    guard code >= 0, let opened = context else {
      throw MediaError(openingFailedWith: code, diagnose: diagnose)
    }
    do {
      return (opened, try chooseStream(of: opened))
    } catch {
      avformat_close_input(&context)
      throw error
    }
  }

  /// The formats whose headers state everything that decoding needs. For other formats libavformat must analyse the
  /// streams, which takes several milliseconds of reading ahead and opens decoders.
  private static let selfDescribing: Set<String> = [
    "wav", "flac", "mov,mp4,m4a,3gp,3g2,mj2", "mp3", "ogg", "aiff", "wv", "ape", "mpc", "mpc8", "tta", "dsf", "caf",
    "matroska,webm", "asf", "w64", "au",
  ]

  private static func chooseStream(
    of context: UnsafeMutablePointer<AVFormatContext>
  ) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
    let streams = UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
    let audible = streams.compactMap { $0 }.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    let name = String(cString: context.pointee.iformat.pointee.name)
    // libavformat searches a WAV file for DTS in place of PCM. This limits the search.
    if name == "wav" { context.pointee.probesize = 16 * 1024 }
    if audible.count == 1, let only = audible.first, selfDescribing.contains(name) {
      discardAll(of: context, but: only)
      return only
    }
    let code = avformat_find_stream_info(context, nil)
    if code == segue_averror_exit { throw .interrupted }
    let best = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard best >= 0, let chosen = context.pointee.streams?[Int(best)] else {
      throw .unplayable("no audio stream")
    }
    discardAll(of: context, but: chosen)
    return chosen
  }

  private static func discardAll(
    of context: UnsafeMutablePointer<AVFormatContext>, but chosen: UnsafeMutablePointer<AVStream>
  ) {
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index], stream != chosen, !isTimedMetadata(stream) else { continue }
      stream.pointee.discard = AVDISCARD_ALL
    }
  }
}

/// The options with which libavformat opens files and streams. The protocol allow-list is a second line of defence
/// behind the sandbox: if a container refers to other files or addresses, as a playlist or a reference movie does,
/// there is no protocol with which libavformat could open them.
enum DemuxerOptions {
  /// No protocol has the name "none". All bytes of a file come through its descriptor.
  static let file = [("protocol_whitelist", "none")]

  /// All bytes of a stream and of its parts come through `StreamInput`. The HLS demuxer must not use its context again
  /// for the next segment, because that is possible only with the contexts of libavformat, and may open the next
  /// segment while it reads one. The fetch process decides what is requested, so segments may have any name: since
  /// FFmpeg 7.1.1 the demuxer refuses those with an unusual extension.
  static let stream = [
    ("protocol_whitelist", "none"), ("http_persistent", "0"), ("http_multiple", "1"), ("extension_picky", "0"),
    ("allowed_extensions", "ALL"), ("allowed_segment_extensions", "ALL"),
  ]
}
