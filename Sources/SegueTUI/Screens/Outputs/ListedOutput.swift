internal import SegueClientKit
internal import SegueWire

/// A row of the outputs: a sink of the sound server, or the chosen one while the sound server does not have it.
struct ListedOutput: Equatable {
  /// The name of the sink.
  let name: String
  /// The sink; nil if the sound server does not have it.
  let device: OutputDevice?
  /// Whether the user has chosen the sink. Another one may be in use, or it may be the default.
  let isChosen: Bool

  /// Returns the rows of a response to `output.list`.
  static func rows(of list: OutputList) -> [ListedOutput] {
    let rows = list.outputs.map { ListedOutput(name: $0.name, device: $0, isChosen: $0.name == list.chosen) }
    guard let chosen = list.chosen, !rows.contains(where: \.isChosen) else { return rows }
    return rows + [ListedOutput(name: chosen, device: nil, isChosen: true)]
  }

  var isCurrent: Bool { device?.isCurrent ?? false }

  var title: String { device?.description.visible ?? name.visible }

  /// What distinguishes the sink from others.
  var marks: String {
    guard let device else { return tr("(chosen, not connected)") }
    let marks = (device.isDefault ? [tr("(default)")] : []) + (isChosen ? [tr("(chosen)")] : [])
    return marks.joined(separator: "  ")
  }
}
