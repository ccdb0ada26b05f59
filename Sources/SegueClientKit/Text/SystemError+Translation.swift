public import SegueSystem
internal import SegueWire

extension SystemError {
  /// The description, in the language of the user. Rare reasons are English.
  public var translated: String { localizableMessage.translated }

  /// The reason without the subject, in the language of the user. Rare reasons are English.
  public var translatedReason: String { localizableReason.translated }
}
