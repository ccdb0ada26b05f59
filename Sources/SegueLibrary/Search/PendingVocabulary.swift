// Thread: the connection's.

internal import SegueSQLite

/// The words of texts that were written since the vocabulary was last updated. `SearchWriter.maintain` adds them.
final class PendingVocabulary {
  private(set) var words: Set<String> = []
  /// Whether `words` is incomplete, so that the vocabulary is to be rebuilt.
  private(set) var isIncomplete = false

  var isEmpty: Bool { words.isEmpty && !isIncomplete }

  private let tokenizer: SearchTokenizer
  private static let maximumWords = 4096

  init(_ tokenizer: SearchTokenizer) { self.tokenizer = tokenizer }

  func add(_ text: SearchText) {
    guard !isIncomplete else { return }
    for case var value? in text.names { value.withUTF8 { add($0) } }
    if words.count > Self.maximumWords { discard() }
  }

  private func add(_ text: UnsafeBufferPointer<UInt8>) {
    _ = tokenizer.tokens(of: text, for: .indexing).forEachToken { bytes, kind in
      if kind != .wholeLine {
        let word = String(decoding: bytes, as: UTF8.self)
        if SpellingEdits.isVocabulary(word) { words.insert(word) }
      }
      return 0
    }
  }

  /// Discards the words, because they are too many or others are missing.
  func discard() {
    words = []
    isIncomplete = true
  }

  /// Clears the words, because they are in the vocabulary.
  func clear() {
    words = []
    isIncomplete = false
  }
}
