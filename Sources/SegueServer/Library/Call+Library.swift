// Thread: the loop. The closures that `respond` takes run on the thread that reads the index, where results are
// encoded.

internal import SegueIndex
internal import SeguePlayer
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

extension Call {
  /// Responds with the result of `body`, which reads the index.
  func respond(
    reading body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Result<Request.Result, Failure>
  ) {
    let responder = responder
    player.index.read(
      { reader throws(StoreError) in try body(reader).map { EncodedJSON($0) } }, then: { responder.send($0) })
  }

  /// Responds with the value that `body` reads from the index.
  func respond(
    with body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Request.Result
  ) {
    respond(reading: { reader throws(StoreError) in .success(try body(reader)) })
  }
}

extension Call where Request: PagedRequest {
  /// The page that `offset` and `limit` select.
  var page: PageRequest {
    PageRequest(offset: request.offset, limit: min(request.limit, ResponseLimits.listLength))
  }
}

extension Call where Request: FilteredRequest {
  /// The filter that the parameters describe.
  var filter: LibraryFilter {
    var filter = LibraryFilter()
    filter.artist = request.artist
    filter.genre = request.genre
    filter.years = request.year?.years
    filter.addedSince = request.addedWithin.map { .now - $0 }
    filter.isFavorite = request.favorite == true
    return filter
  }
}

extension Call where Request: FilteredTracksRequest {
  /// The filter that the parameters describe.
  var trackFilter: LibraryFilter {
    var filter = filter
    filter.album = request.album
    filter.format = request.format
    filter.ratings = request.rating.map { $0...10 }
    return filter
  }
}
