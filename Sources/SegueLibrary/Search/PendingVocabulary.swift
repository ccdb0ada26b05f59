// On the thread of its connection only.

/// The words of texts that were written since the words were learnt, so that they may be mistyped at once.
final class PendingVocabulary {
  private(set) var words: Set<String> = []
  /// They are too many to be learnt one by one, or forgotten: all words are to be learnt anew.
  private(set) var areMany = false

  var isEmpty: Bool { words.isEmpty && !areMany }

  private let tokenizer: SearchTokenizer
  private static let most = 4096

  init(_ tokenizer: SearchTokenizer) { self.tokenizer = tokenizer }

  func note(_ text: SearchText) {
    guard !areMany else { return }
    for case var value? in [text.title, text.artist, text.album, text.genre] { value.withUTF8 { note($0) } }
    if words.count > Self.most { loseTrack() }
  }

  private func note(_ text: UnsafeBufferPointer<UInt8>) {
    _ = tokenizer.words(of: text, for: .keeping).withWords { bytes, kind in
      if kind != .whole {
        let word = String(decoding: bytes, as: UTF8.self)
        if SpellingEdits.isLearnt(word) { words.insert(word) }
      }
      return 0
    }
  }

  /// There were others that nobody noted.
  func loseTrack() {
    words = []
    areMany = true
  }

  /// They were learnt.
  func forget() {
    words = []
    areMany = false
  }
}
