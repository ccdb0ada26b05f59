public import SegueSystem

/// A daemon under test: a process (`DaemonProcess`), or one in the process of the test.
public protocol TestedDaemon: AnyObject {
  /// The folder that contains the home folder and the music folder.
  var directory: FilePath { get }
  var socket: FilePath { get }

  /// Starts the daemon and returns when it listens. `sources`: what replaces the queue.
  func start(_ sources: [String]) throws
}

extension TestedDaemon {
  public func start() throws { try start([]) }

  public func connect() throws(SystemError) -> SocketClient { try SocketClient(to: socket) }

  /// Writes segue.conf, which the daemon reads when it starts.
  public func configure(_ text: String) throws(SystemError) {
    let folder = directory.appending("home/.config/segue")
    try Folder.create(folder)
    try SmallFile.write(Array(text.utf8), to: folder.appending("segue.conf"))
  }
}
