// Thread: the decoding thread; see Worker.swift.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire
internal import SegueWorkerProtocol

/// A writer of a cover, in the requested size and format, to the daemon's memory file.
struct CoverWriter {
  private let request: CoverRequest
  private let target: SharedMemoryFile
  private let scanner: FileScanner

  private static let tooLarge = MediaError.failed(Failure(.tooLarge, "the picture is too large"))

  init(_ request: CoverRequest, _ target: SharedMemoryFile, _ scanner: FileScanner) {
    self.request = request
    self.target = target
    self.scanner = scanner
  }

  /// Writes the cover of `file`. If the file has no cover, returns nil.
  func write(_ name: String, _ file: FileInput) throws(MediaError) -> CoverInfo? {
    switch request.place {
    case .file:
      let size = file.size ?? 0
      guard size <= Int64(CoverInfo.maximumSize) else { throw Self.tooLarge }
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(size), alignment: 16)
      defer { memory.deallocate() }
      let count = file.peek(at: 0, into: memory)
      return try convert(UnsafeRawBufferPointer(rebasing: memory[..<count])).get()
    case .embedded:
      let (tags, demuxer) = try scanner.tags(of: file, name)
      if tags.hasCover { return try tags.withCover { convert($0) }?.get() }
      let opened = if let demuxer { demuxer } else { try Demuxer(file: file, name: name) }
      return try opened.attachedPicture.map { convert($0) }?.get()
    }
  }

  /// Writes `picture` as requested.
  private func convert(_ picture: UnsafeRawBufferPointer) -> Result<CoverInfo, MediaError> {
    Result { () throws(MediaError) in
      guard picture.count <= CoverInfo.maximumSize else { throw Self.tooLarge }
      let format = CoverInfo.Format(picture)
      let decoded = try Picture(decoding: picture, format)
      if request.edge == nil, request.format == nil || request.format == .png && format == .png {
        return try write(picture, format, decoded.size)
      }
      let size = request.edge.map(decoded.size.fitted(into:)) ?? decoded.size
      let isTransparent = decoded.isTransparent
      let encoder: PictureEncoder =
        switch request.format {
        case .ppm: .ppm
        case .png: .png(isTransparent: isTransparent)
        case nil: isTransparent ? .png(isTransparent: true) : .jpeg
        }
      let scaled = try decoded.scaled(to: size, for: encoder)
      return try encoder.encode(scaled) { (bytes) throws(MediaError) in try write(bytes, encoder.format, size) }
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, _ format: CoverInfo.Format, _ size: PictureSize
  ) throws(MediaError) -> CoverInfo {
    guard target.write(bytes) else { throw Self.tooLarge }
    return CoverInfo(size: bytes.count, format: format, width: size.width, height: size.height)
  }
}

extension CoverInfo.Format {
  /// Recognises the format of `picture` by its first bytes.
  init(_ picture: UnsafeRawBufferPointer) {
    func has(_ bytes: [UInt8], at index: Int = 0) -> Bool { picture.dropFirst(index).starts(with: bytes) }
    self =
      has([0xFF, 0xD8, 0xFF])
      ? .jpeg
      : has([0x89, 0x50, 0x4E, 0x47])
        ? .png
        : has(Array("GIF8".utf8))
          ? .gif : has(Array("BM".utf8)) ? .bmp : has(Array("WEBP".utf8), at: 8) ? .webp : .other
  }
}
