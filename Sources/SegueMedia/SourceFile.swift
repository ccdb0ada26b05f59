internal import CFFmpeg
internal import Glibc
internal import SegueSystem

/// The bytes of a file that came as a descriptor, as libavformat reads them: by position, so that the descriptor's own
/// offset (which other processes may share) plays no part.
final class SourceFile {
  private let descriptor: Descriptor
  private var offset: Int64 = 0
  /// What was peeked at lately: the beginning, and wherever else.
  private var head = Window()
  private var tail = Window()
  /// In bytes; nil for what has no size (a pipe).
  let size: Int64?
  private let isSeekable: Bool

  private var hidden: HiddenTags?
  private var tagLimit = TagLimit()
  /// Whether tags are read at the moment, to which the limit applies.
  private var readsTags = false

  /// What the kernel was last asked to read in advance.
  private var advised: Range<Int64> = 0..<0

  /// How far ahead of what is decoded it reads: seconds of whatever is not compressed.
  private static let ahead: Int64 = 512 * 1024

  /// What is read at a time: large enough for few calls, small enough that a probe of a header reads little.
  private static let bufferSize: Int32 = 32 * 1024

  init(_ descriptor: consuming Descriptor) {
    var status = stat()
    let isRegular = fstat(descriptor.raw, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int64(status.st_size) : nil
    isSeekable = isRegular
    self.descriptor = descriptor
  }

  /// Creates an I/O context over this file from its beginning on, which does not show `hidden`; the file must outlive it.
  /// The caller frees it with `segue_free_io`.
  func makeContext(hiding hidden: HiddenTags) -> UnsafeMutablePointer<AVIOContext>? {
    offset = 0
    self.hidden = hidden
    guard let buffer = av_malloc(Int(Self.bufferSize)) else { return nil }
    let context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, Unmanaged.passUnretained(self).toOpaque(),
      readSourceFile, nil, isSeekable ? seekSourceFile : nil)
    if context == nil { av_free(buffer) }
    context?.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    return context
  }

  /// Copies what lies at `position` without moving the reading position. Fewer bytes only at the end of the file.
  func peek(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
    if readsTags, !tagLimit.takeRead() { return 0 }
    guard target.count <= Window.size / 4, let size, position >= 0, position < size else {
      return fetch(at: position, into: target)
    }
    let target = UnsafeMutableRawBufferPointer(rebasing: target.prefix(Int(min(Int64(target.count), size - position))))
    if position + Int64(target.count) <= Int64(Window.size) { return head.copy(from: self, at: position, into: target) }
    return tail.copy(from: self, at: position, into: target)
  }

  /// Calls `body`, whose reads count as reads of tags: they find the end of the file once there were too many.
  func readingTags<Result>(_ body: () -> Result) -> Result {
    let outer = readsTags
    readsTags = true
    defer { readsTags = outer }
    return body()
  }

  /// Allows tags to cost as much again: another part of them is read, or all of them anew.
  func renewTagLimit() { tagLimit = TagLimit() }

  /// Whether something was not read because tags had cost too much.
  var exceedsTagLimit: Bool { tagLimit.isExceeded }

  /// Lets go of what was peeked at.
  func forget() {
    head = Window()
    tail = Window()
  }

  /// Small reads of tags and headers come from here, so that a file costs a few system calls and not dozens.
  private struct Window: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var base: Int64 = 0
    private var count = 0

    static let size = 48 * 1024
    /// Memory of windows that nobody needs any more: a scan opens one for every file. The worker has one thread.
    nonisolated(unsafe) private static var spare: [UnsafeMutableRawBufferPointer] = []

    deinit { if !memory.isEmpty { Self.spare.append(memory) } }

