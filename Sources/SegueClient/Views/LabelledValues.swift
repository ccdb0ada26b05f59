internal import SegueFrontend
internal import SegueSystem

/// Values with labels for a terminal: each value stands beside its label, wrapped to the width.
struct LabelledValues {
  private static let labelWidth = 16
  /// The minimum width for labels in a column of their own.
  private static let minimumColumns = 40

  private let values: [(label: String, value: String)]
  private let style: Style

  /// Unknown values, which are empty, are omitted.
  init(_ values: [(label: String, value: String)], style: Style) {
    self.values = values.filter { !$0.value.isEmpty }
    self.style = style
  }

  var lines: [String] { values.flatMap { lines($0.label, $0.value.visible) } }

  private func lines(_ label: String, _ value: String) -> [String] {
    guard style.columns >= Self.minimumColumns else { return "\(label) \(value)".wrapped(to: style.columns) }
    // An address is not wrapped, so that it can be copied.
    let isAddress = value.range(of: "://") != nil
    let parts = isAddress ? [value] : value.wrapped(to: style.columns - Self.labelWidth)
    return parts.enumerated().map { index, part in
      style.paint((index == 0 ? label : "").padded(to: Self.labelWidth, ellipsis: ""), .dim) + part
    }
  }
}
