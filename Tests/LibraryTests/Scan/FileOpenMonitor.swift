import Glibc
import SegueSystem

/// Hears which files somebody opens.
final class FileOpenMonitor {
  private let raw = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))

  deinit { close(raw) }

  func watch(_ folder: FilePath) { _ = folder.withCString { inotify_add_watch(raw, $0, UInt32(IN_OPEN)) } }

  /// Since this was asked last, in order; folders left out.
  func opened() -> [String] {
    var names: [String] = []
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = read(raw, &buffer, buffer.count)
      guard count > 0 else { return names }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset < count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = bytes[(offset + 16)..<(offset + 16 + Int(event.len))].prefix { $0 != 0 }
          if event.mask & UInt32(IN_ISDIR) == 0 { names.append(String(decoding: name, as: UTF8.self)) }
          offset += 16 + Int(event.len)
        }
      }
    }
  }
}
