internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode

/// Values with labels for a terminal: each value stands beside its label, wrapped to the width.
struct LabelledValues {
  /// The minimum width of the column of labels.
  private static let minimumLabelWidth = 16
  /// The minimum width for labels in a column of their own.
  private static let minimumColumns = 40

  private let values: [(label: String, value: String)]
  private let style: Style
  private let labelWidth: Int

  /// Unknown values, which are empty, are omitted.
  init(_ values: [(label: String, value: String)], style: Style) {
    self.values = values.filter { !$0.value.isEmpty }
    self.style = style
    let longest = self.values.map { DisplayWidth.of($0.label) }.max() ?? 0
    labelWidth = max(Self.minimumLabelWidth, longest + 2)
  }

  var lines: [String] { values.flatMap { lines($0.label, $0.value.visible) } }

  private func lines(_ label: String, _ value: String) -> [String] {
    guard style.columns >= max(Self.minimumColumns, 2 * labelWidth) else {
      return "\(label) \(value)".wrapped(to: style.columns)
    }
    let isWhole = !style.wrapsAddresses && value.range(of: "://") != nil
    let parts = isWhole ? [value] : value.wrapped(to: style.columns - labelWidth)
    return parts.enumerated().map { index, part in
      style.paint((index == 0 ? label : "").padded(to: labelWidth, ellipsis: ""), .dim) + part
    }
  }
}
