public import SegueWire

/// The names of the methods in the document of `rpc.discover`. A test of all methods calls those that need no
/// parameters without listing them.
public struct ListedMethods {
  public private(set) var all: Set<String> = []
  /// Those that need no parameters, in the order of the document.
  public private(set) var withoutRequiredParameters: [String] = []

  public init(_ document: JSON) {
    for method in document["methods"]?.elements ?? [] {
      guard let name = method["name"]?.string else { continue }
      all.insert(name)
      if method["params"]?.elements?.contains(where: { $0["required"]?.bool == true }) == false {
        withoutRequiredParameters.append(name)
      }
    }
  }
}
