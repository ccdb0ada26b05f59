import SegueTestKit

/// A daemon with music to scan. It has no sound server, which the library does not need, unless a test passes one.
typealias LibraryFixture = LibraryClientFixture<DaemonProcess>

extension LibraryClientFixture<DaemonProcess> {
  /// Starts the daemon and waits until `songs` are scanned.
  convenience init(_ songs: [Song] = songs, configuration: String = "", pulse: PulseServer? = nil) throws {
    try self.init(songs, configuration: configuration, on: DaemonProcess(pulse: pulse, running: false))
  }
}
