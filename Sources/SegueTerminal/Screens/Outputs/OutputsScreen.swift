internal import SegueWire

/// The outputs of the sound server, of which Enter selects one.
struct OutputsScreen: ItemScreen {
  var tabs = ItemTabs([.outputs])
  let title = OutputMessages.title
  var commands: [Command] {
    [.open] + Command.navigation + [.filter] + (list.canCancel ? [.cancel] : []) + [.reload, .back] + Command.playback
      + Command.everywhere
  }
  let hints: [Command] = [.open, .louder, .quieter, .mute, .back, .help]
}

/// The messages about outputs.
enum OutputMessages {
  static let title = "Outputs"
  static let empty = "The sound server has no output."
  static let emptyHint = "Connect a device; the list shows it when it is read again with the key F5."
  static let selected = "The output is changed."

  static func outputs(_ count: Int) -> String { count == 1 ? "1 output" : "\(count) outputs" }

  static func format(_ output: OutputDevice) -> String {
    output.channels == 1 ? "\(output.sampleRate) Hz, 1 channel" : "\(output.sampleRate) Hz, \(output.channels) channels"
  }
}
