// On the thread that made it only, which waits for the worker: a few milliseconds as a rule.

internal import Glibc
internal import SegueLink
internal import SegueSystem

/// Puts texts in legacy charsets into UTF-8. A `segue-worker` guesses the charset and converts, as for tags: the libraries
/// that do so never see foreign bytes in this process. The worker starts with the first text and ends with this object.
final class CharsetConverter {
  private let program: FilePath
  private let niceness: Int32
  private var worker: LibraryWorkerProcess?
  private var lastTicket: UInt32 = 0

  /// It may have to come up first, where the disk is slow.
  private static let patience = MediaTime.seconds(5)
  /// No charset has characters that take more than three times as much in UTF-8.
  private static let growth = 3

  /// `program`: the worker's. `niceness`: the worker's, too.
  init(program: FilePath, niceness: Int32 = 0) {
    self.program = program
    self.niceness = niceness
  }

  /// `text` in UTF-8, with as many lines; nil if it is too long, or no worker can be had.
  func utf8(of text: [UInt8]) -> [UInt8]? {
    guard !text.isEmpty, text.count <= WorkerCommand.maximumTranscodeSize else { return nil }
    // A user, or the kernel for want of memory, may have killed the worker. The text need not be the cause.
    return ask(text) ?? ask(text)
  }

  private func ask(_ text: [UInt8]) -> [UInt8]? {
    do {
      let worker = try self.worker ?? LibraryWorkerProcess(program, niceness: niceness)
      self.worker = worker
      let source = try MemoryFile.create("segue-text", size: text.count)
      try text.withUnsafeBytes { try Self.write($0, to: source) }
      let room = Self.growth * text.count
      let target = try MemoryFile.create("segue-utf8", size: room)
      lastTicket &+= 1
      let ticket = lastTicket
      let size = worker.ask(
        .transcode(ticket: ticket), descriptors: [source.raw, target.raw], patience: Self.patience
      ) { report -> Int? in
        guard case .transcoded(ticket, let size) = report, size <= room else { return nil }
        return size
      }
      guard let size else {
        self.worker = nil
        return nil
      }
      return try Self.read(size, from: target)
    } catch {
      worker = nil
      Log.warning("the charset of a playlist is not looked for: \(error)")
      return nil
    }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to memory: borrowing Descriptor
  ) throws(SystemError) {
    let raw = memory.raw
    var done = 0
    while done < bytes.count {
      done += try checked("pwrite", "text") {
        pwrite(raw, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(done))
      }
    }
  }

  /// A copy: the worker can write to the memory for as long as it lives.
  private static func read(_ size: Int, from memory: borrowing Descriptor) throws(SystemError) -> [UInt8] {
    let raw = memory.raw
    var bytes = [UInt8](repeating: 0, count: size)
    var done = 0
    while done < size {
      let count = try checked("pread", "text") {
        bytes.withUnsafeMutableBytes { pread(raw, $0.baseAddress?.advanced(by: done), size - done, off_t(done)) }
      }
      guard count > 0 else { break }
      done += count
    }
    return bytes
  }
}
