internal import CFFmpeg
internal import Glibc
package import SegueSystem
internal import SegueWire

/// A file that was received as a descriptor. libavformat and the readers of tags read at explicit positions. The
/// descriptor's own offset, which other processes may share, is not used.
package final class FileInput {
  private let storage: Storage
  /// The state of a local file to which the bytes that were read belong.
  private var version: FileVersion?
  /// Whether another program has changed the file in a way that moves its audio, so that it must be opened again.
  package private(set) var hasChanged = false
  /// The cached bytes at the beginning of the file, and at the position that was read last.
  private var head = Window()
  private var recent = Window()
  /// The size in bytes when the file was opened; nil for a file that has none, such as a pipe.
  package private(set) var size: Int64?
  let isSeekable: Bool
  /// Whether the bytes come from a server, so that reading all of them takes long.
  package let isRemote: Bool
  private var error: MediaError?
  /// The searches for the end of zeros, which are the same for each reader of the file.
  private var zeros = ZeroSearches()
  private var replacements: [Replacement] = []
  private var tagLimit = TagReadLimit()
  /// Whether the current reads are of tags, to which the limit applies.
  private var readsTags = false
  /// The range that the kernel was last asked to read ahead.
  private var advised: Range<Int64> = 0..<0

  private enum Storage: ~Copyable {
    case local(Descriptor)
    case remote(any RemoteBytes)
  }

  package init(_ descriptor: consuming Descriptor) {
    let status = descriptor.status.flatMap { $0.st_mode & S_IFMT == S_IFREG ? $0 : nil }
    size = status.map(Self.size)
    isSeekable = status != nil
    isRemote = false
    version = status.map(FileVersion.init)
    storage = .local(descriptor)
  }

  package init(_ bytes: any RemoteBytes) {
    size = bytes.size
    isSeekable = bytes.isSeekable
    isRemote = true
    version = nil
    storage = .remote(bytes)
  }

  /// The size in bytes behind which nothing of a file is read. Only a sparse file can be as large. A sum of a few
  /// positions in a file is a valid number.
  private static let maximumSize: Int64 = 1 << 60

  private static func size(_ status: stat) -> Int64 { min(Int64(status.st_size), maximumSize) }

  /// Whether this is a local file that has not changed since it was opened, and that still has a name. Otherwise,
  /// another file may have replaced it.
  package var isUnchanged: Bool {
    guard let version, !hasChanged, let status else { return false }
    return version.isEqual(to: status) && status.st_nlink > 0
  }

  /// The stamp of a local file that has not changed since it was opened; otherwise nil.
  package var stamp: FileStamp? {
    guard let version, !hasChanged, let status, version.isEqual(to: status), size == Int64(status.st_size) else {
      return nil
    }
    return FileStamp(status)
  }

  /// The state of a local file now.
  private var status: stat? {
    switch storage {
    case .local(let descriptor): descriptor.status
    case .remote: nil
    }
  }

  /// Whether the file has another size now than when it was opened. A recording or a download grows.
  package var hasAnotherSize: Bool {
    guard version != nil, let status else { return false }
    return Self.size(status) != size
  }

  /// The time since the last change of a local file; nil if it is not known.
  package var age: MediaTime? {
    guard version != nil, let status else { return nil }
    return FileVersion(status).age
  }

  /// Prepares to open the file again, after it has changed.
  package func refresh() {
    guard version != nil, let status else { return }
    version = FileVersion(status)
    size = Self.size(status)
    (hasChanged, error, advised, zeros) = (false, nil, 0..<0, ZeroSearches())
    freeCache()
  }

  /// Whether an error of a read was not taken.
  var hasError: Bool { error != nil }

  /// Takes the error of the last read from a server that failed, if there is one since the last call. libavformat
  /// passes only its number on.
  package func takeError() -> MediaError? {
    defer { error = nil }
    return error
  }

  /// Bytes that libavformat reads in place of those in the file.
  package struct Replacement {
    package let position: Int64
    package let bytes: [UInt8]

    package init(position: Int64, bytes: [UInt8]) {
      self.position = position
      self.bytes = bytes
    }
  }

  /// Creates an I/O context that reads this file from its beginning and applies `replacements`.
  func makeContext(applying replacements: [Replacement]) throws(MediaError) -> IOContext {
    self.replacements = replacements
    return try IOContext(self)
  }

  /// Copies the bytes at `position` and leaves libavformat's position unchanged. Returns the number of bytes, which is
  /// smaller than the size of `target` only at the end of the file. Before the beginning there are none: readers of the
  /// end of a file may look for a tag that is longer than the file.
  package func peek(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
    if readsTags, !tagLimit.takeRead() { return 0 }
    guard position >= 0 else { return 0 }
    guard target.count <= Window.size / 4, let size, position < size else {
      return fetch(at: position, into: target)
    }
    let target = UnsafeMutableRawBufferPointer(rebasing: target.prefix(Int(min(Int64(target.count), size - position))))
    if position + Int64(target.count) <= Int64(Window.size) { return head.copy(from: self, at: position, into: target) }
    return recent.copy(from: self, at: position, into: target)
  }

  /// Calls `body`, whose reads count as reads of tags. Once the limit is exceeded, reads in `body` find the end of the
  /// file.
  package func readingTags<Result>(_ body: () -> Result) -> Result {
    let outer = readsTags
    readsTags = true
    defer { readsTags = outer }
    return body()
  }

  /// Resets the limit of reads of tags. It must be called before another part of the tags is read, and before the tags
  /// are read again.
  package func resetTagLimit() { tagLimit = TagReadLimit() }

  /// Whether some tags were not read because the limit was exceeded.
  package var exceedsTagLimit: Bool { tagLimit.isExceeded }

  /// Frees the cached bytes.
  package func freeCache() {
    head = Window()
    recent = Window()
  }

  /// A cache for small reads of tags and headers, so that a file costs a few system calls instead of dozens.
  private struct Window: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var base: Int64 = 0
    private var count = 0
    static let size = 48 * 1024
    /// The number of bytes of the first read elsewhere. Some readers skip from header to header through the whole file.
    /// What is read in order comes in larger pieces from the second read on.
    private static let firstSize = 4 * 1024
    /// The memory of former windows, which is reused because a scan needs a window for every file.
    // Proof: the worker has only one thread.
    nonisolated(unsafe) private static var spare: [UnsafeMutableRawBufferPointer] = []

    deinit { if !memory.isEmpty { Self.spare.append(memory) } }

    mutating func copy(
      from file: FileInput, at position: Int64, into target: UnsafeMutableRawBufferPointer
    ) -> Int {
      if position < base || position + Int64(target.count) > base + Int64(count) {
        if memory.isEmpty { memory = Self.spare.popLast() ?? .allocate(byteCount: Self.size, alignment: 16) }
        let isHead = position + Int64(target.count) <= Int64(Self.size)
        let isNext = count > 0 && position >= base && position <= base + Int64(count)
        let wanted = isHead ? Self.size : max(target.count, isNext ? min(Self.size, 4 * count) : Self.firstSize)
        base = isHead ? 0 : position
        // The read ends at the end of the file, so that no further call is needed to find the end.
        let rest = Int(clamping: max(0, (file.size ?? .max) - base))
        count = file.fetch(at: base, into: UnsafeMutableRawBufferPointer(rebasing: memory.prefix(min(wanted, rest))))
      }
      let start = Int(position - base)
      let length = max(0, min(target.count, count - start))
      if length > 0 { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<start + length])) }
      return length
    }
  }

  /// Asks the kernel to read `count` bytes ahead of `offset` while the file is read in order. The kernel's own
  /// read-ahead is small, and may be slower than playback on a file system with a long response time.
  func readAhead(of offset: Int64, count: Int64) {
    guard isSeekable, !isRemote, let size, 0..<size ~= offset else { return }
    let end = offset + min(count, size - offset)
    guard !advised.contains(offset) || advised.upperBound - offset < (end - offset) / 2 else { return }
    advised = offset..<end
    switch storage {
    case .local(let descriptor):
      posix_fadvise(descriptor.raw, off_t(offset), off_t(end - offset), POSIX_FADV_WILLNEED)
    case .remote: break
    }
  }

  /// Returns whether the `count` bytes from `position` on, or all up to the end of the file, are in memory. This is
  /// false if the file system does not tell.
  func isCached(at position: Int64, count: Int64) -> Bool {
    guard isSeekable, let size, 0...size ~= position else { return false }
    let end = position + min(count, size - position)
    switch storage {
    case .local(let descriptor):
      // The kernel reads and frees pages in groups, so a few of them represent all.
      for sample in stride(from: position, to: end, by: 32 << 10) where !descriptor.isCached(at: sample) {
        return false
      }
      return true
    case .remote(let bytes): return bytes.endOfCached(from: position) >= end
    }
  }

  /// The number of bytes of a file on a server in which the end of zeros is searched for.
  private static let maximumRemoteSearch: Int64 = 1 << 20

  /// Returns the position of the first byte at or after `position` that is not zero. Returns nil if there is none, or
  /// if finding it takes too long.
  package func endOfZeros(from position: Int64) -> Int64? {
    zeros.end(from: position) { searchEndOfZeros(from: position, until: $0) }
  }

  private func searchEndOfZeros(from start: Int64, until deadline: MonotonicTime) -> Int64? {
    let limit = isRemote ? start + Self.maximumRemoteSearch : .max
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { block.deallocate() }
    var position = start
    while position < limit, MonotonicTime.now < deadline {
      let count = receive(into: block, at: position)
      guard count > 0 else { return nil }
      if let index = UnsafeRawBufferPointer(rebasing: block[..<count]).firstNonzero { return position + Int64(index) }
      position += Int64(count)
    }
    return nil
  }

  private func fetch(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    if readsTags, !tagLimit.take(bytes: target.count) { return 0 }
    while done < target.count, let base = target.baseAddress {
      let rest = UnsafeMutableRawBufferPointer(start: base + done, count: target.count - done)
      let count = receive(into: rest, at: position + Int64(done))
      if count <= 0 { break }
      done += count
    }
    return done
  }

  /// Reads bytes at `position`. Returns 0 at the end, and a negative error number if reading fails.
  private func receive(into target: UnsafeMutableRawBufferPointer, at position: Int64) -> Int {
    switch storage {
    case .local(let descriptor):
      while true {
        let count =
          isSeekable
          ? pread(descriptor.raw, target.baseAddress, target.count, off_t(position))
          : Glibc.read(descriptor.raw, target.baseAddress, target.count)
        if count >= 0 { return count }
        if errno != EINTR { return Int(-errno) }
      }
    case .remote(let bytes):
      // After an error, nothing is read until it was handled, so that a failure is not mistaken for the end of the
      // file.
      guard error == nil else { return Int(-EIO) }
      do throws(MediaError) {
        return try bytes.read(at: position, into: target)
      } catch {
        self.error = error
        return Int(-EIO)
      }
    }
  }

  /// Applies the replacements to `bytes`, which were read at `offset`.
  private func applyReplacements(to bytes: UnsafeMutableRawBufferPointer, at offset: Int64) {
    for replacement in replacements {
      let position = replacement.position
      let range = position..<position + Int64(replacement.bytes.count)
      let common = range.clamped(to: offset..<offset + Int64(bytes.count))
      for at in common { bytes[Int(at - offset)] = replacement.bytes[Int(at - position)] }
    }
  }
}

