internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The messages about items of online catalogues. Each is a whole sentence or a label of its own, so that it can be
/// translated.
enum CatalogMessages {
  static var popular: String { tr("Popular") }
  static var people: String { tr("People") }
  static func noSelection(_ state: SharedState) -> String {
    tr("Several items cannot be selected here. %1$s adds the focused one.", state.named(.add))
  }
  static var queryTooShort: String { tr("Please enter at least 3 characters for the search") }
  static var prompt: String {
    tr("Enter searches, Tab changes what is searched, Esc returns.")
  }
  static var loading: String { tr("Loading…") }
  static var nothing: String { tr("Nothing was found.") }

  /// Returns the name of several items of a kind.
  static func kinds(_ kind: CatalogItem.Kind) -> String {
    switch kind {
    case .song: tr("Songs")
    case .album: tr("Albums")
    case .artist: tr("Artists")
    case .film: tr("Films")
    case .audiobook: tr("Audiobooks")
    case .podcast: tr("Podcasts")
    case .episode: tr("Episodes")
    case .station: tr("Stations")
    case .person: tr("People")
    }
  }

  static func count(_ count: Int) -> String { trn("%1$d result", "%1$d results", count) }
  static func count(_ count: Int, of total: Int) -> String { tr("%1$d of %2$d", count, total) }
  static func songs(_ count: Int) -> String { trn("%1$d song", "%1$d songs", count) }
  static func rating(_ text: String) -> String { tr("%1$s of 10", text) }
  static func bitRate(_ text: String) -> String { tr("%1$s kbit/s", text) }

  /// Returns the message above results that the provider could not confirm.
  static func stale(_ age: MediaTime) -> String {
    let seconds = max(0, Int(age.nanoseconds / 1_000_000_000))
    switch seconds {
    case ..<7_200:
      return trn(
        "The service cannot be reached. These results are a minute old.",
        "The service cannot be reached. These results are %1$d minutes old.", max(1, seconds / 60))
    case ..<172_800:
      return trn(
        "The service cannot be reached. These results are an hour old.",
        "The service cannot be reached. These results are %1$d hours old.", seconds / 3_600)
    default:
      return trn(
        "The service cannot be reached. These results are a day old.",
        "The service cannot be reached. These results are %1$d days old.", seconds / 86_400)
    }
  }

  /// Returns the message about a request that has failed, with what would help.
  static func failure(_ error: ClientError, _ state: SharedState) -> String {
    let (message, refresh) = (error.message, state.named(.refresh))
    switch error.kind.flatMap(Failure.Kind.init) {
    case .offline:
      return tr(
        "The service cannot be reached: %1$s. Check the connection to the network, and try again with %2$s.", message,
        refresh)
    case .timeout, .busy:
      return tr("The service does not answer in time: %1$s. Try again with %2$s.", message, refresh)
    case .rateLimited:
      return tr(
        "The service permits no more requests for now: %1$s. %2$s tries again.", message, refresh)
    case .denied: return tr("The service denies access: %1$s. To enter a token, run: segue providers", message)
    case .notFound: return tr("Nothing was found: %1$s.", message)
    case .queryTooShort: return queryTooShort
    case .badResponse, .certificate:
      return tr("The answer of the service is not usable: %1$s. Try again later with %2$s.", message, refresh)
    default: return PlaybackMessages.failure(error, state)
    }
  }

  /// Returns facts about an item in one line, such as `1988 · 4:46 · Rock`.
  static func facts(_ item: CatalogItem, dot: String) -> String {
    let main = mainFact(item, dot: dot)
    let genre = item.genres.first == main ? nil : item.genres.first
    let rating: String? = item.kind == .film ? nil : item.rating?.value.map { Self.rating(decimalText($0)) }
    let facts: [String?] = [item.year.map(String.init), item.duration?.clock, main, genre, rating]
    return facts.compactMap { $0 }
      .filter { !$0.isEmpty }.joined(separator: " \(dot) ")
  }

  /// Returns the most important fact beside title, creator, year and duration.
  private static func mainFact(_ item: CatalogItem, dot: String) -> String? {
    switch item.kind {
    case .song: item.fact(.album)
    case .episode: item.fact(.podcast)
    case .album, .artist: item.fact(.tracks).flatMap { Int($0) }.map(songs)
    case .film: item.rating?.value.map { rating(decimalText($0)) }
    case .audiobook, .podcast: nil
    case .station:
      [item.fact(.codec), item.fact(.bitrate).map(bitRate), item.fact(.country)].compactMap { $0 }
        .joined(separator: " \(dot) ")
    case .person: item.fact(.character) ?? item.fact(.knownFor) ?? item.fact(.department)
    }
  }
}
