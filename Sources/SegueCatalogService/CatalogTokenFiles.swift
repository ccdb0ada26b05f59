// Thread: any. Tokens are written on the thread "tokens", which may block in the file system. Only `close` waits for
// it.

internal import Glibc
internal import SegueCatalogProviders
internal import SegueSystem
internal import SegueWire

/// The tokens of the providers. Each is a credential of systemd (systemd.exec(5), `LoadCredential=`), or a file that
/// only the user may read. Its name is that of the provider with `-token`, such as `tmdb-token`.
final class CatalogTokenFiles: Sendable {
  private let folder: FilePath
  private let thread = SerialThread<Void>(name: "tokens") {}

  private static let maximumSize = 8192

  init(folder: FilePath) { self.folder = folder }

  private static func name(of provider: CatalogItemURI.Scheme) -> String { "\(provider.rawValue)-token" }

  /// Returns the credential of the service manager; nil if there is none.
  private static func credential(of provider: CatalogItemURI.Scheme) -> FilePath? {
    let path = Directories.environment("CREDENTIALS_DIRECTORY")?.appending(name(of: provider))
    return path.flatMap { $0.exists ? $0 : nil }
  }

  /// Reads the token of a provider; nil if there is none. A token that cannot be used is reported in the log. This
  /// reads a small file.
  func read(_ provider: CatalogItemURI.Scheme) -> CatalogToken? {
    if let credential = Self.credential(of: provider) { return read(credential) }
    let path = folder.appending(Self.name(of: provider))
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

  /// Writes the token of a provider, or removes the file if it is nil. `completion` runs on the thread "tokens". It
  /// gets `denied` if the token is a credential, and `unavailable` if the file cannot be written or removed.
  func write(
    _ token: CatalogToken?, of provider: CatalogItemURI.Scheme,
    _ completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) {
    if let credential = Self.credential(of: provider) {
      let failure = Failure(.denied, "the token is a credential of the service manager: \(credential)")
      return thread.post { _ in completion(.failure(failure)) }
    }
    let path = folder.appending(Self.name(of: provider))
    thread.post { [folder] _ in
      do throws(SystemError) {
        if let token {
          try Folder.create(folder)
          // Other users cannot read the file even while it is being written.
          try SmallFile.replace(path, with: Array(token.secret.utf8) + [UInt8(ascii: "\n")], mode: 0o600)
        } else if path.withCString({ unlink($0) }) != 0, errno != ENOENT {
          throw SystemError("unlink", path.description)
        }
        completion(.success(()))
      } catch {
        completion(
          .failure(
            Failure(
              .unavailable,
              token == nil ? "the token cannot be removed: \(error)" : "the token cannot be stored: \(error)")))
      }
    }
  }

  func close() { thread.close() }
}
