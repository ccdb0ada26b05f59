public import SegueWire

extension LocalizableMessage {
  /// The message in the language of the user. It is the English one if there is no translation, or if the arguments are not those
  /// of the template: the daemon may be of another version.
  ///
  /// Like the arguments of `tr`, those of a translation are cut if they are long, and their control characters become visible.
  public var translated: String {
    guard let template, let translation = Language.translation(of: template),
      MessageFormat.placeholders(of: template) == Set(1..<(arguments.count + 1)),
      MessageFormat.placeholders(of: translation).isSubset(of: 1..<(arguments.count + 1))
    else { return text }
    let arguments = arguments.map { argument in
      switch argument {
      case .text(let text): text
      case .message(let message): message.translated
      }
    }
    return MessageFormat.format(translation, arguments)
  }
}