extension FileInput: ByteSource {
  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
    guard !hasChanged else { return Int(-EIO) }
    let count = receive(into: target, at: position)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: target.prefix(max(0, count)))
    guard isStillValid else {
      hasChanged = true
      error = .failed(Failure(.decodingStopped, "the file has changed"))
      return Int(-EIO)
    }
    guard count > 0 else { return count }
    version?.record(UnsafeRawBufferPointer(bytes), at: position)
    applyReplacements(to: bytes, at: position)
    return count
  }

  /// Whether the bytes that were just read lie where the earlier ones say: the file has not changed, or it grows.
  private var isStillValid: Bool {
    guard let known = version, let status else { return true }
    if known.isEqual(to: status) { return true }
    guard known.isContinued(by: status), known.matches({ position, target in receive(into: target, at: position) })
    else { return false }
    version?.update(status)
    return true
  }
}

/// The searches for the end of zeros in a file, of which each is made once.
private struct ZeroSearches {
  /// The ends of the zeros by their beginnings; nil for those whose end was not found.
  private var ends: [Int64: Int64?] = [:]
  /// The time that is left for searches. All of them take less time than that after which a worker that does not
  /// respond is stopped.
  private var timeLeft = MediaTime.seconds(3)

  /// Returns the end of the zeros from `start` on, as `search` returns it, which is given its deadline.
  mutating func end(from start: Int64, _ search: (MonotonicTime) -> Int64?) -> Int64? {
    if let known = ends[start] { return known }
    let begin = MonotonicTime.now
    let end = search(begin + timeLeft)
    timeLeft = timeLeft - (MonotonicTime.now - begin)
    ends.updateValue(end, forKey: start)
    return end
  }
}

/// A limit on the reads that the tags of a file may take. It is far above the needs of any genuine file, and low enough
/// that reading tags does not interrupt playback.
private struct TagReadLimit {
  private var readsLeft = 65_536
  /// The bytes that may still be read from the file. Where TagLib reads the tags, it reads the covers with them.
  private var bytesLeft = 64 << 20
  private(set) var isExceeded = false

  /// Counts a read. Returns false if the limit is exceeded.
  mutating func takeRead() -> Bool {
    readsLeft -= 1
    if readsLeft < 0 { isExceeded = true }
    return !isExceeded
  }

  /// Counts `bytes`. Returns false if the limit is exceeded.
  mutating func take(bytes: Int) -> Bool {
    bytesLeft -= bytes
    if bytesLeft < 0 { isExceeded = true }
    return !isExceeded
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the first byte that is not zero; nil if there is none.
  package var firstNonzero: Int? {
    guard let baseAddress, count > 0 else { return nil }
    // All bytes are zero if the first is, and each equals the next one.
    if self[0] == 0, memcmp(baseAddress, baseAddress + 1, count - 1) == 0 { return nil }
    return firstIndex { $0 != 0 }
  }
}
