internal import SegueSystem

/// What is searched for. A query is words, each perhaps with a field before it (`artist:kino`), quoted phrases, words
/// that must not be there (`-live`) and filters. No query is wrong: what is none of these is words.
struct SearchQuery {
  enum Field: String, CaseIterable {
    case title, artist, album, genre
  }

  struct Term {
    /// nil: any.
    var field: Field?
    var word: SearchWord
    /// All words that begin with it where it is looked for, if they are known (`GenreVocabulary`).
    var completions: [[UInt8]]?
  }

  /// All of them must be there.
  var terms: [Term] = []
  /// None of them may be there.
  var excluded: [Term] = []
  var years: ClosedRange<Int>?
  /// Names of codecs or containers, in lower case: one of them.
  var formats: [String] = []
  /// How long ago it may have been found first.
  var age: MediaTime?
  /// 1…10
  var ratings: ClosedRange<Int>?
  var isFavorite = false
  /// The words of no field as a whole title; nil if they are too long for that.
  var wholes: [[UInt8]]?

  static let knownYears = 1...9999

  var isEmpty: Bool {
    terms.isEmpty && years == nil && formats.isEmpty && age == nil && ratings == nil && !isFavorite
  }

  /// Whether it asks for what the user thinks.
  var requiresAffinity: Bool { ratings != nil || isFavorite }

  /// The words of no field, in their order.
  var freeWords: [SearchWord] { terms.filter { $0.field == nil }.map(\.word) }
}
