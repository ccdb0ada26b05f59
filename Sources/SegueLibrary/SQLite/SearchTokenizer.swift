// On the thread of its connection only: FTS5 calls it from within a statement.

internal import CSQLite
internal import Glibc

/// Cuts a text into the words that FTS5 keeps. FTS5's own `unicode61` finds the words and takes case and diacritics
/// away; `TokenExpander` does the rest.
final class SearchTokenizer {
  /// What separates the places of a query that is made of words already, and the words that may stand at one place.
  static let placeSeparator: UInt8 = 0x1F
  static let wordSeparator: UInt8 = 0x1E

  private let functions: fts5_tokenizer
  private let base: OpaquePointer
  private var asking = TokenExpander()
  /// The last texts that were kept: artist, album and genre of a track are mostly those of the track before.
  private var lately: [Kept] = []
  private var oldest = 0

  private struct Kept {
    var text: [UInt8] = []
    var words = TokenExpander()
  }

  private static let mostKept = 8

  /// nil if FTS5 has no memory for it.
  init?(_ module: TokenizerModule) {
    // Marks belong to the words of many scripts; other symbols are words of their own (emoji).
    let options = ["remove_diacritics", "2", "categories", "L* N* M* Co So"]
    var base: OpaquePointer?
    let texts = options.map { strdup($0) }
    defer { for text in texts { free(text) } }
    var arguments = texts.map { UnsafePointer<CChar>($0) }
    let code = module.functions.xCreate(module.userData, &arguments, Int32(arguments.count), &base)
    guard code == SQLITE_OK, let base else { return nil }
    functions = module.functions
    self.base = base
  }

  deinit { functions.xDelete(base) }

  /// The words of a text.
  func words(of text: UnsafeBufferPointer<UInt8>, for purpose: TokenExpander.Purpose) -> TokenExpander {
    guard purpose == .keeping else {
      split(text, purpose, into: &asking)
      return asking
    }
    if let known = lately.firstIndex(where: { $0.text.elementsEqual(text) }) { return lately[known].words }
    let place = oldest
    if lately.count < Self.mostKept { lately.append(Kept()) }
    oldest = (oldest + 1) % Self.mostKept
    lately[place].text.removeAll(keepingCapacity: true)
    lately[place].text.append(contentsOf: text)
    split(text, purpose, into: &lately[place].words)
    return lately[place].words
  }

  private func split(
    _ text: UnsafeBufferPointer<UInt8>, _ purpose: TokenExpander.Purpose, into splitter: inout TokenExpander
  ) {
    splitter.begin(text, purpose)
    withUnsafeMutablePointer(to: &splitter) { splitter in
      text.withMemoryRebound(to: CChar.self) { characters in
        _ = functions.xTokenize(base, splitter, 0, characters.baseAddress, Int32(characters.count), splitWord)
      }
    }
    splitter.finish()
  }
}

extension SQLiteConnection {
  /// Makes the tokenizer `segue` known to FTS5, and gives one for words that no table is asked for.
  func addSearchTokenizer() throws(StoreError) -> SearchTokenizer {
    let api = try searchExtension
    guard let module = TokenizerModule(api), let tokenizer = SearchTokenizer(module) else {
      throw StoreError(.other, path, "FTS5 has no tokenizer unicode61")
    }
    let create = fts5_tokenizer(xCreate: createTokenizer, xDelete: deleteTokenizer, xTokenize: tokenize)
    var functions = create
    // FTS5 holds the module until the connection closes: balanced in `deleteModule`.
    let context = Unmanaged.passRetained(module).toOpaque()
    let code = api.pointee.xCreateTokenizer(api, "segue", context, &functions, deleteModule)
    guard code == SQLITE_OK else { throw error(code) }
    return tokenizer
  }
}

/// FTS5's `unicode61`.
final class TokenizerModule {
  fileprivate let functions: fts5_tokenizer
  fileprivate let userData: UnsafeMutableRawPointer?

  fileprivate init?(_ api: UnsafeMutablePointer<fts5_api>) {
    var functions = fts5_tokenizer()
    var userData: UnsafeMutableRawPointer?
    guard api.pointee.xFindTokenizer(api, "unicode61", &userData, &functions) == SQLITE_OK else { return nil }
    self.functions = functions
    self.userData = userData
  }
}

private nonisolated func createTokenizer(
  _ context: UnsafeMutableRawPointer?, _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: Int32,
  _ made: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let context, let made else { return SQLITE_MISUSE }
  let module = Unmanaged<TokenizerModule>.fromOpaque(context).takeUnretainedValue()
  guard let tokenizer = SearchTokenizer(module) else { return SQLITE_NOMEM }
  // The table holds it: balanced in `deleteTokenizer`.
  made.pointee = OpaquePointer(Unmanaged.passRetained(tokenizer).toOpaque())
  return SQLITE_OK
}

private nonisolated func deleteTokenizer(_ tokenizer: OpaquePointer?) {
  guard let tokenizer else { return }
  Unmanaged<SearchTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer)).release()
}

private nonisolated func deleteModule(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<TokenizerModule>.fromOpaque(context).release()
}

private typealias TokenSink =
  @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32

private nonisolated func tokenize(
  _ tokenizer: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ text: UnsafePointer<CChar>?,
  _ count: Int32, _ sink: TokenSink?
) -> Int32 {
  guard let tokenizer, let text, let sink, count > 0 else { return SQLITE_OK }
  return text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
    let text = UnsafeBufferPointer(start: bytes, count: Int(count))
    if flags & FTS5_TOKENIZE_QUERY != 0 { return tokenizeQuery(text, context, sink) }
    let words = Unmanaged<SearchTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer)).takeUnretainedValue()
      .words(of: text, for: .keeping)
    return words.withWords { word, kind in
      let flags = kind == .word ? 0 : FTS5_TOKEN_COLOCATED
      return word.withMemoryRebound(to: CChar.self) { sink(context, flags, $0.baseAddress, Int32($0.count), 0, 0) }
    }
  }
}

/// Queries are words already: nothing is done to them but to take them apart.
private nonisolated func tokenizeQuery(
  _ text: UnsafeBufferPointer<UInt8>, _ context: UnsafeMutableRawPointer?, _ sink: TokenSink
) -> Int32 {
  var flags: Int32 = 0
  var start = 0
  for end in 0...text.count {
    let isLast = end == text.count
    guard isLast || text[end] == SearchTokenizer.placeSeparator || text[end] == SearchTokenizer.wordSeparator
    else { continue }
    let word = UnsafeBufferPointer(rebasing: text[start..<end])
    let code = word.withMemoryRebound(to: CChar.self) { sink(context, flags, $0.baseAddress, Int32($0.count), 0, 0) }
    guard code == SQLITE_OK, !isLast else { return code }
    flags = text[end] == SearchTokenizer.wordSeparator ? FTS5_TOKEN_COLOCATED : 0
    start = end + 1
  }
  return SQLITE_OK
}

private nonisolated func splitWord(
  _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ word: UnsafePointer<CChar>?, _ count: Int32, _ start: Int32,
  _ end: Int32
) -> Int32 {
  guard let context, let word else { return SQLITE_OK }
  word.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
    context.assumingMemoryBound(to: TokenExpander.self).pointee
      .add(UnsafeBufferPointer(start: bytes, count: Int(count)), at: Int(start)..<Int(end))
  }
  return SQLITE_OK
}
