// Thread: the connection's.

internal import CSQLite

/// A prepared statement. As in SQLite, parameters are counted from 1 and columns from 0. Errors of SQLite are thrown by
/// the functions that step.
public final class SQLiteStatement {
  private let raw: OpaquePointer
  // The connection owns its statements and outlives them: its deinit releases them first.
  private unowned let connection: SQLiteConnection

  init(owning raw: OpaquePointer, of connection: SQLiteConnection) {
    self.raw = raw
    self.connection = connection
  }

  deinit { sqlite3_finalize(raw) }

  /// Ends the statement, so that it can run again, and removes the bindings.
  public func reset() {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
  }

  /// Advances to the next row. Returns whether there is one.
  public func step() throws(StoreError) -> Bool {
    let code = sqlite3_step(raw)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = connection.error(code)
      sqlite3_reset(raw)
      throw error
    }
  }

  /// Binds `values` to the first parameters, runs the statement to the end, and resets it, also if an error is thrown.
  public func run(_ values: any SQLiteBindable...) throws(StoreError) {
    defer { reset() }
    bind(values)
    while try step() {}
  }

  /// Returns the result of `body` for the next row, or nil if there is no row, and resets the statement, also if an
  /// error is thrown.
  public func first<Value>(_ body: (SQLiteStatement) throws(StoreError) -> Value?) throws(StoreError) -> Value? {
    defer { reset() }
    return try step() ? try body(self) : nil
  }

  /// Returns the results of `body` for all remaining rows, and resets the statement, also if an error is thrown.
  public func map<Value>(_ body: (SQLiteStatement) throws(StoreError) -> Value) throws(StoreError) -> [Value] {
    defer { reset() }
    var values: [Value] = []
    while try step() { values.append(try body(self)) }
    return values
  }

  /// Binds `values` to the first parameters.
  func bind(_ values: [any SQLiteBindable]) {
    for (index, value) in values.enumerated() { value.bind(to: self, at: Int32(index + 1)) }
  }

  public func bind(_ parameter: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(raw, parameter, value) } else { sqlite3_bind_null(raw, parameter) }
  }

  public func bind(_ parameter: Int32, real value: Double?) {
    if let value { sqlite3_bind_double(raw, parameter, value) } else { sqlite3_bind_null(raw, parameter) }
  }

  public func bind(_ parameter: Int32, _ value: String?) {
    guard var value else {
      sqlite3_bind_null(raw, parameter)
      return
    }
    value.withUTF8 { bind(parameter, UnsafeRawBufferPointer($0)) }
  }

  /// Binds a text in UTF-8, which is copied.
  public func bind(_ parameter: Int32, _ text: UnsafeRawBufferPointer) {
    // An empty buffer may have no address. SQLite would bind NULL then.
    guard let base = text.baseAddress else {
      sqlite3_bind_text(raw, parameter, "", 0, segue_sqlite_transient())
      return
    }
    let characters = base.assumingMemoryBound(to: CChar.self)
    sqlite3_bind_text64(
      raw, parameter, characters, UInt64(text.count), segue_sqlite_transient(), UInt8(SQLITE_UTF8))
  }

  /// Binds bytes that need not be text, which are copied.
  public func bind(_ parameter: Int32, blob bytes: [UInt8]) {
    // An empty buffer may have no address. SQLite would bind NULL then.
    guard !bytes.isEmpty else {
      sqlite3_bind_zeroblob(raw, parameter, 0)
      return
    }
    _ = bytes.withUnsafeBytes {
      sqlite3_bind_blob64(raw, parameter, $0.baseAddress, UInt64($0.count), segue_sqlite_transient())
    }
  }

  /// Binds the value of a column of `row`, whatever its type is.
  public func bind(_ parameter: Int32, valueOf row: SQLiteStatement, _ column: Int32) {
    sqlite3_bind_value(raw, parameter, sqlite3_column_value(row.raw, column))
  }

  public var columnCount: Int32 { sqlite3_column_count(raw) }

  /// Returns the bytes of a column, which are empty for NULL.
  public func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(raw, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(raw, column))))
  }

  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }
  public func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_INTEGER }

  /// Returns the number in a column, or nil for NULL.
  public func integer(_ column: Int32) -> Int64? {
    // Only for 0, the type must be checked.
    let value = sqlite3_column_int64(raw, column)
    return value == 0 && sqlite3_column_type(raw, column) == SQLITE_NULL ? nil : value
  }

  /// Returns the first column of all remaining rows, in which NULL counts as 0, and resets the statement.
  public func integers() throws(StoreError) -> [Int64] { try map { $0.integer(0) ?? 0 } }

  /// Returns the number in a column, or nil for NULL.
  public func real(_ column: Int32) -> Double? {
    sqlite3_column_type(raw, column) == SQLITE_NULL ? nil : sqlite3_column_double(raw, column)
  }

  /// Returns the text of a column, or nil for NULL.
  public func text(_ column: Int32) -> String? { withText(column) { $0.map { String(decoding: $0, as: UTF8.self) } } }

  /// Calls `body` with the bytes of a text, or with nil for NULL. The bytes are valid only in `body`.
  public func withText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
    guard let text = sqlite3_column_text(raw, column) else { return body(nil) }
    return body(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(raw, column))))
  }
}
