/// A value of a parameter of a statement. nil is NULL.
public protocol SQLiteBindable {
  /// Binds the value to a parameter, which is counted from 1. A text or bytes are copied.
  func bind(to statement: SQLiteStatement, at parameter: Int32)
}

extension Int64: SQLiteBindable {
  /// Binds an INTEGER.
  public func bind(to statement: SQLiteStatement, at parameter: Int32) { statement.bind(parameter, self) }
}

extension Int: SQLiteBindable {
  /// Binds an INTEGER.
  public func bind(to statement: SQLiteStatement, at parameter: Int32) { statement.bind(parameter, Int64(self)) }
}

extension UInt64: SQLiteBindable {
  /// Binds an INTEGER with the same bits, which is negative from 2⁶³ on.
  public func bind(to statement: SQLiteStatement, at parameter: Int32) {
    statement.bind(parameter, Int64(bitPattern: self))
  }
}

extension Bool: SQLiteBindable {
  /// Binds the INTEGER 1 or 0.
  public func bind(to statement: SQLiteStatement, at parameter: Int32) { statement.bind(parameter, self ? 1 : 0) }
}

extension Double: SQLiteBindable {
  /// Binds a REAL.
  public func bind(to statement: SQLiteStatement, at parameter: Int32) { statement.bind(parameter, real: self) }
}

extension String: SQLiteBindable {
  /// Binds a TEXT.
  public func bind(to statement: SQLiteStatement, at parameter: Int32) { statement.bind(parameter, self) }
}

extension [UInt8]: SQLiteBindable {
  /// Binds a BLOB. A text in UTF-8 is bound with `SQLiteStatement.bind`.
  public func bind(to statement: SQLiteStatement, at parameter: Int32) { statement.bind(parameter, blob: self) }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
  /// Binds the value, or NULL for nil.
  public func bind(to statement: SQLiteStatement, at parameter: Int32) {
    if let self { self.bind(to: statement, at: parameter) } else { statement.bind(parameter, Int64?.none) }
  }
}
