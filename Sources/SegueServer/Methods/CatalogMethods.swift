internal import SegueCatalogProviders
internal import SeguePlayer
internal import SegueWire

let catalogMethods = [
  Method(CatalogProvidersRequest.self) { call in call.responder.send(call.player.catalogProviders) },
  Method(CatalogGenresRequest.self) { call throws(Failure) in
    call.responder.send(try call.player.catalogGenres(of: call.request.kind, from: call.request.provider))
  },
  Method(CatalogSearchRequest.self) { call in
    let request = call.request
    call.player.catalogItems(
      .search(request.kind, request.query), from: request.provider, country: request.country, call.page,
      refresh: false, isRemembered: request.remember && call.session.keepsSearches, in: call.session.catalogRequests,
      then: call.responder.sendOffLoop)
  },
  Method(CatalogSuggestRequest.self) { call in
    call.player.suggestFromCatalog(
      call.request.prefix, call.request.kind, from: call.request.provider, limit: call.request.limit,
      in: call.session.catalogRequests, then: call.responder.sendOffLoop)
  },
  Method(CatalogPopularRequest.self) { call in
    let request = call.request
    let genre = request.genre ?? call.player.standardGenre(of: request.kind, from: request.provider)
    call.player.catalogItems(
      .popular(request.kind, genre: genre), from: request.provider, country: request.country, call.page,
      refresh: request.refresh, isRemembered: false, in: call.session.catalogRequests,
      then: call.responder.sendOffLoop)
  },
  Method(CatalogPeopleRequest.self) { call in
    let request = call.request
    call.player.catalogItems(
      .people, from: request.provider, country: request.country, call.page, refresh: request.refresh,
      isRemembered: false, in: call.session.catalogRequests, then: call.responder.sendOffLoop)
  },
  Method(CatalogInfoRequest.self) { call in
    call.player.itemDetails(
      call.request.uri, call.page, refresh: call.request.refresh, in: call.session.catalogRequests,
      then: call.responder.sendOffLoop)
  },
  Method(CatalogPersonRequest.self) { call in
    call.player.personDetails(
      call.request.uri, call.page, refresh: call.request.refresh, in: call.session.catalogRequests,
      then: call.responder.sendOffLoop)
  },
  Method(CatalogSearchesRequest.self) { call in
    call.responder.send(call.player.catalogHints(containing: call.request.prefix ?? ""))
  },
  Method(CatalogSetTokenRequest.self) { call in
    call.player.setCatalogToken(
      call.request.token, of: call.request.provider.rawValue, then: call.responder.send)
  },
]
