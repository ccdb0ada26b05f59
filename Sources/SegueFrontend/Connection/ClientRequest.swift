public import SegueWire

/// A JSON-RPC request without its id.
public struct ClientRequest {
  public let method: String
  /// The encoded parameters. They are nil if the method is called without parameters.
  public let parameters: [UInt8]?

  public init(_ method: String) {
    self.method = method
    parameters = nil
  }

  public init(_ method: String, json: [UInt8]?) {
    self.method = method
    parameters = json
  }

  /// Creates a request with the named parameters that `write` encodes.
  public init(_ method: String, _ write: (inout JSONWriter) -> Void) {
    self.method = method
    var json = JSONWriter()
    json.beginObject()
    write(&json)
    json.endObject()
    parameters = json.bytes
  }

  /// Returns the encoded request, including the line feed.
  public func line(id: Int) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("jsonrpc", "2.0")
    json.member("id", id)
    json.member("method", method)
    if let parameters {
      json.key("params")
      json.raw(parameters)
    }
    json.endObject()
    json.endLine()
    return json.bytes
  }
}

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
  /// The maximum length of a batch, below the daemon's limits for a request: 65,536 values and 1 MiB. A number has at most
  /// 20 digits.
  private static let maximumCount = 40_000

  /// Splits `numbers` into batches without changing their order.
  public static func split<Number>(_ numbers: [Number]) -> [ArraySlice<Number>] {
    stride(from: 0, to: numbers.count, by: maximumCount).map {
      numbers[$0..<min($0 + maximumCount, numbers.count)]
    }
  }
}

/// A number that the requests of one command have in common, so that the daemon undoes them together.
public struct CommandNumber {
  private let number: UInt32?

  /// Creates a number for a command with `count` requests. A single one needs none.
  public init(forRequests count: Int) { number = count > 1 ? .random(in: .min ... .max) : nil }

  public func write(to json: inout JSONWriter) {
    if let number { json.member("command", Int(number)) }
  }
}

extension JSONWriter {
  public mutating func member(_ name: StaticString, numbers: ArraySlice<some BinaryInteger>) {
    key(name)
    beginArray()
    for number in numbers { integer(number) }
    endArray()
  }
}
