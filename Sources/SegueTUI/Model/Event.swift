internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// Something that changes the model.
enum Event {
  case input(InputEvent)
  case resized(ScreenSize)
  /// A connection to the daemon was made.
  case connected
  /// The connection was lost, or could not be made.
  case disconnected(ClientError)
  case response(DaemonCall, Result<JSON, ClientError>)
  /// The change of the last response is in effect, but could not be saved.
  case changeNotSaved
  case changed(ProtocolEvent)
  /// A change of the configuration was written to `ui.conf`, or not because of an error.
  case saved(SystemError?)
  /// A page was passed to the browser, or not because there is no program for that.
  case linkOpened(String)
  case linkNotOpened(String)
  /// The file of a picture could not be read: other pictures may have taken its place in the cache.
  case pictureUnreadable(FilePath)
  /// The time that `Model.nextTick` has named is reached.
  case tick
}

/// Something that the model asks the driver to do.
enum InterfaceRequest: Equatable {
  case call(DaemonCall)
  case save(ConfigurationChange)
  case openLink(String)
  case quit
  case suspend
  case redraw
}
