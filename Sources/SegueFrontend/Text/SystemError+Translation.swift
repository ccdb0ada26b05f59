public import SegueSystem
internal import SegueWire

extension SystemError {
  /// The reason without the subject, in the language of the user. Rare reasons are English.
  public var translatedReason: String { localizableReason.translated }
}
