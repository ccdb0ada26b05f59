public import SegueSystem

/// Returns the result of `body`, which opens or reads the file at `path`. If the disk reports an error, which may be a
/// transient one, `body` is called once more. Other errors would occur again.
public func retryingAfterDiskError<Value>(
  of path: FilePath, _ body: () throws(StoreError) -> Value
) throws(StoreError) -> Value {
  do throws(StoreError) {
    return try body()
  } catch {
    guard error.kind == .other, path.exists else { throw error }
    Log.warning("\(error); trying once more")
    return try body()
  }
}
