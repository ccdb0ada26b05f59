internal import SegueCatalog
internal import SeguePlayer
internal import SegueWire

private let page = (name: "page", schema: Schema.named("CatalogPage"))
private let details = (name: "details", schema: Schema.named("CatalogDetails"))

private let provider = Method.Parameter(
  name: "provider", schema: .string, summary: "The name of a provider. Default: one that can answer.")
private let country = Method.Parameter(
  name: "country", schema: .string, summary: "Two letters (ISO 3166). Default: the setting catalog.country.")
private let refresh = Method.Parameter(
  name: "refresh", schema: .boolean, summary: "true: asks the provider even if the cache has a fresh response.",
  defaultValue: "false")
private let uri = Method.Parameter.uri("The URI of an item, such as itunes:album:ID.")

/// The kinds of errors of requests that need the network.
private let networkErrors = [.notFound, .denied, .outOfRange, .tooLarge, .unavailable] + [Failure.Kind].ofNetwork

private func kind(_ standard: Item.Kind?) -> Method.Parameter {
  Method.Parameter(
    name: "kind", schema: .choice(of: Item.Kind.self),
    summary: standard == nil ? "The kind of the items. Default: several kinds." : "The kind of the items.",
    defaultValue: standard.map { "\"\($0.rawValue)\"" })
}

private func limit(_ standard: Int, upTo maximum: Int64 = 200) -> Method.Parameter {
  Method.Parameter(
    name: "limit", schema: .integer(1...maximum), summary: "The maximum number of items.", defaultValue: "\(standard)")
}

let catalogMethods = [
  Method(
    name: "catalog.providers", summary: "Lists the providers of online catalogues.",
    result: (name: "providers", schema: .named("CatalogProviderList"))
  ) { call in
    call.responder.send(call.player.catalogProviders)
  },
  Method(
    name: "catalog.genres", summary: "Lists the genres by which `catalog.popular` can be limited.",
    parameters: [
      .init(name: "kind", schema: .choice(of: Item.Kind.self), summary: "The kind of the items.", isRequired: true),
      .init(name: "provider", schema: .string, summary: "The name of a provider. Default: all."),
    ],
    result: (name: "genres", schema: .named("CatalogGenreList")), errors: [.notFound]
  ) { call in
    call.responder.send(
      Result { () throws(Failure) in
        try call.player.catalogGenres(of: call.word("kind") ?? .song, from: call.string("provider"))
      })
  },
  Method(
    name: "catalog.search",
    summary: "Searches an online catalogue, best match first; albums are sorted by title over all pages.",
    parameters: [
      .init(name: "query", schema: .string, summary: "At least three characters.", isRequired: true),
      kind(nil), provider, country, .offset, limit(30),
      .init(
        name: "remember", schema: .boolean, summary: "Adds the query to the last searches.", defaultValue: "true"),
    ],
    result: page, errors: [.queryTooShort] + networkErrors, isDetached: true
  ) { call in
    call.sendItems(
      .search(call.word("kind"), call.string("query") ?? ""), limit: 30, isRemembered: call.bool("remember") ?? true)
  },
  Method(
    name: "catalog.suggest",
    summary:
      "Completes a partial search with items of an online catalogue. A later call of the same client ends this one with "
      + "the error `cancelled`.",
    parameters: [
      .init(name: "prefix", schema: .string, summary: "The text that was typed so far.", isRequired: true),
      kind(.song), provider, limit(10, upTo: 30),
    ],
    result: page, errors: [.queryTooShort, .cancelled] + networkErrors, isDetached: true
  ) { call in
    call.player.suggestFromCatalog(
      call.string("prefix") ?? "", call.word("kind") ?? .song, from: call.string("provider"),
      limit: call.integer("limit") ?? 10, in: call.session.catalogRequests,
      then: call.responder.sendOffLoop)
  },
  Method(
    name: "catalog.popular", summary: "Lists the most popular items of a kind.",
    parameters: [
      kind(.song),
      .init(
        name: "genre", schema: .nullable(.string),
        summary:
          "The id or name of a genre, or the beginning of a name; null: all genres. Default for films: the setting "
          + "catalog.genre."), provider, country, .offset, limit(20), refresh,
    ],
    result: page, errors: networkErrors, isDetached: true
  ) { call in
    let kind: Item.Kind = call.word("kind") ?? .song
    let genre =
      if let value = call["genre"] { value.string } else {
        call.player.standardGenre(of: kind, from: call.string("provider"))
      }
    call.sendItems(.popular(kind, genre: genre), limit: 20, refresh: call.bool("refresh") ?? false)
  },
  Method(
    name: "catalog.people", summary: "Lists the most popular people: those of films, or artists.",
    parameters: [provider, country, .offset, limit(20), refresh], result: page, errors: networkErrors, isDetached: true
  ) { call in
    call.sendItems(.people, limit: 20, refresh: call.bool("refresh") ?? false)
  },
  Method(
    name: "catalog.info",
    summary:
      "Returns an item and a page of what belongs to it: the songs of an album, the episodes of a podcast, the albums of "
      + "an artist, the actors of a film, the films of an actor.",
    parameters: [uri, .offset, limit(200), refresh], result: details, errors: networkErrors, isDetached: true
  ) { call in
    call.player.itemDetails(
      call.string("uri") ?? "", call.page(limit: 200), refresh: call.bool("refresh") ?? false,
      in: call.session.catalogRequests,
      then: call.responder.sendOffLoop)
  },
  Method(
    name: "catalog.person", summary: "Returns a person or an artist with a page of their works.",
    parameters: [uri, .offset, limit(200), refresh], result: details, errors: networkErrors, isDetached: true
  ) { call in
    call.player.personDetails(
      call.string("uri") ?? "", call.page(limit: 200), refresh: call.bool("refresh") ?? false,
      in: call.session.catalogRequests,
      then: call.responder.sendOffLoop)
  },
  Method(
    name: "catalog.hints", summary: "Lists the last five searches in online catalogues, newest first.",
    parameters: [
      .init(name: "prefix", schema: .string, summary: "Only searches that contain this text; case is ignored.")
    ],
    result: (name: "searches", schema: .named("SearchList"))
  ) { call in
    call.responder.send(call.player.catalogHints(containing: call.string("prefix") ?? ""))
  },
  Method(
    name: "catalog.setToken",
    summary: "Stores the token of a provider in a file that only the user can read. No method returns it.",
    parameters: [
      .init(
        name: "provider", schema: .choice(CatalogProviders().all.filter(\.needsToken).map(\.name)),
        summary: "The name of the provider.", isRequired: true),
      .init(name: "token", schema: .nullable(.string), summary: "The token; null removes it.", isRequired: true),
    ],
    result: (name: "providers", schema: .named("CatalogProviderList")), errors: [.denied, .unavailable]
  ) { call in
    call.player.setCatalogToken(
      call.string("token"), of: call.string("provider") ?? "", then: call.responder.send)
  },
]

extension Call {
  /// Sends the items that a query finds. The method has the parameters `provider`, `country`, `offset` and `limit`.
  fileprivate func sendItems(
    _ subject: CatalogQuery.Subject, limit: Int, refresh: Bool = false, isRemembered: Bool = false
  ) {
    player.catalogItems(
      subject, from: string("provider"), country: string("country"), page(limit: limit), refresh: refresh,
      isRemembered: isRemembered, in: session.catalogRequests, then: responder.sendOffLoop)
  }
}
