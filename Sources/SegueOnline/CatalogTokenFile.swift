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

  /// The credential of the service manager; nil if there is none.
  private var credential: FilePath? {
    let path = Directories.environment("CREDENTIALS_DIRECTORY")?.appending(Self.name)
    return path.flatMap { $0.exists ? $0 : nil }
  }

  /// Reads the token; nil if there is none. A token that cannot be used is reported in the log. This reads a small file.
  func read() -> CatalogToken? {
    if let credential { return read(credential) }
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

  /// Writes the token, or removes the file if it is nil. `completion` runs on the thread "tokens". It gets `denied` if the
  /// token is a credential, and `unavailable` if the file cannot be written or removed.
  func write(_ token: CatalogToken?, _ completion: @escaping @Sendable (Result<Void, Failure>) -> Void) {
    if let credential {
      let reason = "the token is a credential of the service manager: \(credential)"
      return thread.post { _ in completion(.failure(Failure(.denied, reason))) }
    }
    thread.post { [path] _ in
      do throws(SystemError) {
        if let token {
          try Folder.create(path.parent)
          // Other users cannot read the file even while it is being written.
          try SmallFile.replace(path, with: Array(token.secret.utf8) + [UInt8(ascii: "\n")], mode: 0o600)
        } else if path.withCString({ unlink($0) }) != 0, errno != ENOENT {
          throw SystemError("unlink", path.description)
        }
        completion(.success(()))
      } catch {
        completion(
          .failure(Failure(.unavailable, "the token cannot be \(token == nil ? "removed" : "stored"): \(error)")))
      }
    }
  }

  func close() { thread.close() }
}
