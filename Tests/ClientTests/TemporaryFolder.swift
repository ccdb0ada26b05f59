import Glibc
import SegueSystem
import Synchronization

/// A folder for one test, gone afterwards with what is in it.
final class TemporaryFolder {
  let path: FilePath

  init() throws {
    var template = Array("/tmp/segue-client-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    path = FilePath(bytes: template.dropLast().map(UInt8.init(bitPattern:)))
  }

  deinit { Self.remove(path) }

  var name: String { String(decoding: path.lastComponent, as: UTF8.self) }

  func write(_ name: String) throws { try write(bytes: Array(name.utf8)) }

  func write(bytes name: [UInt8]) throws {
    let file = try checked("open") { path.appending(name).withCString { creat($0, 0o600) } }
    close(file)
  }

  func makeFolder(_ name: String) throws {
    _ = try checked("mkdir") { path.appending(name).withCString { mkdir($0, 0o700) } }
  }

  func link(_ name: String, to target: FilePath) throws {
    _ = try checked("symlink") {
      target.withCString { target in path.appending(name).withCString { symlink(target, $0) } }
    }
  }

  private static func remove(_ path: FilePath) {
    if let folder = path.withCString({ opendir($0) }) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        if name != Array(".".utf8), name != Array("..".utf8) { remove(path.appending(name)) }
      }
      closedir(folder)
    }
    _ = path.withCString { Glibc.remove($0) }
  }
}

/// Counts from 0, from any thread.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
