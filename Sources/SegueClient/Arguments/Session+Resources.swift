extension Session {
  /// Calls `body` with the URIs of those `arguments` that name something, and reports the others, for which the verb
  /// fails in the end.
  func withResources(
    _ arguments: [Argument], _ body: ([String]) throws(ClientError) -> Void
  ) throws(ClientError) {
    let (uris, errors) = Resource.uris(arguments)
    if uris.isEmpty, errors.count == 1 { throw errors[0] }
    for error in errors { console.complain(error.text) }
    if !uris.isEmpty { try body(uris) }
    if !errors.isEmpty { throw .reported }
  }
}
