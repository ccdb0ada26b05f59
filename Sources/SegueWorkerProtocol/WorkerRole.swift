public import SegueWire

/// The role of a worker, which is its only argument. The sandbox depends on it: a worker that decodes has no network
/// access, and the one with network access decodes nothing and never receives a file of the user.
public enum WorkerRole: String, CaseIterable, Sendable {
  /// The worker decodes files that it receives as descriptors.
  case files
  /// The worker decodes streams, whose bytes it receives from the fetch process.
  case stream
  /// The worker is the fetch process: it alone has network access.
  case fetch

  /// The name of the program of the worker. The fetch process is a program of its own, so that it does not load the
  /// libraries of the codecs, and decoding does not load those of the network.
  public var program: String {
    switch self {
    case .files, .stream: "segue-worker"
    case .fetch: "segue-fetch"
    }
  }

  /// The name of the process in messages for the user, with an article.
  public var processName: LocalizableMessage {
    switch self {
    case .files, .stream: LocalizableMessage("the decoder")
    case .fetch: LocalizableMessage("the process that reads from the network")
    }
  }

  /// The environment variables that a worker inherits from the daemon, besides those that every program inherits from
  /// `Spawn`. It does not inherit the others, which may contain passwords, tokens and the addresses of services of the
  /// session.
  public var inheritedVariables: [String] {
    // The locale determines the sort order and the charsets of old tags.
    let locale = ["LC_ALL", "LC_COLLATE", "LANG"]
    switch self {
    case .files, .stream: return locale
    // The proxy variables of libcurl and the variables of resolver(5).
    case .fetch: return locale + Self.proxyVariables + ["no_proxy", "NO_PROXY", "LOCALDOMAIN", "RES_OPTIONS"]
    }
  }
}

extension WorkerRole {
  /// The variables that name proxies.
  public static let proxyVariables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
}
