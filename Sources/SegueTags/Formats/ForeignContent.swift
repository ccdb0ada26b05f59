// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The content of a file that has no audio which FFmpeg decodes, recognised by its first bytes. The file name is not
/// considered.
enum ForeignContent {
  case notes, picture, playlist, cueSheet, webPage, text, archive, document, program
  /// A file that a program has encrypted.
  case encrypted
  /// A tracker module, which libopenmpt plays.
  case module
  /// Instructions for a sound chip. Of some, libgme synthesises the sound.
  case chip(String)

  /// Returns nil if the content is not recognised.
  init?(_ file: FileInput) {
    let head = file.bytes(at: 0, count: 2048)
    guard let found = Self.signature(of: head) ?? Self.text(head, isWhole: Int64(head.count) == file.size) else {
      return nil
    }
    self = found
  }

  /// Whether libavformat can nevertheless play some files with such content.
  private var isPlayable: Bool {
    switch self {
    case .module, .chip, .text: true
    case .notes, .picture, .playlist, .cueSheet, .webPage, .archive, .document, .program, .encrypted: false
    }
  }

  /// Returns the failure of a file that need not be opened; nil for others.
  static func refusal(of file: FileInput) -> Failure? {
    guard let content = ForeignContent(file), !content.isPlayable else { return nil }
    return content.failure
  }

  /// The failure of a file with this content that cannot be opened or decoded.
  var failure: Failure {
    switch self {
    case .notes:
      Failure(.unplayable, "a MIDI file has notes instead of audio, and Segue has no synthesiser that plays them")
    case .picture: Failure(.unplayable, "the file is a picture, not audio")
    case .playlist: Failure(.unplayable, "the file is a playlist, not audio, although its name does not say so")
    case .cueSheet: Failure(.unplayable, "the file is a cue sheet, not audio, although its name does not say so")
    case .webPage: Failure(.unplayable, "the file is a web page, not audio")
    case .text: Failure(.unplayable, "the file is a text, not audio")
    case .archive: Failure(.unplayable, "the file is an archive, not audio")
    case .document: Failure(.unplayable, "the file is a document, not audio")
    case .program: Failure(.unplayable, "the file is a program, not audio")
    case .encrypted: Failure(.unplayable, "the file is encrypted")
    case .module where FFmpegLibrary.playsModules: Failure(.damaged, "the file is damaged: its notes cannot be read")
    case .module: Failure(.unplayable, "the file is a tracker module, which FFmpeg plays only with libopenmpt")
    case .chip(let name):
      Failure(.unplayable, "the file has instructions for a sound chip (\(name)), of which FFmpeg makes no sound")
    }
  }

  private static func signature(of head: [UInt8]) -> ForeignContent? {
    func has(_ bytes: StaticString, at index: Int = 0) -> Bool {
      head.count >= index + bytes.utf8CodeUnitCount
        && bytes.withUTF8Buffer { head[index..<index + $0.count].elementsEqual($0) }
    }
    func has(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
    if has("MThd") || has("RIFF") && has("RMID", at: 8) || has("XMF_") || has("MUS\u{1A}") { return .notes }
    if has([0x89, 0x50, 0x4E, 0x47]) || has([0xFF, 0xD8, 0xFF]) || has("GIF8") || has("RIFF") && has("WEBP", at: 8)
      || has("II*\0") || has("MM\0*")
    {
      return .picture
    }
    if has("PK\u{3}\u{4}") || has("Rar!\u{1A}\u{7}") || has([0x37, 0x7A, 0xBC, 0xAF]) || has([0xFD, 0x37, 0x7A, 0x58]) {
      return .archive
    }
    if has("%PDF-") || has([0xD0, 0xCF, 0x11, 0xE0]) { return .document }
    if has([0x7F, 0x45, 0x4C, 0x46]) { return .program }
    if has("Salted__") || has("age-encryption.org/") || has("-----BEGIN PGP MESSAGE") || has("CTENFDAM") {
      return .encrypted
    }
    if has("Extended Module: ") || has("IMPM") || has("SCRM", at: 44) || has("M.K.", at: 1080) { return .module }
    return chips.first { head.starts(with: $0.key.utf8) }.map { .chip($0.value) }
  }

  /// The signatures of instructions for sound chips, and the names of the formats.
  private static let chips = [
    "PSID": "SID", "RSID": "SID", "THX": "AHX", "HVL": "HVL", "SC68": "SC68", "YM": "YM", "PSF": "PSF", "NESM": "NSF",
    "NSFE": "NSF", "GBS": "GBS", "Vgm ": "VGM", "KSCC": "KSS", "ZXAY": "AY", "SAP\r\n": "SAP", "HESM": "HES",
  ]

  /// Returns the kind of a text; nil if `head`, the beginning of a file, is none.
  private static func text(_ head: [UInt8], isWhole: Bool) -> ForeignContent? {
    // The last character may be cut.
    let checked = isWhole ? head[...] : head.dropLast(4)
    guard !checked.isEmpty, checked.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 }),
      checked.allSatisfy({ $0 < 0x80 }) || String(validating: checked, as: UTF8.self) != nil
    else { return nil }
    let start = String(decoding: checked.prefix(512), as: UTF8.self).lowercased()
    if start.hasPrefix("#extm3u") || start.hasPrefix("[playlist]") || start.contains("<asx")
      || start.contains("<playlist")
    {
      return .playlist
    }
    if start.contains("<html") || start.hasPrefix("<!doctype html") { return .webPage }
    if start.contains("track 01 audio") { return .cueSheet }
    return .text
  }
}
