internal import SegueWire

/// Lists that are too long for one request.
enum RequestBatches {
  /// Well below the 1 MiB and the 65,536 values that a request may have.
  private static let longest = 900_000
  private static let most = 50_000

  /// `uris` in their order, in as many parts as it takes; one that is empty if there are none.
  static func of(_ uris: [String]) -> [[String]] {
    var portions: [[String]] = [[]]
    var size = 0
    for uri in uris {
      let cost = uri.utf8.count + 3
      if size > 0, size + cost > longest || portions[portions.count - 1].count == most {
        portions.append([])
        size = 0
      }
      portions[portions.count - 1].append(uri)
      size += cost
    }
    return portions
  }
}
