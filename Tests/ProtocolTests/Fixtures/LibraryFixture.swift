import SegueTestKit

/// A daemon with music to scan.
typealias LibraryFixture = LibraryClientFixture<TestDaemon>

extension LibraryClientFixture<TestDaemon> {
  /// Starts the daemon and waits until `songs` are scanned.
  convenience init(_ songs: [Song] = songs, configuration: String = "", hasSoundServer: Bool = false) throws {
    try self.init(
      songs, configuration: configuration, on: TestDaemon(hasSoundServer: hasSoundServer, running: false))
  }
}
