// Decoding thread only; see Worker.swift.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueTags
internal import SegueWire

extension Worker {
  func cover(_ ticket: UInt32, _ name: String, _ wish: CoverRequest, _ file: SourceFile, _ target: SharedMemoryFile) {
    do throws(MediaError) {
      report(.cover(ticket: ticket, try cover(name, wish, file, target)))
    } catch {
      report(.failedProbe(ticket: ticket, error.failure))
    }
  }

  /// nil if there is none.
  private func cover(
    _ name: String, _ wish: CoverRequest, _ file: SourceFile, _ target: SharedMemoryFile
  ) throws(MediaError) -> CoverInfo? {
    switch wish.place {
    case .file:
      let size = file.size ?? 0
      guard size <= Int64(CoverInfo.maximumSize) else { throw .failed(Failure(.tooLarge, "the picture is too large")) }
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(size), alignment: 16)
      defer { memory.deallocate() }
      let count = file.peek(at: 0, into: memory)
      return try Self.put(UnsafeRawBufferPointer(rebasing: memory[..<count]), wish, target).get()
    case .embedded:
      let (tags, demuxer) = try survey.tags(of: file, name)
      if tags.hasCover { return try tags.withCover { Self.put($0, wish, target) }?.get() }
      let opened = if let demuxer { demuxer } else { try Demuxer(file: file, name: name) }
      return try opened.attachedPicture.map { Self.put($0, wish, target) }?.get()
    }
  }

  /// Puts `picture` into `target`, as it is wished for.
  private static func put(
    _ picture: UnsafeRawBufferPointer, _ wish: CoverRequest, _ target: SharedMemoryFile
  ) -> Result<CoverInfo, MediaError> {
    Result { () throws(MediaError) in
      guard picture.count <= CoverInfo.maximumSize else { throw .failed(Failure(.tooLarge, "the picture is too large")) }
      let format = CoverInfo.Format(picture)
      let decoded = try Picture(decoding: picture, format)
      if wish.edge == nil, !wish.asPNG || format == .png {
        return try write(picture, to: target, format, decoded.size)
      }
      let target = target
      let goal = wish.edge.map(decoded.size.fitted(into:)) ?? decoded.size
      let encoder: PictureEncoder =
        wish.asPNG || decoded.isTransparent ? .png(isTransparent: decoded.isTransparent) : .jpeg
      let scaled = try decoded.scaled(to: goal, for: encoder)
      return try encoder.encode(scaled) { (bytes) throws(MediaError) in
        try write(bytes, to: target, encoder.format, goal)
      }
    }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to target: SharedMemoryFile, _ format: CoverInfo.Format, _ size: PictureSize
  ) throws(MediaError) -> CoverInfo {
    guard target.write(bytes) else { throw .failed(Failure(.tooLarge, "the picture is too large")) }
    return CoverInfo(size: bytes.count, format: format, width: size.width, height: size.height)
  }
}

extension CoverInfo.Format {
  /// By the first bytes of `picture`.
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
