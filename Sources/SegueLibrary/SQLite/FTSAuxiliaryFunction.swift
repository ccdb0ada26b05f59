// On the thread of its connection only: FTS5 calls it from within a statement.

internal import CSQLite

/// A row that FTS5 has found, while it stands there: where in it the phrases of the expression are. The title is the
/// first column.
struct MatchedRow {
  fileprivate let api: UnsafePointer<Fts5ExtensionApi>
  fileprivate let context: OpaquePointer

  /// The first column that has it, and whether it begins in the title behind `wanted` words; nil if the row does not
  /// have it.
  func find(phrase: Int32, inTitleAt wanted: Int = -1) -> (column: Int32, isThere: Bool)? {
    var places = Fts5PhraseIter()
    var (column, place): (Int32, Int32) = (-1, -1)
    guard api.pointee.xPhraseFirst(context, phrase, &places, &column, &place) == SQLITE_OK, column >= 0 else {
      return nil
    }
    let first = column
    while column == 0, place < wanted { api.pointee.xPhraseNext(context, &places, &column, &place) }
    return (first, column == 0 && place == wanted)
  }
}

/// A function of SQL, `matched(TABLE)`: what `value` says of the row that a statement has come to.
final class FTSAuxiliaryFunction {
  var value: (MatchedRow) -> Int = { _ in 0 }
}

extension SQLiteConnection {
  /// Makes the function known. FTS5 holds it until the connection closes.
  func addMatchFunction() throws(StoreError) -> FTSAuxiliaryFunction {
    let api = try searchExtension
    let function = FTSAuxiliaryFunction()
    // Balanced in `deleteFunction`.
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
  // FTS5 holds it during the call: nothing is counted for each of thousands of rows.
  let value = Unmanaged<FTSAuxiliaryFunction>.fromOpaque(function)._withUnsafeGuaranteedRef {
    $0.value(MatchedRow(api: api, context: context))
  }
  sqlite3_result_int64(result, Int64(value))
}

private nonisolated func deleteFunction(_ function: UnsafeMutableRawPointer?) {
  guard let function else { return }
  Unmanaged<FTSAuxiliaryFunction>.fromOpaque(function).release()
}
