// Thread: the decoding thread.
internal import SegueFFmpeg

/// A file that consists of chunks: RIFF, AIFF or DSDIFF. A chunk has a name of four letters, a size, that many bytes,
/// and a padding byte if the size is odd.
struct ChunkedFile {
  struct Chunk {
    let name: String
    let offset: Int64
    let size: Int64
  }

  private enum Form {
    /// RIFF: little-endian sizes of four bytes.
    case riff
    /// AIFF: big-endian sizes of four bytes.
    case aiff
    /// DSDIFF: big-endian sizes of eight bytes.
    case dsdiff

    var sizeBytes: Int { self == .dsdiff ? 8 : 4 }
  }

  private let file: FileInput
  private let form: Form

  /// The maximum number of chunks that are read, including nested chunks.
  private static let maximumChunks = 1024

  /// Returns nil if `format` has no chunks.
  init?(_ file: FileInput, _ format: FileFormat) {
    switch format.kind {
    case .wave: form = .riff
    case .aiff: form = .aiff
    case .dsdiff: form = .dsdiff
    case .mpeg, .flac, .vorbis, .opus, .speex, .oggFLAC, .mp4, .asf, .dsf, .monkeysAudio, .musepack, .wavPack,
      .trueAudio:
      return nil
    }
    self.file = file
  }

  /// The chunks of the file.
  var chunks: [Chunk] {
    guard let size = file.size else { return [] }
    // The outermost chunk has a name, a size and a type.
    let first = Int64(8 + form.sizeBytes)
    return chunks(in: first..<max(first, size), limit: Self.maximumChunks)
  }

  /// Returns the first `limit` chunks in `chunk`, after `skipped` bytes that state their type.
  func chunks(inside chunk: Chunk, after skipped: Int64 = 0, limit: Int) -> [Chunk] {
    guard chunk.size > skipped else { return [] }
    return chunks(in: chunk.offset + skipped..<chunk.offset + chunk.size, limit: limit)
  }

  private func chunks(in range: Range<Int64>, limit: Int) -> [Chunk] {
    var chunks: [Chunk] = []
    var position = range.lowerBound
    while chunks.count < limit {
      let name = file.bytes(at: position, count: 4)
      let start = position + 4 + Int64(form.sizeBytes)
      guard name.count == 4, start <= range.upperBound, let size = size(at: position + 4), size >= 0 else { break }
      let kept = min(size, range.upperBound - start)
      chunks.append(Chunk(name: String(decoding: name, as: UTF8.self), offset: start, size: kept))
      guard kept == size else { break }
      position = start + size + size & 1
    }
    return chunks
  }

  private func size(at position: Int64) -> Int64? {
    form == .riff ? file.littleEndian(at: position, bytes: 4) : file.bigEndian(at: position, bytes: form.sizeBytes)
  }
}

extension ChunkedFile {
  /// The maximum size of a text chunk in bytes.
  private static let maximumTextSize: Int64 = 64 * 1024

  /// The chunks with ID3v2 tags.
  var id3v2Chunks: [Chunk] { Array(chunks.lazy.filter { $0.name.uppercased() == "ID3 " }.prefix(4)) }

  var id3v2Tags: [ID3v2Tag] { id3v2Chunks.compactMap { ID3v2Tag(file, at: $0.offset) } }

  /// Collects the texts in RIFF's INFO list, AIFF's NAME and AUTH, and DSDIFF's DIIN.
  func collect(into values: inout TagValues, rank: Int) {
    let outer = chunks
    var left = Self.maximumChunks - outer.count
    for chunk in outer {
      switch (form, chunk.name) {
      case (.riff, "LIST"):
        guard file.bytes(at: chunk.offset, count: 4).elementsEqual("INFO".utf8) else { continue }
        let parts = chunks(inside: chunk, after: 4, limit: left)
        left -= parts.count
        for part in parts { add(part, as: part.name, to: &values, rank) }
      case (.aiff, "NAME"): add(chunk, as: "TITLE", to: &values, rank)
      case (.aiff, "AUTH"): add(chunk, as: "ARTIST", to: &values, rank)
      case (.dsdiff, "DIIN"):
        let parts = chunks(inside: chunk, limit: left)
        left -= parts.count
        for part in parts {
          switch part.name {
          // The length precedes the text.
          case "DITI": add(part, after: 4, as: "TITLE", to: &values, rank)
          case "DIAR": add(part, after: 4, as: "ARTIST", to: &values, rank)
          default: break
          }
        }
      default: break
      }
    }
  }

  private func add(
    _ chunk: Chunk, after skipped: Int64 = 0, as key: String, to values: inout TagValues, _ rank: Int
  ) {
    guard TagField(key: key) != nil, chunk.size > skipped else { return }
    let count = Int(min(chunk.size - skipped, Self.maximumTextSize))
    let text = Array(file.bytes(at: chunk.offset + skipped, count: count).prefix { $0 != 0 })
    values.add(.init(text, isBytes: !text.allSatisfy { $0 < 0x80 }), key, rank: rank)
  }
}
