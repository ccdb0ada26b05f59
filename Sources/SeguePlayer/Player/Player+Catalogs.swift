public import SegueCatalogProviders
public import SegueCatalogService
internal import SegueState
public import SegueWire

/// Requests to online catalogues. Those that need the network may take seconds.
extension Player {
  public var catalogProviders: CatalogProviderList { catalogs.providerList }

  /// Returns the genres of a kind, of one provider or of all. Throws `not_found` if there is no such provider.
  public func catalogGenres(of kind: CatalogItem.Kind, from provider: String?) throws(Failure) -> CatalogGenreList {
    try catalogs.genres(of: kind, from: provider)
  }

  /// Lists the items that a query finds.
  /// - Parameter isRemembered: Whether the term of a search is offered as a hint later.
  public func catalogItems(
    _ subject: CatalogQuery.Subject, from provider: String?, country: String?, _ page: PageRequest, refresh: Bool,
    isRemembered: Bool, in group: CatalogRequestGroup, then: @escaping Completion<CatalogPage>
  ) {
    catalogs.answer(
      subject, from: provider, country: country, page: page, refresh: refresh, in: group
    ) { [weak self] result in
      guard let self else { return }
      if isRemembered, case (.success, .search(_, let term), 0) = (result, subject, page.offset) {
        self.recentSearches.add(term)
      }
      then(self.page(page, of: result))
    }
  }

  /// Finds the items that complete a text. An earlier request of the same group fails as `cancelled`.
  public func suggestFromCatalog(
    _ text: String, _ kind: CatalogItem.Kind, from provider: String?, limit: Int, in group: CatalogRequestGroup,
    then: @escaping Completion<CatalogPage>
  ) {
    catalogs.suggest(kind, text, from: provider, limit: limit, in: group) { [weak self] result in
      guard let self else { return }
      then(self.page(PageRequest(limit: limit), of: result))
    }
  }

  private func page(
    _ page: PageRequest, of result: Result<CatalogAnswer, Failure>
  ) -> Result<CatalogPage, Failure> {
    result.map { $0.page(page, favorites: favorites.uris) }
  }

  /// Returns the genre of a chart that is listed if a request names none: for films that of the settings; nil for all
  /// genres.
  public func standardGenre(of kind: CatalogItem.Kind, from provider: String?) -> String? {
    catalogs.standardGenre(of: kind, from: provider)
  }

  /// Finds the details of an item. `page`: the part of the items that belong to it.
  public func itemDetails(
    _ uri: String, _ page: PageRequest, refresh: Bool, in group: CatalogRequestGroup,
    then: @escaping Completion<CatalogDetails>
  ) {
    do throws(Failure) {
      catalogs.details(of: try CatalogItemURI(uri), refresh: refresh, in: group) { [weak self] result in
        guard let self else { return }
        then(
          result.flatMap { answer in
            Result { () throws(Failure) in try answer.details(page, favorites: self.favorites.uris) }
          })
      }
    } catch {
      then(.failure(error))
    }
  }

  /// Finds the details of a person or an artist.
  public func personDetails(
    _ uri: String, _ page: PageRequest, refresh: Bool, in group: CatalogRequestGroup,
    then: @escaping Completion<CatalogDetails>
  ) {
    do throws(Failure) {
      let kind = try CatalogItemURI(uri).kind
      guard kind == .person || kind == .artist else {
        throw Failure(.invalidParams, "\(uri): neither a person nor an artist")
      }
      itemDetails(uri, page, refresh: refresh, in: group, then: then)
    } catch {
      then(.failure(error))
    }
  }

  /// Returns the last searches in online catalogues that contain a text, the newest first.
  public func catalogHints(containing text: String) -> SearchList {
    SearchList(searches: recentSearches.searches(containing: text))
  }

  /// Stores the token of a provider, or removes it if it is nil.
  public func setCatalogToken(
    _ token: String?, of provider: String, then: @escaping Completion<CatalogProviderList>
  ) {
    catalogs.setToken(token, of: provider, then: then)
  }
}

extension CatalogSettings {
  init(_ configuration: Configuration) {
    self.init()
    self.configuration = configuration.catalogs
    country = configuration.catalogCountry
    language = configuration.catalogLanguage
    filmGenre = configuration.catalogGenre
  }
}
