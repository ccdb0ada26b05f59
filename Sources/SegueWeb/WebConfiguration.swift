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

  public var isSecure: Bool { certificate != nil && key != nil }

  public static var path: FilePath { Directories.config.appending("segue/web.conf") }

  private static let section = "Web"
  private static let maximumSize = 64 << 10
  private static let maximumNames = 32

  public init() {}

  /// Reads the file, which may be missing. What is wrong in it is ignored, and a warning says so.
  public static func load() -> (configuration: WebConfiguration, warnings: [INIWarning]) {
    do throws(SystemError) {
      return parse(try SmallFile.read(path, upTo: maximumSize), path)
    } catch {
      let isMissing = error.code == ENOENT
      return (Self(), isMissing ? [] : [INIWarning(path: path, line: 0, message: error.reason)])
    }
  }

  static func parse(_ bytes: [UInt8], _ path: FilePath) -> (configuration: WebConfiguration, warnings: [INIWarning]) {
    var (configuration, warnings, section) = (Self(), [INIWarning](), "")
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let warn = { warnings.append(INIWarning(path: path, line: index + 1, message: $0)) }
      switch INILine(line) {
      case nil: break
      case .section(let name)?:
        section = name
        if name != Self.section { warn("unknown section “\(name)”; there is only [\(Self.section)]") }
      case .value(let key, let value)?:
        guard section == Self.section else { break }
        if let problem = configuration.set(key, to: value) { warn(problem) }
      case .unclosedSection?: warn("the name of a section ends with ]")
      case .unknown?: warn("neither a section nor Key=value")
      }
    }
    if (configuration.certificate == nil) != (configuration.key == nil) {
      warnings.append(INIWarning(path: path, line: 0, message: "Certificate= and Key= need each other"))
    }
    return (configuration, warnings)
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
    default: return "unknown key \(key)=; there are Certificate=, Key= and Names="
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
