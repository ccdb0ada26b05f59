/// What a worker is for; its one argument. It is locked in accordingly, so that none that reads files ever has the
/// network, and none that has the network ever gets a file of the user's.
public enum WorkerRole: String, CaseIterable, Sendable {
  /// Reads what comes as a descriptor.
  case files
  /// Reads what lies behind a URL.
  case network
}
