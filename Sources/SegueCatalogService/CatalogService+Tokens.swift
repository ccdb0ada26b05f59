internal import SegueCatalogProviders
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// The tokens of a user at providers. They are in no response.
extension CatalogService {
  /// Reads the tokens again, after the configuration was changed.
  public func reloadTokens() {
    var tokens: [CatalogItemURI.Scheme: CatalogToken] = [:]
    for provider in providers.all where provider.needsToken {
      tokens[provider.scheme] = tokenFiles.read(provider.scheme)
    }
    self.tokens = tokens
  }

  /// Stores the token of a provider, or removes it if it is nil. `then` is called with the providers when it is on
  /// disk.
  public func setToken(_ text: String?, of name: String, then: @escaping Completion<CatalogProviderList>) {
    do throws(Failure) {
      guard let provider = providers[name], provider.needsToken else {
        throw Failure(.invalidParams, "\(name) needs no token")
      }
      let token = try text.map { text throws(Failure) in try CatalogToken(text) }
      tokenFiles.write(token, of: provider.scheme) { [mailbox = loop.mailbox, weak self] result in
        mailbox.post {
          guard let self else { return }
          self.reloadTokens()
          then(result.map { self.providerList })
        }
      }
    } catch {
      then(.failure(error))
    }
  }
}
