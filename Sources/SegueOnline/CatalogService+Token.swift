internal import SegueCatalog
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// The token of a user at a provider. It is in no response.
extension CatalogService {
  /// Reads the token again, after the configuration was changed.
  public func reloadToken() { token = tokenFile.read() }

  /// Stores a token, or removes it if it is nil. `then` is called with the providers when it is on disk.
  public func setToken(_ text: String?, of name: String, then: @escaping Completion<CatalogProviderList>) {
    do throws(Failure) {
      guard name == CatalogItemURI.Scheme.tmdb.rawValue else {
        throw Failure(.invalidParams, "\(name) needs no token")
      }
      let token = try text.map { text throws(Failure) in try CatalogToken(text) }
      tokenFile.write(token) { [mailbox = loop.mailbox, weak self] result in
        mailbox.post {
          guard let self else { return }
          self.reloadToken()
          then(result.map { self.providerList })
        }
      }
    } catch {
      then(.failure(error))
    }
  }
}
