internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The output of `info` and `person` for an item of a catalogue: every member that is known.
struct CatalogItemScreen {
  let item: CatalogItem
  let style: Style

  /// The lines for a terminal.
  var lines: [String] {
    var lines = [style.paint(style.fitted(item.title.visible), .bold)] + LabelledValues(members, style: style).lines
    if let description = item.description, !description.isEmpty {
      lines.append("")
      for paragraph in description.split(separator: "\n", omittingEmptySubsequences: false) {
        lines += paragraph.isEmpty ? [""] : String(paragraph).visible.wrapped(to: style.columns)
      }
    }
    return lines
  }

  /// The `key: value` lines for programs, in a fixed order. Unknown values are empty.
  static func fields(_ item: CatalogItem) -> [String] {
    let rating = item.rating
    let members: [(key: String, value: String?)] = [
      ("uri", item.uri), ("kind", item.kind.rawValue), ("title", item.title), ("creator", item.creator),
      ("year", item.year.map(String.init)), ("date", item.date), ("duration", item.duration?.decimalSeconds),
      ("genres", item.genres.joined(separator: ", ")), ("art", item.art),
      ("description", item.description?.replacing("\n", with: " ")),
      ("rating", rating?.value.map(CatalogItem.oneDecimal)),
      ("votes", rating?.votes.map(String.init)), ("popularity", rating?.popularity.map(CatalogItem.oneDecimal)),
      ("language", item.language), ("budget", item.budget.map(String.init)), ("link", item.link),
      ("playable", item.playable ? "yes" : "no"), ("provider", item.provider), ("credit", item.credit),
      ("favorite", item.favorite ? "yes" : "no"),
    ]
    var lines = members.map { key, value in
      let value = value ?? ""
      return value.isEmpty ? "\(key):" : "\(key): \(value.visible)"
    }
    for fact in item.facts { lines.append("fact: \(fact.name.rawValue)\t\(fact.value.visible)") }
    return lines
  }

  /// The labels and values for users.
  private var members: [(label: String, value: String)] {
    // The date contains the year.
    let released = item.date ?? item.year.map(String.init)
    let first: [(String, String?)] = [
      (tr("kind"), item.kind.label), (creatorLabel, item.creator), (tr("released"), released),
      (tr("duration"), item.duration?.clock), (tr("genres"), item.genres.joined(separator: ", ")),
      (tr("rating"), rating),
      (tr("popularity"), item.rating?.popularity.map { decimalText($0) }), (tr("language"), item.language),
      (tr("budget"), item.budget.map(Self.dollars)),
    ]
    // The director of a film is also its creator.
    let facts: [(String, String?)] = item.facts.filter { $0.name != .director || $0.value != item.creator }.map {
      ($0.name.label, Self.text(of: $0))
    }
    let last: [(String, String?)] = [
      (tr("art"), item.art), (tr("link"), item.link), (tr("provider"), item.provider), (tr("uri"), item.uri),
      (tr("playable"), item.playable ? tr("yes") : tr("no")), (tr("favorite"), item.favorite ? tr("yes") : tr("no")),
    ]
    return (first + facts + last).map { ($0.0, $0.1 ?? "") }
  }

  private var creatorLabel: String {
    switch item.kind {
    case .song, .album, .artist: tr("artist")
    case .film: tr("director")
    case .audiobook: tr("author")
    case .podcast, .episode, .station, .person: tr("by")
    }
  }

  private var rating: String {
    let votes = item.rating?.votes.map { trn("%2$s vote", "%2$s votes", $0, groupedText(Int64($0))) }
    switch (item.ratingText, votes) {
    case (let text?, let votes?): return "\(text) (\(votes))"
    case (let text, let votes): return text ?? votes ?? ""
    }
  }

  private static func text(of fact: CatalogItem.Fact) -> String {
    switch fact.name {
    case .bitrate: tr("%1$s kbit/s", fact.value)
    case .revenue: Int64(fact.value).map(dollars) ?? fact.value
    default: fact.value
    }
  }

  private static func dollars(_ amount: Int64) -> String { "$\(groupedText(amount))" }
}
