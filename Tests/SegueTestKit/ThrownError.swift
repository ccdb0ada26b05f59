/// Returns the error of the given type that `body` throws; nil if it throws none or another one.
public func thrown<Thrown: Error, Value>(_: Thrown.Type, by body: () throws -> Value) -> Thrown? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Thrown
  }
}
