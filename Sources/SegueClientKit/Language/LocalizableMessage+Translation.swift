internal import SegueSystem
public import SegueWire

extension LocalizableMessage {
  /// The message in the language of the user. It is the English one if there is no translation, or if the arguments are
  /// not those of the template: the daemon may be of another version. The URIs of files among the arguments become
  /// paths.
  ///
  /// Like the arguments of `tr`, those of a translation are cut if they are long, and their control characters become
  /// visible.
  public var translated: String {
    guard let template, let translation = Language.translation(of: template) ?? (namesFile ? template : nil),
      MessageFormat.placeholders(of: template) == Set(1..<(arguments.count + 1)),
      MessageFormat.placeholders(of: translation).isSubset(of: 1..<(arguments.count + 1))
    else { return text }
    let arguments = arguments.map { argument in
      switch argument {
      case .text(let text): Self.path(text) ?? text
      case .message(let message): message.translated
      }
    }
    return MessageFormat.format(translation, arguments)
  }

  /// Whether the URI of a file is among the arguments.
  private var namesFile: Bool {
    arguments.contains { argument in
      switch argument {
      case .text(let text): Self.path(text) != nil
      case .message(let message): message.namesFile
      }
    }
  }

  /// Returns the path of a `file://` URI; nil for every other text.
  private static func path(_ text: String) -> String? {
    text.hasPrefix("file://") ? FileURI.decode(text)?.description : nil
  }
}
