// On the thread of its connection only.

public import SegueFiles
public import SegueSQLite
internal import SegueSystem

extension LibraryReader {
  /// Returns the first `limit` files and folders that have moved and were not removed (`LibraryWriter.removeMoves`), and the
  /// number of the last one.
  public func moves(limit: Int) throws(StoreError) -> (moves: FileMoves, last: Int64) {
    let rows = try connection.statement("SELECT id, old, new FROM move ORDER BY id LIMIT ?")
    rows.bind(1, Int64(limit))
    defer { rows.reset() }
    var (moves, last) = (FileMoves(), Int64(0))
    while try rows.step() {
      moves.append(FilePath(bytes: rows.blob(1)), FilePath(bytes: rows.blob(2)))
      last = rows.integer(0) ?? 0
    }
    return (moves, last)
  }
}
