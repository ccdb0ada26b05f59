internal import SegueClientKit

/// A setting of `ui.conf` other than a key: a choice between words. The table of all settings defines the parser and
/// the screen of the settings.
enum InterfaceSetting: CaseIterable, Sendable {
  case theme
  case clock
  case ratings
  case title
  case defaultAction
  case albumHeadings
  case language
  case visualizer

  /// The name of its section.
  var section: String {
    switch self {
    case .theme, .clock, .ratings, .title, .language, .visualizer: "Interface"
    case .defaultAction, .albumHeadings: "Lists"
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
    case .defaultAction: "DefaultAction"
    case .albumHeadings: "AlbumHeadings"
    case .language: "Language"
    }
  }

  /// The values that it can have. The first one is the default.
  var words: [String] {
    switch self {
    case .theme: Theme.allCases.map(\.rawValue)
    case .clock, .ratings, .title, .albumHeadings: ["yes", "no"]
    case .visualizer: VisualizerUse.allCases.map(\.rawValue)
    case .defaultAction: DefaultAction.allCases.map(\.rawValue)
    case .language: [InterfaceConfiguration.environmentLanguage] + Language.available
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
