internal import SegueClientKit
internal import SegueWire

/// The outputs of the sound server, of which Enter selects one.
struct OutputsScreen: ItemScreen {
  var tabs = ItemTabs([.outputs])
  var title: String { OutputMessages.title }
  var commands: [Command] {
    [.open] + Command.navigation + [.filter] + (list.canCancel ? [.cancel] : []) + [.reload, .back] + Command.playback
      + Command.everywhere
  }
  let hints: [Command] = [.open, .louder, .quieter, .mute, .back, .help]
}

/// The messages about outputs.
enum OutputMessages {
  static var title: String { tr("Outputs") }
  static func emptyHint(_ state: SharedState) -> String {
    tr("Connect a device. %1$s reads the list again.", state.named(.reload))
  }
  static var selected: String { tr("The output is changed.") }

  static func format(_ output: OutputDevice) -> String {
    trn("%2$s Hz, 1 channel", "%2$s Hz, %1$d channels", output.channels, output.sampleRate)
  }
}
