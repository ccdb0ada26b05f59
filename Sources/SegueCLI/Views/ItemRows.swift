internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A numbered item as a row of a table, or as fields for programs.
struct ItemRow {
  let item: CatalogItem
  /// The number of the result; nil if results are not numbered.
  let number: Int?
  /// Whether the list has items of several kinds, so that the kind is shown.
  let showsKind: Bool

  static let columns: [Table.Column] = [
    .number(), .number(), .text(weight: 1, dropOrder: 5), .text(weight: 3),
    .text(weight: 2, dropOrder: 1), .text(weight: 2, dropOrder: 4), .number(dropOrder: 3), .number(dropOrder: 2),
  ]

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [
        number.map(String.init) ?? "", item.favorite ? style.heart : "", showsKind ? item.kind.label : "",
        item.title.visible, (item.creator ?? "").visible, item.mainFact.visible, item.year.map(String.init) ?? "",
        item.duration?.clock ?? "",
      ])
  }

  /// The line for programs.
  var tabSeparated: String {
    let fields = [
      item.uri, item.kind.rawValue, item.title, item.creator ?? "", item.year.map(String.init) ?? "",
      item.duration?.clock ?? "", item.favorite ? "favorite" : "",
    ].map(\.visible)
    return ((number.map { [String($0)] } ?? []) + fields).joined(separator: "\t")
  }
}

extension CatalogItem {
  /// Returns `Title — Creator`, or the title alone.
  func heading(_ style: Style) -> String {
    guard let creator, !creator.isEmpty else { return title.visible }
    return "\(title.visible) \(style.dash) \(creator.visible)"
  }

  /// Returns the value of a fact, or nil if the item does not have it.
  func fact(_ name: Fact.Name) -> String? { facts.first { $0.name == name }?.value }

  /// The most important fact that a table shows beside title, creator, year and duration.
  var mainFact: String {
    switch kind {
    case .song: fact(.album) ?? genres.first ?? ""
    case .episode: fact(.podcast) ?? genres.first ?? ""
    case .album: fact(.tracks).map { Int($0).map(Counts.songs) ?? $0 } ?? genres.first ?? ""
    case .film: ratingText ?? genres.first ?? ""
    case .audiobook, .podcast, .artist: genres.first ?? ""
    case .station: [streamFormat, fact(.country)].compactMap { $0 }.joined(separator: ", ")
    case .person: fact(.character) ?? fact(.knownFor) ?? fact(.department) ?? ""
    }
  }

  /// The facts in a line, such as `1988 · 4:46 · Rock`.
  func shortFacts(_ style: Style) -> String {
    let rated = kind == .film || ratingText == nil ? nil : ratingText
    let main = mainFact.isEmpty ? nil : mainFact
    let genre = genres.first == main ? nil : genres.first
    return [year.map(String.init), duration?.clock, main, genre, rated].compactMap { $0?.visible }
      .joined(separator: style.unicode ? " · " : " - ")
  }

  /// The average rating, such as `7.8 of 10`; nil if it is unknown.
  var ratingText: String? { rating?.value.map { tr("%1$s of 10", decimalText($0)) } }

  /// The codec and the bit rate of a station, such as `MP3 128 kbit/s`.
  private var streamFormat: String? {
    let words = [fact(.codec), fact(.bitrate).map { tr("%1$s kbit/s", $0) }].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Returns a number with at most one decimal place, for programs.
  static func oneDecimal(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
