import Glibc

/// The parsers that the program fuzzes. The raw value is the name of the folder with the seeds.
private enum Target: String, CaseIterable {
  case socket = "Socket"
  case playlists = "Playlists"
  case settings = "Settings"
  case lyrics = "Lyrics"
  case catalog = "Catalog"
  case link = "Link"
  case ring = "Ring"
  case remotePlaylists = "RemotePlaylists"
  case responses = "Responses"
  case urls = "URLs"
  case gateway = "Gateway"

  /// The target of this process, which a variable of the environment names: libFuzzer reads the arguments.
  static let chosen: Target = {
    guard let target = getenv("SEGUE_FUZZ_TARGET").flatMap({ Target(rawValue: String(cString: $0)) }) else {
      fatalError("SEGUE_FUZZ_TARGET must be one of \(Target.allCases.map(\.rawValue))")
    }
    return target
  }()

  func run(_ input: UnsafeRawBufferPointer) {
    switch self {
    case .socket: fuzzSocket(input)
    case .playlists: fuzzPlaylists(input)
    case .settings: fuzzSettings(input)
    case .lyrics: fuzzLyrics(input)
    case .catalog: fuzzCatalog(input)
    case .link: fuzzLink(input)
    case .ring: fuzzRing(input)
    case .remotePlaylists: fuzzRemotePlaylists(input)
    case .responses: fuzzResponses(input)
    case .urls: fuzzURLs(input)
    case .gateway: fuzzGateway(input)
    }
  }
}

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Target.chosen.run(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
