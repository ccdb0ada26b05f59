internal import SegueSystem

/// The parameters of a request in the order of the method's declaration. A request decodes itself in this order: all
/// values that are given, then the missing ones, then rules for several parameters. A value of the wrong type is a
/// better explanation of a mistake than a missing parameter.
public struct RequestParameters {
  private let method: MethodDescription
  private let values: [JSON?]

  /// Throws an error if `params`, an object or an array, contains more than the method takes.
  public init(_ params: JSON?, of method: MethodDescription) throws(Failure) {
    self.method = method
    let none = [JSON?](repeating: nil, count: method.parameters.count)
    guard let params else {
      values = none
      return
    }
    if let elements = params.elements {
      guard elements.count <= none.count else {
        throw method.invalid("takes \(method.list(method.parameters)), but \(elements.count) values were given")
      }
      values = elements + none.dropFirst(elements.count)
    } else {
      if let unknown = params.names.first(where: { name in !method.parameters.contains { $0.name == name } }) {
        throw method.invalid("has no parameter `\(unknown)`; it takes \(method.list(method.parameters))")
      }
      values = method.parameters.map { params[$0.name] }
    }
  }

  /// Returns the value of the parameter at `index` that `read` returns; nil if it is not given. Throws an error if
  /// `read` returns nil.
  public func read<Value>(_ index: Int, _ read: (JSON) -> Value?) throws(Failure) -> Value? {
    guard let json = values[index] else { return nil }
    guard let value = read(json) else {
      let parameter = method.parameters[index]
      throw Failure(.invalidParams, "`\(method.name)`: `\(parameter.name)` must be \(parameter.values.wording)")
    }
    return value
  }

  /// Returns the value of the parameter at `index`, which must be given.
  public func require<Value>(_ value: Value?, _ index: Int) throws(Failure) -> Value {
    guard let value else {
      let parameter = method.parameters[index]
      throw Failure(
        .invalidParams, "`\(method.name)`: missing parameter `\(parameter.name)` (\(parameter.values.wording))")
    }
    return value
  }

  /// Returns the value that is given of the parameters at `indices`, which exclude each other; nil if none is.
  public func atMostOne<Value>(of indices: [Int], _ values: Value?...) throws(Failure) -> Value? {
    let given = values.compactMap(\.self)
    if given.count > 1 { throw method.invalid("takes at most one of \(list(indices))") }
    return given.first
  }

  /// Returns the value that is given of the parameters at `indices`, of which exactly one must be.
  public func exactlyOne<Value>(of indices: [Int], _ values: Value?...) throws(Failure) -> Value {
    let given = values.compactMap(\.self)
    guard given.count == 1 else { throw method.invalid("takes exactly one of \(list(indices))") }
    return given[0]
  }

  private func list(_ indices: [Int]) -> LocalizableMessage { method.list(indices.map { method.parameters[$0] }) }
}

extension MethodDescription {
  fileprivate func list(_ parameters: [Parameter]) -> LocalizableMessage {
    parameters.isEmpty
      ? LocalizableMessage("no parameters") : .plain(parameters.map { "`\($0.name)`" }.joined(separator: ", "))
  }

  fileprivate func invalid(_ message: LocalizableMessage) -> Failure { Failure(.invalidParams, "`\(name)` \(message)") }
}

// MARK: Values

extension JSON {
  /// The integer in `range`; nil for every other value.
  func int(in range: some RangeExpression<Int>) -> Int? { int.flatMap { range.contains($0) ? $0 : nil } }

  /// The integer in `range`; nil for every other value.
  func integer(in range: some RangeExpression<Int64>) -> Int64? { integer.flatMap { range.contains($0) ? $0 : nil } }

  /// An integer that is not negative; nil for every other value.
  var unsigned: UInt64? { integer.flatMap { UInt64(exactly: $0) } }

  /// The number in `range`; nil for every other value.
  func double(in range: some RangeExpression<Double>) -> Double? {
    double.flatMap { range.contains($0) ? $0 : nil }
  }

  /// The time whose seconds are in `range`; nil for every other value.
  func time(in range: some RangeExpression<Double>) -> MediaTime? {
    double(in: range).map { MediaTime(seconds: $0) }
  }

  /// A speed at which tracks can be played; nil for every other value.
  var speed: PlaybackSpeed? { double.flatMap(PlaybackSpeed.init(factor:)) }

  /// The value true; nil for every other value.
  var onlyTrue: Void? { bool == true ? () : nil }

  /// The word of an enumeration; nil for every other value.
  public func word<Word: RawRepresentable<String>>(_ type: Word.Type) -> Word? { string.flatMap(Word.init) }

  /// The value that `read` returns, or null; nil if it is neither.
  func nullable<Value>(_ read: (JSON) -> Value?) -> Value?? { isNull ? .some(nil) : read(self).map { .some($0) } }
}
