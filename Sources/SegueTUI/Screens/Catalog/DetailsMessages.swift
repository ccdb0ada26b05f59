internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The messages of the details of an item. Each is a whole sentence or a label of its own, so that it can be
/// translated.
enum DetailsMessages {
  static var noGraphics: String {
    tr("This terminal displays no pictures. They need colours and UTF-8, or a graphics protocol.")
  }

  /// Returns the heading of what belongs to an item.
  static func contents(_ kind: CatalogItem.Kind, _ count: Int, _ total: Int) -> String {
    let isAll = count == total
    return switch kind {
    case .album: isAll ? tr("Songs: %1$d", total) : tr("Songs: %1$d of %2$d", count, total)
    case .podcast: isAll ? tr("Episodes: %1$d", total) : tr("Episodes: %1$d of %2$d", count, total)
    case .artist: isAll ? tr("Albums: %1$d", total) : tr("Albums: %1$d of %2$d", count, total)
    case .film: isAll ? tr("Actors: %1$d", total) : tr("Actors: %1$d of %2$d", count, total)
    case .person: isAll ? tr("Films: %1$d", total) : tr("Films: %1$d of %2$d", count, total)
    case .song, .audiobook, .episode, .station:
      isAll ? tr("Contents: %1$d", total) : tr("Contents: %1$d of %2$d", count, total)
    }
  }

  /// Returns the facts about an item with their labels. Values that are unknown are empty.
  static func members(_ item: CatalogItem, _ state: SharedState) -> [(label: String, value: String)] {
    let first: [(String, String?)] = [
      (creator(item.kind), item.creator), (tr("Released"), item.date ?? item.year.map(String.init)),
      (tr("Duration"), item.duration?.clock), (tr("Genres"), item.genres.joined(separator: ", ")),
      (tr("Rating"), item.rating?.value.map { rating($0, state) }),
      (tr("Votes"), item.rating?.votes.map { groupedText(Int64($0)) }),
      (tr("Language"), item.language.map(code)), (tr("Budget"), item.budget.map { dollars(Int64($0)) }),
    ]
    // The director of a film is also its creator, and the page of an item has a key of its own.
    let facts: [(String, String?)] = item.facts.filter { $0.name != .director || $0.value != item.creator }
      .map { (label($0.name), value($0)) }
    let file = FileURI.decode(item.uri).map { $0.description.visible }
    return (first + facts + [(tr("Page"), item.link), (tr("File"), file)]).map { ($0.0, $0.1 ?? "") }
  }

  /// Returns a rating as stars, and its number.
  private static func rating(_ value: Double, _ state: SharedState) -> String {
    let number = decimalText(value)
    guard !state.appearance.isPlain else { return CatalogMessages.rating(number) }
    let stars = Stars.text(Int(value.rounded().clamped(to: 0...10)), isUnicode: state.appearance.isUnicode)
    return "\(stars)  \(CatalogMessages.rating(number))"
  }

  private static func dollars(_ amount: Int64) -> String { tr("%1$s USD", groupedText(amount)) }

  /// Returns a code of a language or a country, which has two or three letters, in capitals, and a name as it is.
  private static func code(_ text: String) -> String { text.utf8.count <= 3 ? text.uppercased() : text }

  private static func creator(_ kind: CatalogItem.Kind) -> String {
    switch kind {
    case .song, .album, .artist: tr("Artist")
    case .film: tr("Director")
    case .audiobook: tr("Author")
    case .podcast, .episode, .station, .person: tr("By")
    }
  }

  private static func value(_ fact: CatalogItem.Fact) -> String {
    switch fact.name {
    case .bitrate: CatalogMessages.bitRate(fact.value)
    case .revenue: Int64(fact.value).map(dollars) ?? fact.value
    case .country: code(fact.value)
    default: fact.value
    }
  }

  private static func label(_ name: CatalogItem.Fact.Name) -> String {
    switch name {
    case .album: tr("Album")
    case .track: tr("Track")
    case .disc: tr("Disc")
    case .tracks: tr("Tracks")
    case .explicit: tr("Words")
    case .advisory: tr("Age rating")
    case .price: tr("Price")
    case .copyright: tr("Copyright")
    case .country: tr("Country")
    case .podcast: tr("Podcast")
    case .feed: tr("Feed")
    case .codec: tr("Codec")
    case .bitrate: tr("Bit rate")
    case .originalTitle: tr("Original title")
    case .tagline: tr("Tagline")
    case .director: tr("Director")
    case .cast: tr("Actors")
    case .character: tr("Role")
    case .revenue: tr("Revenue")
    case .homepage: tr("Home page")
    case .born: tr("Born")
    case .died: tr("Died")
    case .birthplace: tr("Birthplace")
    case .department: tr("Profession")
    case .knownFor: tr("Known for")
    }
  }
}
