import Testing

/// A command line, as the words after `segue`, and the requests that it sends to the daemon.
struct RequestExample: Sendable, CustomTestStringConvertible {
  let words: [String]
  let requests: [String]
  var testDescription: String { words.joined(separator: " ") }

  init(_ words: String, _ requests: String...) {
    self.words = words.split(separator: " ").map(String.init)
    self.requests = requests
  }
}
