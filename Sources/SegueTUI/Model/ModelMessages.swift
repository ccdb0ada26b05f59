internal import SegueClientKit
internal import SegueWire

/// The messages of the model itself.
enum ModelMessages {
  /// Returns why there is no current track, and what would give one.
  static func noCurrentTrack(_ state: SharedState) -> String {
    guard state.status?.length == 0 else { return tr("There is no current track. Choose one with Enter.") }
    return tr(
      "The queue is empty. The key %1$s shows the library.", state.configuration.bindings.keyLabel(of: .showLibrary))
  }

  static var keysDiscarded: String {
    tr("The list does not show the last change yet. The keys that you have pressed since then are ignored.")
  }

  static var alreadyDisplayed: String { tr("This screen is displayed already.") }

  static var tooSmall: String { tr("The terminal is too small for this key.") }
}
