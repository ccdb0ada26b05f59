internal import SegueFrontend

/// The messages of the model itself.
enum ModelMessages {
  static var noCurrentTrack: String { tr("There is no current track. Choose one with Enter.") }

  static var keysDiscarded: String {
    tr("The list does not show the last change yet. The keys that you have pressed since then are ignored.")
  }

  static var alreadyDisplayed: String { tr("This screen is displayed already.") }

  static var tooSmall: String { tr("The terminal is too small for this key.") }

  static func unknownKey(_ name: String) -> String {
    tr("The key %1$s has no function here. The key ? lists all keys.", name)
  }
}
