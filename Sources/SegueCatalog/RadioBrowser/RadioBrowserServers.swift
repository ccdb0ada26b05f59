public import SegueWire

/// The servers of Radio Browser. Clients should choose one of them at random, try another one if it fails, and read the
/// list again after a day.
public enum RadioBrowserServers {
  /// Returns the request for the list.
  /// - Parameter base: Any of the servers.
  public static func request(_ base: BaseURL) -> CatalogRequest { CatalogRequest(base, "/json/servers") }

  /// Returns the servers in a response, at most 32, without duplicates. Throws as `CatalogProvider.result(of:from:)`, and
  /// `bad_response` if there is none.
  public static func servers(from response: CatalogResponse) throws(Failure) -> [BaseURL] {
    let json = try response.json(from: "Radio Browser")
    var known: Set<String> = []
    let names = (json.elements ?? []).prefix(256).compactMap { $0.line("name")?.lowercased() }
    let servers = names.filter { known.insert($0).inserted }.prefix(32).compactMap { name in
      // A name is only a host, without a port or a path.
      name.contains(where: { $0 == ":" || $0 == "/" }) ? nil : try? BaseURL("https://\(name)")
    }
    guard !servers.isEmpty else { throw Failure(.badResponse, "Radio Browser sent a list without servers") }
    return servers
  }
}
