internal import CDictionary
internal import CFFmpeg
internal import SegueSystem
internal import SegueWire

/// An open container: the packets of its one audio stream, in order, and a way to go back and forth in it.
final class Demuxer {
  let context: UnsafeMutablePointer<AVFormatContext>
  let stream: UnsafeMutablePointer<AVStream>
  /// nil for network streams.
  let file: SourceFile?
  private let io: UnsafeMutablePointer<AVIOContext>?
  private var reconnection: ReconnectPolicy?

  /// Opens `file`, which came with `name`.
  init(file: SourceFile, name: String) throws(MediaError) {
    guard let io = file.makeContext(hiding: HiddenTags(file)) else { throw .unplayable("out of memory") }
    self.file = file
    self.io = io
    do {
      (context, stream) = try Self.open(name, file, io: io, interruption: nil, options: DemuxerOptions.file)
    } catch {
      segue_free_io(io)
      throw error
    }
  }

  /// Opens a network stream. `interruption` is asked, again and again, whether to give up.
  init(url: String, interruption: CommandInbox) throws(MediaError) {
    file = nil
    io = nil
    (context, stream) = try Self.open(
      DemuxerOptions.address(url), nil, io: nil, interruption: interruption, options: DemuxerOptions.network)
    reconnection = context.pointee.pb.map(ReconnectPolicy.init)
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
    if let io { segue_free_io(io) }
  }

  var timeBase: AVRational { stream.pointee.time_base }
  var parameters: AVCodecParameters { stream.pointee.codecpar.pointee }
  var formatName: String { String(cString: context.pointee.iformat.pointee.name) }

  /// Notes and samples, which the demuxer itself makes sound of: tracker modules, music of game consoles. A jump in them
  /// leads to some row, and leaves out what is still ringing there.
  var rendersNotes: Bool { ["libopenmpt", "libgme"].contains(formatName) }

  /// Whether timestamps count frames, whatever their rate, instead of time.
  var countsFrames: Bool { ["flac", "ogg", "aac", "mp3", "ac3", "eac3", "dts"].contains(formatName) }

  /// Whether timestamps begin anew within the file: a jump would lead to any of the links that have the timestamp.
  var isChained: Bool { formatName == "ogg" && file.map(OggPages.isChained) == true }

  /// A network stream that nobody can say the length of, or go back in.
  var isLive: Bool {
    file == nil && context.pointee.duration.timestamp == nil
      && (context.pointee.pb == nil || context.pointee.pb.pointee.seekable & AVIO_SEEKABLE_NORMAL == 0)
  }

  /// The next packet of the audio stream; false at the end.
  func read(_ packet: Packet) throws(MediaError) -> Bool {
    while true {
      segue_refill_dictionary_budget()
      let code = av_read_frame(context, packet.pointer)
      reconnection?.watch()
      if code < 0, reconnection?.isExhausted == true {
        throw .failed(Failure(.offline, "its server hangs up again and again"))
      }
      if code == segue_averror_eof || reconnection?.isEnd(code) == true { return false }
      if code == segue_averror_invalid_data { throw .damaged("it cannot be read any further") }
      if code < 0 { throw MediaError(code: code, doing: "read on in") }
      if packet.pointer.pointee.stream_index == stream.pointee.index { return true }
      packet.unref()
    }
  }

  /// Goes to the last place at or before `timestamp` where decoding can start. False if the container cannot.
  func seek(to timestamp: Int64) throws(MediaError) -> Bool {
    let code = av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD)
    if code == segue_averror_exit { throw .interrupted }
    return code >= 0
  }
}

extension Demuxer {
  private typealias Opened = (UnsafeMutablePointer<AVFormatContext>, UnsafeMutablePointer<AVStream>)

  private static func open(
    _ name: String, _ file: SourceFile?, io: UnsafeMutablePointer<AVIOContext>?, interruption: CommandInbox?,
    options: [(String, String)]
  ) throws(MediaError) -> Opened {
    var context = avformat_alloc_context()
    guard let made = context else { throw .unplayable("out of memory") }
    made.pointee.pb = io
    if let interruption { made.pointee.interrupt_callback = interruption.callback }
    segue_reset_dictionary_budget()
    var dictionary = OpaquePointer?.none
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    // On failure the context is freed and set to nil; an I/O context of ours is left to us.
    let code = avformat_open_input(&context, name, nil, &dictionary)
    av_dict_free(&dictionary)
    guard code >= 0, let opened = context else {
      throw MediaError(code: code, doing: "open", file)
    }
    do {
      return (opened, try chooseStream(of: opened))
    } catch {
      avformat_close_input(&context)
      throw error
    }
  }

  /// Formats whose headers say all that decoding needs. The others' streams have to be looked into, which reads on for
  /// several milliseconds, and opens decoders of its own.
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
    // A wave file is suspected to hold DTS in disguise, and searched for it up to here.
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
      guard let stream = context.pointee.streams[index], stream != chosen else { continue }
      stream.pointee.discard = AVDISCARD_ALL
    }
  }
}
