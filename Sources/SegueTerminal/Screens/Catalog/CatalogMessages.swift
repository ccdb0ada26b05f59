internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The messages about items of online catalogues. Each is a whole sentence or a label of its own, so that it can be translated.
enum CatalogMessages {
  static let popular = "Popular"
  static let people = "People"
  static let search = "Search"
  static let radio = "Radio"
  static let library = "Library"
  static let byName = "Name"
  static let byCountry = "Country"
  static let byTag = "Tag"
  static let queryTooShort = "Please enter at least 3 characters for the search"
  static let countryCode = "Please enter the country as a code of two letters, such as de or us."
  static let noTag = "Please enter a tag, such as jazz."
  static let prompt = "Type what you search for. Enter searches, Tab changes what is searched, Esc returns."
  static let hints = "Last searches"
  static let suggestions = "Suggestions"
  static let loading = "Loading…"
  static let nothing = "Nothing was found."
  static let noItem = "There is nothing here to which the key applies."
  static let notPlayable = "This item cannot be played. Enter shows what belongs to it."
  static let allGenres = "Films of all genres."
  static let configuredGenre = "Films of the genre in the settings."
  static let onlyFilmsHaveGenres = "Only the charts of films are limited to a genre."

  /// Returns the name of several items of a kind.
  static func kinds(_ kind: Item.Kind) -> String {
    switch kind {
    case .song: "Songs"
    case .album: "Albums"
    case .artist: "Artists"
    case .film: "Films"
    case .audiobook: "Audiobooks"
    case .podcast: "Podcasts"
    case .episode: "Episodes"
    case .station: "Stations"
    case .person: "People"
    }
  }

  /// Returns the name of one item of a kind.
  static func kind(_ kind: Item.Kind) -> String {
    switch kind {
    case .song: "song"
    case .album: "album"
    case .artist: "artist"
    case .film: "film"
    case .audiobook: "audiobook"
    case .podcast: "podcast"
    case .episode: "episode"
    case .station: "station"
    case .person: "person"
    }
  }

  static func count(_ count: Int) -> String { count == 1 ? "1 result" : "\(count) results" }
  static func count(_ count: Int, of total: Int) -> String { "\(count) of \(total)" }
  static func songs(_ count: Int) -> String { count == 1 ? "1 song" : "\(count) songs" }
  static func rating(_ text: String) -> String { "\(text) of 10" }
  static func bitRate(_ text: String) -> String { "\(text) kbit/s" }

  /// Returns the message above results that the provider could not confirm.
  static func stale(_ age: MediaTime) -> String {
    let seconds = max(0, Int(age.nanoseconds / 1_000_000_000))
    switch seconds {
    case ..<120: return "The service cannot be reached. These results are a minute old."
    case ..<7_200: return "The service cannot be reached. These results are \(seconds / 60) minutes old."
    case ..<172_800: return "The service cannot be reached. These results are \(seconds / 3_600) hours old."
    default: return "The service cannot be reached. These results are \(seconds / 86_400) days old."
    }
  }

  /// Returns the message about a request that has failed, with what would help.
  static func failure(_ error: ClientError) -> String {
    let message = error.message
    switch error.kind.flatMap(Failure.Kind.init) {
    case .offline:
      return "The service cannot be reached: \(message). Check the connection to the network, and press r to try again."
    case .timeout, .busy: return "The service does not answer in time: \(message). Press r to try again."
    case .rateLimited: return "The service permits no more requests for now: \(message). Try again in a minute with r."
    case .denied: return "The service denies access: \(message). To enter a token, run: segue providers"
    case .notFound: return "Nothing was found: \(message)."
    case .queryTooShort: return queryTooShort
    case .badResponse, .certificate:
      return "The answer of the service is not usable: \(message). Try again later with r."
    default: return PlaybackMessages.failure(error)
    }
  }

  /// Returns facts about an item in one line, such as `1988 · 4:46 · Rock`.
  static func facts(_ item: Item, dot: String) -> String {
    let main = mainFact(item, dot: dot)
    let genre = item.genres.first == main ? nil : item.genres.first
    let rating: String? = item.kind == .film ? nil : item.rating?.value.map { Self.rating(oneDecimal($0)) }
    let facts: [String?] = [item.year.map(String.init), item.duration?.clock, main, genre, rating]
    return facts.compactMap { $0 }
      .filter { !$0.isEmpty }.joined(separator: " \(dot) ")
  }

  /// Returns the most important fact beside title, creator, year and duration.
  private static func mainFact(_ item: Item, dot: String) -> String? {
    switch item.kind {
    case .song: item.fact(.album)
    case .episode: item.fact(.podcast)
    case .album, .artist: item.fact(.tracks).flatMap { Int($0) }.map(songs)
    case .film: item.rating?.value.map { rating(oneDecimal($0)) }
    case .audiobook, .podcast: nil
    case .station:
      [item.fact(.codec), item.fact(.bitrate).map(bitRate), item.fact(.country)].compactMap { $0 }
        .joined(separator: " \(dot) ")
    case .person: item.fact(.character) ?? item.fact(.knownFor) ?? item.fact(.department)
    }
  }

  /// Returns a number with at most one decimal place.
  static func oneDecimal(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
