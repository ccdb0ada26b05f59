// Thread: the decoding thread.
internal import CTagLib
internal import SegueFFmpeg
internal import SegueSystem

/// A file that is read by TagLib. If TagLib takes too many reads, too many bytes or too much CPU time, its tags are not
/// used.
final class TagLibFile {
  private let handle: OpaquePointer
  let format: FileFormat
  private let section: Section

  /// Returns nil if TagLib cannot read the file, or is not needed for it. If `audio` is true, also reads the audio
  /// properties.
  init?(_ file: FileInput, _ format: FileFormat, audio: Bool) {
    guard let size = file.size, let kind = Self.kind(format.kind, audio: audio) else { return nil }
    let section = Section(file, from: format.audioStart)
    // Proof: this object, which closes the handle, keeps the section.
    guard
      let handle = segue_tags_open(
        kind, size - format.audioStart, readSection, Unmanaged.passUnretained(section).toOpaque(), audio ? 1 : 0)
    else { return nil }
    guard !section.isExhausted else {
      segue_tags_close(handle)
      return nil
    }
    self.handle = handle
    self.format = format
    self.section = section
  }

  deinit { segue_tags_close(handle) }

  /// Returns TagLib's kind of a format; nil for formats that are read without TagLib.
  private static func kind(_ kind: FileFormat.Kind, audio: Bool) -> segue_tags_kind? {
    switch kind {
    case .flac: SEGUE_TAGS_FLAC
    case .vorbis: SEGUE_TAGS_VORBIS
    case .opus: SEGUE_TAGS_OPUS
    case .speex: SEGUE_TAGS_SPEEX
    case .oggFLAC: SEGUE_TAGS_OGG_FLAC
    case .mp4: SEGUE_TAGS_MP4
    case .asf: SEGUE_TAGS_ASF
    case .wave: audio ? SEGUE_TAGS_WAV : nil
    case .aiff: audio ? SEGUE_TAGS_AIFF : nil
    case .wavPack: audio ? SEGUE_TAGS_WAVPACK : nil
    case .mpeg, .dsf, .dsdiff, .monkeysAudio, .musepack, .trueAudio: nil
    }
  }

  /// The audio properties in the headers. They are empty unless the file was opened with `audio`.
  var audio: AudioProperties { AudioProperties(segue_tags_headers(handle)) }

  var hasPicture: Bool { segue_tags_picture(handle, nil) > 0 }

  /// Calls `body` with the cover, which is empty if there is none.
  func withPicture<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var bytes: UnsafeRawPointer?
    let count = segue_tags_picture(handle, &bytes)
    return body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  /// Adds all texts to `values`.
  func collect(into values: inout TagValues) {
    withUnsafeMutablePointer(to: &values) { segue_tags_each(handle, addText, $0) }
  }

  /// Whether TagLib exceeded its limits. Its tags may then be incomplete.
  var isExhausted: Bool { section.isExhausted }

  /// Returns the genre with a number in ID3v1's list; nil if there is none.
  static func genre(_ number: Int32) -> String? {
    guard number >= 0 else { return nil }
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = segue_tags_genre(number, buffer.baseAddress, buffer.count)
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
    }
    return name.isEmpty ? nil : name
  }

  /// The part of a file that TagLib may read, with a limit on CPU time. The C++ parser cannot be interrupted, but it
  /// ends at what seems to be the end of the file.
  fileprivate final class Section {
    private let file: FileInput
    private let start: Int64
    private var reads = 0
    private let deadline = ThreadCPUTime.now + Section.maximumTime
    private var isLate = false

    /// The maximum CPU time, which is less than the time for which PCM is decoded ahead.
    private static let maximumTime = MediaTime.milliseconds(250)

    init(_ file: FileInput, from start: Int64) {
      self.file = file
      self.start = start
    }

    var isExhausted: Bool { isLate || file.exceedsTagLimit }

    func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
      reads += 1
      if reads.isMultiple(of: 64), ThreadCPUTime.now > deadline { isLate = true }
      return isLate ? 0 : file.readingTags { file.peek(at: start + position, into: target) }
    }
  }
}

// TagLib calls this function on the decoding thread, within a call of a `TagLibFile` that keeps the `Section` alive.
private nonisolated func readSection(
  context: UnsafeMutableRawPointer?, position: Int64, target: UnsafeMutableRawPointer?, count: Int
) -> Int {
  guard let context else { return 0 }
  let section = Unmanaged<TagLibFile.Section>.fromOpaque(context).takeUnretainedValue()
  return section.read(at: position, into: UnsafeMutableRawBufferPointer(start: target, count: count))
}

// TagLib calls this function within `collect`, which lends the memory of `context`.
private nonisolated func addText(
  context: UnsafeMutableRawPointer?, isLost: Int32, key: UnsafePointer<CChar>?, keySize: Int,
  value: UnsafePointer<CChar>?, valueSize: Int
) {
  context?.assumingMemoryBound(to: TagValues.self).pointee.add(
    UnsafeRawBufferPointer(start: key, count: keySize), UnsafeRawBufferPointer(start: value, count: valueSize),
    rank: isLost != 0 ? -1 : 0)
}

/// The properties of the audio that the headers of a file state. A property that they do not state is 0.
struct AudioProperties {
  enum Codec {
    case other, aac, alac, pcm, littleEndianPCM, float, wma1, wma2
  }

  var sampleRate = 0
  var channelCount = 0
  var bitsPerSample = 0
  /// The bit rate in kilobits per second.
  var bitRate = 0
  var codec = Codec.other
  var milliseconds = 0
  var frames: Int64 = 0
  /// Whether an Ogg file has several streams, one after the other.
  var isChained = false
}

extension AudioProperties {
  fileprivate init(_ audio: segue_tags_audio) {
    sampleRate = Int(audio.sample_rate)
    channelCount = Int(audio.channels)
    bitsPerSample = Int(audio.bits_per_sample)
    bitRate = Int(audio.bit_rate)
    codec =
      switch audio.codec {
      case SEGUE_CODEC_AAC: .aac
      case SEGUE_CODEC_ALAC: .alac
      case SEGUE_CODEC_PCM: .pcm
      case SEGUE_CODEC_PCM_LITTLE: .littleEndianPCM
      case SEGUE_CODEC_FLOAT: .float
      case SEGUE_CODEC_WMA1: .wma1
      case SEGUE_CODEC_WMA2: .wma2
      default: .other
      }
    milliseconds = Int(audio.milliseconds)
    frames = audio.frames
    isChained = audio.is_chained != 0
  }
}
