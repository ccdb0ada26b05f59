internal import Glibc
internal import SegueLink

/// The proxies that the environment names for the fetch process.
enum NetworkProxy {
  /// Whether there is a proxy, through which hosts are reached that have no route.
  static let isConfigured = WorkerRole.proxyVariables.contains { getenv($0).map { $0.pointee != 0 } ?? false }
}
