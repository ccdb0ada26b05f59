internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The messages of the details of an item. Each is a whole sentence or a label of its own, so that it can be translated.
enum DetailsMessages {
  static let title = "Details"
  static let favorite = "favourite"
  static let notPlayable = "This item cannot be played."
  static let noLink = "This item has no page on the web."
  static let noGraphics =
    "This terminal displays no pictures. Use one with the graphics protocol of kitty or with sixels."
  static let noPicture = "There is no picture of this item, or it is still loading."

  /// Returns the message after the attempt to open a page in a browser.
  static func linkOpened(_ url: String) -> String { "The page is opened in the browser: \(url)" }
  static func linkNotOpened(_ url: String) -> String {
    "The page cannot be opened, because xdg-open is not installed. Its address is: \(url)"
  }

  /// Returns the heading of what belongs to an item.
  static func contents(_ kind: Item.Kind, _ count: Int, _ total: Int) -> String {
    let isAll = count == total
    return switch kind {
    case .album: isAll ? "Songs: \(total)" : "Songs: \(count) of \(total)"
    case .podcast: isAll ? "Episodes: \(total)" : "Episodes: \(count) of \(total)"
    case .artist: isAll ? "Albums: \(total)" : "Albums: \(count) of \(total)"
    case .film: isAll ? "Actors: \(total)" : "Actors: \(count) of \(total)"
    case .person: isAll ? "Films: \(total)" : "Films: \(count) of \(total)"
    case .song, .audiobook, .episode, .station: isAll ? "Contents: \(total)" : "Contents: \(count) of \(total)"
    }
  }

  /// Returns the facts about an item with their labels. Values that are unknown are empty.
  static func members(_ item: Item) -> [(label: String, value: String)] {
    let first: [(String, String?)] = [
      (creator(item.kind), item.creator), ("Released", item.date ?? item.year.map(String.init)),
      ("Duration", item.duration?.clock), ("Genres", item.genres.joined(separator: ", ")),
      ("Rating", item.rating?.value.map { CatalogMessages.rating(CatalogMessages.oneDecimal($0)) }),
      ("Votes", item.rating?.votes.map(String.init)),
      ("Popularity", item.rating?.popularity.map(CatalogMessages.oneDecimal)), ("Language", item.language),
      ("Budget", item.budget.map { "\($0) USD" }),
    ]
    // The director of a film is also its creator, and the page of an item has a key of its own.
    let facts: [(String, String?)] = item.facts.filter { $0.name != .director || $0.value != item.creator }
      .map { (label($0.name), value($0)) }
    return (first + facts + [("Page", item.link)]).map { ($0.0, $0.1 ?? "") }
  }

  private static func creator(_ kind: Item.Kind) -> String {
    switch kind {
    case .song, .album, .artist: "Artist"
    case .film: "Director"
    case .audiobook: "Author"
    case .podcast, .episode, .station, .person: "By"
    }
  }

  private static func value(_ fact: Item.Fact) -> String {
    switch fact.name {
    case .bitrate: CatalogMessages.bitRate(fact.value)
    case .revenue: "\(fact.value) USD"
    default: fact.value
    }
  }

  private static func label(_ name: Item.Fact.Name) -> String {
    switch name {
    case .album: "Album"
    case .track: "Track"
    case .disc: "Disc"
    case .tracks: "Tracks"
    case .explicit: "Words"
    case .advisory: "Age rating"
    case .price: "Price"
    case .copyright: "Copyright"
    case .country: "Country"
    case .podcast: "Podcast"
    case .feed: "Feed"
    case .codec: "Codec"
    case .bitrate: "Bit rate"
    case .originalTitle: "Original title"
    case .tagline: "Tagline"
    case .director: "Director"
    case .cast: "Actors"
    case .character: "Role"
    case .revenue: "Revenue"
    case .homepage: "Home page"
    case .born: "Born"
    case .died: "Died"
    case .birthplace: "Birthplace"
    case .department: "Profession"
    case .knownFor: "Known for"
    }
  }
}
