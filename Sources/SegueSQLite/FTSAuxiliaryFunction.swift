// Thread: the connection's: FTS5 calls it from within a statement.

internal import CSQLite

/// The current row of an FTS5 query, with the positions of the phrases in it. The title is the first column.
public struct MatchedRow {
  fileprivate let api: UnsafePointer<Fts5ExtensionApi>
  fileprivate let context: OpaquePointer

  /// Returns the first column that contains a phrase, and whether the phrase is in the title at `position`, or nil if
  /// the row does not contain it.
  public func find(phrase: Int32, inTitleAt position: Int = -1) -> (column: Int32, isAtPosition: Bool)? {
    var iterator = Fts5PhraseIter()
    var (column, offset): (Int32, Int32) = (-1, -1)
    guard api.pointee.xPhraseFirst(context, phrase, &iterator, &column, &offset) == SQLITE_OK, column >= 0 else {
      return nil
    }
    let first = column
    while column == 0, offset < position { api.pointee.xPhraseNext(context, &iterator, &column, &offset) }
    return (first, column == 0 && offset == position)
  }
}

/// An auxiliary function of FTS5: in SQL, `matched(TABLE)` returns the result of `value` for the current row.
public final class FTSAuxiliaryFunction {
  public var value: (MatchedRow) -> Int = { _ in 0 }
}

extension SQLiteConnection {
  /// Registers the function with FTS5, which retains it until the connection is closed.
  public func addAuxiliaryFunction() throws(StoreError) -> FTSAuxiliaryFunction {
    let api = try searchExtension
    let function = FTSAuxiliaryFunction()
    // Proof: `deleteFunction` balances this.
    let context = Unmanaged.passRetained(function).toOpaque()
    let code = api.pointee.xCreateFunction(api, "matched", context, callFunction, deleteFunction)
    guard code == SQLITE_OK else { throw error(code) }
    return function
  }
}

private nonisolated func callFunction(
  _ api: UnsafePointer<Fts5ExtensionApi>?, _ context: OpaquePointer?, _ result: OpaquePointer?, _ count: Int32,
  _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let api, let context, let function = api.pointee.xUserData(context) else { return }
  // FTS5 retains the function during the call, so that it need not be retained for each of thousands of rows.
  let value = Unmanaged<FTSAuxiliaryFunction>.fromOpaque(function)._withUnsafeGuaranteedRef {
    $0.value(MatchedRow(api: api, context: context))
  }
  sqlite3_result_int64(result, Int64(value))
}

private nonisolated func deleteFunction(_ function: UnsafeMutableRawPointer?) {
  guard let function else { return }
  Unmanaged<FTSAuxiliaryFunction>.fromOpaque(function).release()
}
