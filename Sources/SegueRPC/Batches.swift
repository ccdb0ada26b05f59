/// The division of long lists of URIs into several requests.
public enum URIBatches {
  /// The maximum size of a batch, below the daemon's limit of 1 MiB for a request.
  private static let maximumBytes = 900_000
  /// The maximum length of a batch, below the daemon's limit of 65,536 values for a request.
  private static let maximumCount = 50_000

  /// Splits `uris` into batches without changing their order. Returns one empty batch if there are no URIs.
  public static func split(_ uris: [String]) -> [[String]] {
    var batches: [[String]] = [[]]
    var size = 0
    for uri in uris {
      let cost = uri.utf8.count + 3
      if size > 0, size + cost > maximumBytes || batches[batches.count - 1].count == maximumCount {
        batches.append([])
        size = 0
      }
      batches[batches.count - 1].append(uri)
      size += cost
    }
    return batches
  }
}

/// The division of long lists of ids or indices into several requests.
public enum NumberBatches {
  /// The maximum length of a batch, below the daemon's limits for a request: 65,536 values and 1 MiB. A number has at
  /// most 20 digits.
  private static let maximumCount = 40_000

  /// Splits `numbers` into batches without changing their order.
  public static func split<Number>(_ numbers: [Number]) -> [ArraySlice<Number>] {
    stride(from: 0, to: numbers.count, by: maximumCount).map {
      numbers[$0..<min($0 + maximumCount, numbers.count)]
    }
  }
}

/// A number that the requests of one command have in common, so that the daemon undoes them together.
public enum CommandNumber {
  /// Returns a number for a command with `count` requests; nil for a single one, which needs none.
  public static func forRequests(_ count: Int) -> Int? { count > 1 ? Int(UInt32.random(in: .min ... .max)) : nil }
}
