// Thread: the connection's: FTS5 calls it from within a statement.

internal import CSQLite
internal import Glibc
internal import SegueWire

/// The FTS5 tokenizer `segue`. FTS5's own `unicode61` finds the words, and folds case and diacritics. `TokenExpander`
/// does the rest.
public final class SearchTokenizer {
  /// Separates the positions in the text of a query. Such a text consists of tokens, which stay as they are.
  public static let positionSeparator: UInt8 = 0x1F
  /// Separates alternative tokens at the same position.
  public static let alternativeSeparator: UInt8 = 0x1E

  private let functions: fts5_tokenizer
  private let base: OpaquePointer
  private var queryTokens = TokenExpander()
  /// The last texts that were indexed. Consecutive tracks mostly have the same artist, album and genre.
  private var cache: [CachedText] = []
  private var oldest = 0

  private struct CachedText {
    var text: [UInt8] = []
    var tokens = TokenExpander()
  }

  private static let cacheSize = 8

  /// Returns nil if FTS5 cannot create the tokenizer `unicode61`.
  init?(_ module: TokenizerModule) {
    // Marks (M*) are parts of words in many scripts. Symbols (So) such as emoji are words: see `CharacterFolding`.
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

  /// Returns the tokens of a text.
  public func tokens(of text: UnsafeBufferPointer<UInt8>, for purpose: TokenExpander.Purpose) -> TokenExpander {
    guard purpose == .indexing else {
      expand(text, purpose, into: &queryTokens)
      return queryTokens
    }
    if let known = cache.firstIndex(where: { $0.text.elementsEqual(text) }) { return cache[known].tokens }
    let index = oldest
    if cache.count < Self.cacheSize { cache.append(CachedText()) }
    oldest = (oldest + 1) % Self.cacheSize
    cache[index].text.removeAll(keepingCapacity: true)
    cache[index].text.append(contentsOf: text)
    expand(text, purpose, into: &cache[index].tokens)
    return cache[index].tokens
  }

  private func expand(
    _ text: UnsafeBufferPointer<UInt8>, _ purpose: TokenExpander.Purpose, into expander: inout TokenExpander
  ) {
    expander.begin(text, purpose)
    withUnsafeMutablePointer(to: &expander) { expander in
      text.withMemoryRebound(to: CChar.self) { characters in
        _ = functions.xTokenize(base, expander, 0, characters.baseAddress, Int32(characters.count), addToken)
      }
    }
    expander.finish()
  }
}

extension SQLiteConnection {
  /// Registers the tokenizer `segue` with FTS5, and returns one for texts that are not passed to FTS5.
  public func addSearchTokenizer() throws(StoreError) -> SearchTokenizer {
    let api = try searchExtension
    guard let module = TokenizerModule(api), let tokenizer = SearchTokenizer(module) else {
      throw StoreError(.other, path, "FTS5 has no tokenizer unicode61")
    }
    let create = fts5_tokenizer(xCreate: createTokenizer, xDelete: deleteTokenizer, xTokenize: tokenize)
    var functions = create
    // Proof: FTS5 keeps the module until the connection is closed, and `deleteModule` balances this.
    let context = Unmanaged.passRetained(module).toOpaque()
    let code = api.pointee.xCreateTokenizer(api, "segue", context, &functions, deleteModule)
    guard code == SQLITE_OK else { throw error(code) }
    return tokenizer
  }
}

/// The FTS5 tokenizer `unicode61`.
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
  // Proof: the table keeps the tokenizer, and `deleteTokenizer` balances this.
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
    let tokens = Unmanaged<SearchTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer)).takeUnretainedValue()
      .tokens(of: text, for: .indexing)
    return tokens.forEachToken { word, kind in
      let flags = kind == .word ? 0 : FTS5_TOKEN_COLOCATED
      return word.withMemoryRebound(to: CChar.self) { sink(context, flags, $0.baseAddress, Int32($0.count), 0, 0) }
    }
  }
}

/// Splits the text of a query at the separators. Its tokens stay as they are.
private nonisolated func tokenizeQuery(
  _ text: UnsafeBufferPointer<UInt8>, _ context: UnsafeMutableRawPointer?, _ sink: TokenSink
) -> Int32 {
  var flags: Int32 = 0
  var start = 0
  for end in 0...text.count {
    let isLast = end == text.count
    guard isLast || text[end] == SearchTokenizer.positionSeparator || text[end] == SearchTokenizer.alternativeSeparator
    else { continue }
    let word = UnsafeBufferPointer(rebasing: text[start..<end])
    let code = word.withMemoryRebound(to: CChar.self) { sink(context, flags, $0.baseAddress, Int32($0.count), 0, 0) }
    guard code == SQLITE_OK, !isLast else { return code }
    flags = text[end] == SearchTokenizer.alternativeSeparator ? FTS5_TOKEN_COLOCATED : 0
    start = end + 1
  }
  return SQLITE_OK
}

private nonisolated func addToken(
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
