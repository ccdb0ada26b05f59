internal import SegueClientKit
internal import SegueWire

/// The messages of the model itself.
enum ModelMessages {
  /// Returns why there is no current track, and what would give one.
  static func noCurrentTrack(_ state: SharedState) -> String {
    state.status?.length == 0
      ? PlaybackMessages.emptyQueue(state)
      : tr("There is no current track. Choose one with %1$s.", state.named(.open))
  }

  static func noFunction(_ key: Key, _ state: SharedState) -> String {
    tr("The key %1$s has no function here. %2$s lists all keys.", key.label, state.named(.help))
  }

  static var keysDiscarded: String {
    tr("The list does not show the last change yet. The keys that you have pressed since then are ignored.")
  }

  static var alreadyDisplayed: String { tr("This screen is displayed already.") }

  static var tooSmall: String { tr("The terminal is too small for this key.") }
}
