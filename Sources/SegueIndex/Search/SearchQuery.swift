internal import SegueSystem

/// A parsed search query. A query consists of words, which may have a field (`artist:kino`), quoted phrases, excluded
/// words (`-live`) and filters. Every text is a valid query: everything else is taken for words.
struct SearchQuery {
  enum Field: String, CaseIterable {
    case title, artist, album, genre
  }

  struct Term {
    /// The field that must contain the word, or nil for any field.
    var field: Field?
    var word: SearchWord
    /// The completions of the word in its field, if they are known (`GenreVocabulary`).
    var completions: [[UInt8]]?
  }

  /// The words that must occur.
  var terms: [Term] = []
  /// The words that must not occur.
  var excluded: [Term] = []
  var years: ClosedRange<Int>?
  /// The names of codecs or containers in lower case, one of which must match.
  var formats: [String] = []
  /// The maximum time since the item was added to the index.
  var age: MediaTime?
  /// A range in 1…10.
  var ratings: ClosedRange<Int>?
  var isFavorite = false
  /// The words without a field as a whole title, in all spellings; nil if they are too long.
  var wholeTitles: [[UInt8]]?

  static let knownYears = 1...9999

  var isEmpty: Bool {
    terms.isEmpty && years == nil && formats.isEmpty && age == nil && ratings == nil && !isFavorite
  }

  /// Whether a filter refers to the affinity.
  var requiresAffinity: Bool { ratings != nil || isFavorite }

  /// The words without a field, in their order.
  var freeWords: [SearchWord] { terms.filter { $0.field == nil }.map(\.word) }
}