    mutating func copy(
      from file: SourceFile, at position: Int64, into target: UnsafeMutableRawBufferPointer
    ) -> Int {
      if position < base || position + Int64(target.count) > base + Int64(count) {
        if memory.isEmpty { memory = Self.spare.popLast() ?? .allocate(byteCount: Self.size, alignment: 16) }
        base = position + Int64(target.count) <= Int64(Self.size) ? 0 : position
        // No more than there is: the kernel need not be asked where the end is.
        let rest = Int(clamping: max(0, (file.size ?? .max) - base))
        count = file.fetch(at: base, into: UnsafeMutableRawBufferPointer(rebasing: memory.prefix(rest)))
      }
      let start = Int(position - base)
      let length = max(0, min(target.count, count - start))
      if length > 0 { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<start + length])) }
      return length
    }
  }

  /// Has the kernel read what comes next. By itself it asks a file system for little at a time; one that answers late
  /// gives no more than that in the time of an answer, which may be less than is heard meanwhile. To be called while it
  /// is read in order.
  func readAhead() {
    guard isSeekable, !advised.contains(offset) || advised.upperBound - offset < Self.ahead / 2 else { return }
    advised = offset..<(offset + Self.ahead)
    posix_fadvise(descriptor.raw, off_t(offset), off_t(Self.ahead), POSIX_FADV_WILLNEED)
  }

  private func fetch(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    if readsTags, !tagLimit.take(bytes: target.count) { return 0 }
    while done < target.count, let base = target.baseAddress {
      let count = pread(descriptor.raw, base + done, target.count - done, off_t(position) + off_t(done))
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      done += count
    }
    return done
  }

  fileprivate func read(into target: UnsafeMutablePointer<UInt8>, count: Int32) -> Int32 {
    while true {
      let received =
        isSeekable
        ? pread(descriptor.raw, target, Int(count), off_t(offset)) : Glibc.read(descriptor.raw, target, Int(count))
      if received > 0 {
        hide(in: UnsafeMutableRawBufferPointer(start: target, count: received))
        offset += Int64(received)
        return Int32(received)
      }
      if received == 0 { return segue_averror_eof }
      if errno != EINTR { return -errno }
    }
  }

  /// Replaces what is hidden in `bytes`, which were read at `offset`.
  private func hide(in bytes: UnsafeMutableRawBufferPointer) {
    for (position, replacement) in hidden?.replacements ?? [] {
      let range = position..<position + Int64(replacement.count)
      let common = range.clamped(to: offset..<offset + Int64(bytes.count))
      for at in common { bytes[Int(at - offset)] = replacement[Int(at - position)] }
    }
  }

  fileprivate func seek(to position: Int64, whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 { return size ?? -1 }
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = offset
    case SEEK_END: base = size ?? 0
    default: return Int64(-EINVAL)
    }
    let (target, overflow) = base.addingReportingOverflow(position)
    guard !overflow, target >= 0 else { return Int64(-EINVAL) }
    offset = target
    return target
  }
}

/// What reading the tags of a file may cost: far more than that of any honest file, and little enough that the music
/// does not wait.
private struct TagLimit {
  private var readsLeft = 65_536
  /// Bytes from the file. Covers are read with the tags where TagLib reads them.
  private var bytesLeft = 64 << 20
  private(set) var isExceeded = false

  /// Returns false if there is none left.
  mutating func takeRead() -> Bool {
    readsLeft -= 1
    if readsLeft < 0 { isExceeded = true }
    return !isExceeded
  }

  /// Returns false if fewer than so many `bytes` are left.
  mutating func take(bytes: Int) -> Bool {
    bytesLeft -= bytes
    if bytesLeft < 0 { isExceeded = true }
    return !isExceeded
  }
}

// Called by libavformat on the decoding thread, within a call that holds the `SourceFile` alive.
private nonisolated func readSourceFile(
  context: UnsafeMutableRawPointer?, target: UnsafeMutablePointer<UInt8>?, count: Int32
) -> Int32 {
  guard let context, let target else { return -EINVAL }
  return Unmanaged<SourceFile>.fromOpaque(context).takeUnretainedValue().read(into: target, count: count)
}

private nonisolated func seekSourceFile(context: UnsafeMutableRawPointer?, position: Int64, whence: Int32) -> Int64 {
  guard let context else { return Int64(-EINVAL) }
  return Unmanaged<SourceFile>.fromOpaque(context).takeUnretainedValue().seek(to: position, whence: whence)
}
