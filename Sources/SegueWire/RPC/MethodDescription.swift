/// A method of the protocol: its name, and what a request for it may contain.
public final class MethodDescription: Sendable {
  public struct Parameter: Sendable {
    public let name: String
    public let values: ValueKind
    /// What a client needs to give the parameter, beside what the method requires.
    public let rights: Rights

    public init(_ name: String, _ values: ValueKind, rights: Rights = .listen) {
      self.name = name
      self.values = values
      self.rights = rights
    }
  }

  public let name: String
  /// The former names of the method, which stay valid, the oldest one first.
  public let aliases: [String]
  /// The name that every daemon knows. After an update, an earlier one may be running.
  public var oldestName: String { aliases.first ?? name }
  /// What a client needs to call the method.
  public let rights: Rights
  /// Whether the method changes what is saved. While saving fails, its response says so.
  public let savesState: Bool
  /// Whether the method waits for other machines, so that requests after it are not delayed: its response may come
  /// after theirs. In a batch, it is carried out like any other method.
  public let isDetached: Bool
  /// The parameters, in the order in which they are given by position.
  public let parameters: [Parameter]
  /// All kinds of errors that the method may return.
  public let errors: [Failure.Kind]

  /// - Parameter errors: The kinds of errors in addition to those that every method may return.
  public init(
    _ name: String, rights: Rights, aliases: [String] = [], savesState: Bool = false, isDetached: Bool = false,
    parameters: [Parameter] = [],
    errors: [Failure.Kind] = []
  ) {
    self.name = name
    self.rights = rights
    self.aliases = aliases
    self.savesState = savesState
    self.isDetached = isDetached
    self.parameters = parameters
    self.errors = [.invalidParams] + errors + [.internalError]
  }
}

/// A request of the protocol. Its type is the declaration of a method: clients send it, and the server carries it out.
public protocol ProtocolRequest<Result>: Sendable {
  /// The result of the method.
  associatedtype Result: JSONEncodable & JSONDecodable

  static var method: MethodDescription { get }

  /// The URIs of tracks, folders and items that the request contains.
  var namedURIs: [String] { get }

  /// Decodes the parameters. Throws an error that names the expected value.
  init(_ values: RequestParameters) throws(Failure)

  /// Encodes the parameters as an object, without those that have their default values.
  func encode(into json: inout JSONWriter)
}

extension ProtocolRequest {
  public var namedURIs: [String] { [] }
}

/// A request without parameters.
public protocol PlainRequest: ProtocolRequest {
  init()
}

extension PlainRequest {
  public init(_ values: RequestParameters) throws(Failure) { self.init() }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.endObject()
  }
}
