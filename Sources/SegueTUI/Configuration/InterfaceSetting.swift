internal import SegueClientKit

/// A setting of `ui.conf` other than a key: a choice between words. The table of all settings defines the parser and
/// the screen of the settings.
enum InterfaceSetting: CaseIterable, Sendable {
  case theme
  case language
  case clock
  case ratings
  case title
  case visualizer
  case paneVisualizer
  case coverAccent
  case defaultAction
  case albumHeadings

  /// The name of its section.
  var section: String {
    switch self {
    case .theme, .clock, .ratings, .title, .language, .visualizer, .paneVisualizer, .coverAccent:
      InterfaceConfiguration.interfaceSection
    case .defaultAction, .albumHeadings: InterfaceConfiguration.listSection
    }
  }

  /// The key in `ui.conf`.
  var key: String {
    switch self {
    case .theme: "Theme"
    case .clock: "Clock"
    case .ratings: "Ratings"
    case .title: "Title"
    case .visualizer: "Visualizer"
    case .paneVisualizer: "PaneVisualizer"
    case .coverAccent: "CoverAccent"
    case .defaultAction: "DefaultAction"
    case .albumHeadings: "AlbumHeadings"
    case .language: "Language"
    }
  }

  /// The words of the setting, and its place in the configuration.
  private var values: Values {
    switch self {
    case .theme: .choice(\.theme)
    case .clock: .flag(\.showsClock)
    case .ratings: .flag(\.showsRatings)
    case .title: .flag(\.setsTitle)
    case .defaultAction: .choice(\.defaultAction)
    case .albumHeadings: .flag(\.showsAlbumHeadings)
    case .language:
      Values(
        words: [InterfaceConfiguration.environmentLanguage] + Language.available, get: { $0.language },
        set: { $0.language = $1 })
    case .visualizer: .choice(\.visualizer)
    case .paneVisualizer: .flag(\.showsPaneVisualizer)
    case .coverAccent: .flag(\.takesAccentFromCover)
    }
  }

  /// The values that it can have. The first one is the default.
  var words: [String] { values.words }

  /// Returns the word that is the value in a configuration.
  func word(in configuration: InterfaceConfiguration) -> String { values.get(configuration) }

  /// Sets the setting in a configuration to one of its words. Other words have no effect.
  func set(to word: String, in configuration: inout InterfaceConfiguration) {
    if words.contains(word) { values.set(&configuration, word) }
  }

  /// The words that a setting can have, and the access to its value in a configuration.
  private struct Values {
    static let yes = "yes"
    static let no = "no"

    let words: [String]
    let get: (InterfaceConfiguration) -> String
    let set: (inout InterfaceConfiguration, String) -> Void

    /// Creates the values of a setting that is either on or off.
    static func flag(_ place: WritableKeyPath<InterfaceConfiguration, Bool>) -> Values {
      Values(
        words: InterfaceConfiguration()[keyPath: place] ? [yes, no] : [no, yes],
        get: { $0[keyPath: place] ? yes : no }, set: { $0[keyPath: place] = $1 == yes })
    }

    /// Creates the values of a setting that is a choice between the cases of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
      _ place: WritableKeyPath<InterfaceConfiguration, Choice>
    ) -> Values {
      Values(
        words: Choice.allCases.map(\.rawValue), get: { $0[keyPath: place].rawValue },
        set: { $0[keyPath: place] = Choice(rawValue: $1) ?? $0[keyPath: place] })
    }
  }
}

/// When the visualizer is displayed.
enum VisualizerUse: String, CaseIterable, Sendable {
  /// Unless the terminal is at the other end of SSH, whose line may be slow.
  case auto
  case yes
  case no
}

/// The action of Enter on something that can be played and is not in the queue.
enum DefaultAction: String, CaseIterable, Sendable {
  /// Plays it. In an album, a playlist, a folder or the albums of an artist, the rest of that follows, and it replaces
  /// the queue; elsewhere, it is inserted.
  case play
  /// Adds it after the current track and plays it. The queue goes on after it.
  case insert
  /// Adds it to the end of the queue.
  case add
  /// Shows its details.
  case details
}
