// Any thread may call this. Tokens are written on the thread "tokens", which may block in the file system. Only `close`
// waits for it.

internal import Glibc
internal import SegueCatalog
internal import SegueSystem
internal import SegueWire

/// The token of TMDb: a credential of systemd named `tmdb-token` (systemd.exec(5), `LoadCredential=`), or a file that only
/// the user may read.
final class CatalogTokenFile: Sendable {
  private let path: FilePath
  private let thread = SerialThread<Void>(name: "tokens") {}

  private static let name = "tmdb-token"
  private static let maximumSize = 8192

  init(folder: FilePath) { path = folder.appending(Self.name) }

  /// Reads the token; nil if there is none. A token that cannot be used is reported in the log. This reads a small file.
  func read() -> CatalogToken? {
    let credential = Directories.environment("CREDENTIALS_DIRECTORY")?.appending(Self.name)
    if let credential, credential.exists { return read(credential) }
    guard path.exists else { return nil }
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & 0o077 == 0 else {
      Log.warning("\(path): ignored, because other users may read it; run chmod 600")
      return nil
    }
    return read(path)
  }

  private func read(_ path: FilePath) -> CatalogToken? {
    do {
      return try CatalogToken(String(decoding: try SmallFile.read(path, upTo: Self.maximumSize), as: UTF8.self))
    } catch let failure as Failure {
      Log.warning("\(path): \(failure.message)")
    } catch {
      Log.warning("\(path): \(error)")
    }
    return nil
  }

  /// Writes the token, or removes the file. `completion` runs on the thread "tokens".
  func write(_ token: CatalogToken?, _ completion: @escaping @Sendable (Result<Void, SystemError>) -> Void) {
    thread.post { [path] _ in
      completion(
        Result { () throws(SystemError) in
          guard let token else { return Folder.removeFile(path) }
          try Folder.create(path.parent)
          // The file is not readable for others even while it is being written.
          let temporary = path.adding(".new")
          Folder.removeFile(temporary)
          try SmallFile.write(Array(token.secret.utf8) + [UInt8(ascii: "\n")], to: temporary)
          try Folder.rename(temporary, path)
        })
    }
  }

  func close() { thread.close() }
}
