internal import Glibc
public import SegueSystem

/// The file `web.conf`, in the format of `segue.conf`.
public struct WebConfiguration: Equatable, Sendable {
  /// The paths of the certificate, with those of the authorities in between, and of its key, both in the format PEM.
  /// With both, the gateway speaks TLS.
  public var certificate: FilePath?
  public var key: FilePath?
  /// Names by which browsers reach this machine, besides its own ones and its addresses.
  public var names: [String] = []
  /// Programs that pass the requests of others on, and state the addresses of these.
  public var proxies: Set<ClientAddress> = []

  public var isSecure: Bool { certificate != nil && key != nil }

  public static var path: FilePath { Directories.config.appending("segue/web.conf") }

  private static let section = "Web"
  private static let maximumSize = 64 << 10
  private static let maximumNames = 32

  public init() {}

  /// What is wrong in the file. The gateway does not serve with a part of it: a mistake must not send passwords
  /// without encryption.
  public struct Invalid: Error, Equatable, CustomStringConvertible {
    public let problems: [INIWarning]

    public var description: String { problems.map(\.description).joined(separator: "; ") }
  }

  /// Reads the file, which may be missing.
  public static func load() throws(Invalid) -> WebConfiguration {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.read(path, upTo: maximumSize)
    } catch {
      if error.code == ENOENT { return Self() }
      throw Invalid(problems: [INIWarning(path: path, line: 0, message: error.reason)])
    }
    return try Self(parsing: bytes, path)
  }

  /// Reads the text of the file at `path`.
  init(parsing bytes: [UInt8], _ path: FilePath) throws(Invalid) {
    var (problems, section) = ([INIWarning](), "")
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let note = { problems.append(INIWarning(path: path, line: index + 1, message: $0)) }
      switch INILine(line) {
      case nil: break
      case .section(let name)?:
        section = name
        if name != Self.section { note("unknown section “\(name)”; there is only [\(Self.section)]") }
      case .value(let key, let value)?:
        guard section == Self.section else {
          note("\(key)= does not follow [\(Self.section)]")
          break
        }
        if let problem = set(key, to: value) { note(problem) }
      case .unclosedSection?: note("the name of a section ends with ]")
      case .unknown?: note("neither a section nor Key=value")
      }
    }
    if problems.isEmpty, (certificate == nil) != (key == nil) {
      problems.append(INIWarning(path: path, line: 0, message: "Certificate= and Key= need each other"))
    }
    guard problems.isEmpty else { throw Invalid(problems: problems) }
  }

  /// Returns what is wrong with a value; nil if nothing is.
  private mutating func set(_ key: String, to value: ArraySlice<UInt8>) -> String? {
    switch key {
    case "Certificate", "Key":
      let path = value.isEmpty ? nil : FilePath(bytes: Array(value))
      guard path?.isAbsolute ?? true else { return "\(key)= must be an absolute path" }
      if key == "Key" { self.key = path } else { certificate = path }
      return nil
    case "Names":
      names = String(decoding: value, as: UTF8.self).split(separator: " ").map { $0.lowercased() }
      guard names.count <= Self.maximumNames, names.allSatisfy(Self.isName) else {
        names = []
        return "Names= must be names of hosts, separated by spaces"
      }
      return nil
    case "Proxy":
      let texts = String(decoding: value, as: UTF8.self).split(separator: " ")
      let addresses = texts.compactMap { ClientAddress($0) }
      guard addresses.count == texts.count, texts.count <= Self.maximumNames else {
        return "Proxy= must be addresses, separated by spaces"
      }
      proxies = Set(addresses)
      return nil
    default: return "unknown key \(key)=; there are Certificate=, Key=, Names= and Proxy="
    }
  }

  /// Whether a text is a name of a host without a port.
  private static func isName(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      }
  }
}
