internal import SegueWire

/// The values that the arguments of a verb may have. Completions offer them.
struct ArgumentValues: Sendable {
  enum Kind: Sendable {
    case words([String])
    case verbs
    /// Methods of the protocol.
    case methods
    /// Numbers of entries of the queue.
    case entries
    /// Numbers of chapters of the current track.
    case chapters
    /// Names of items of the library.
    case names(NameLookup.Kind)
    /// Names of genres of online catalogues.
    case genres(CatalogItem.Kind)
    case outputs
    /// Providers of online catalogues.
    case providers
    case settings(areChangeable: Bool)
    /// The accepted values of the setting with this name.
    case valuesOfSetting(String)
    case files
    /// Files, and URIs of items of the library.
    case resources
  }

  /// Returns the values that may follow these arguments.
  let next: @Sendable (_ arguments: ArraySlice<String>) -> [Kind]

  static let none = ArgumentValues { _ in [] }

  /// The arguments name something playable, perhaps by its kind and its name.
  static let resources = ArgumentValues { resources(after: $0) }

  /// Only the first argument has known values.
  static func first(_ kinds: Kind...) -> ArgumentValues { ArgumentValues { $0.isEmpty ? kinds : [] } }

  /// Every argument has the same values.
  static func all(_ kinds: Kind...) -> ArgumentValues { ArgumentValues { _ in kinds } }

  /// Returns the values that may follow arguments which name something playable.
  static func resources(after arguments: ArraySlice<String>) -> [Kind] {
    guard arguments.count == 1, let kind = arguments.first.flatMap(NameLookup.Kind.init) else { return [.resources] }
    return [.names(kind)]
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// All words of the enumeration.
  static var words: [String] { allCases.map(\.rawValue) }
}
