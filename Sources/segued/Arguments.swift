internal import Glibc
internal import SegueSystem

/// What the command line asks for.
struct Arguments {
  var socket: FilePath?
  var isVerbose = false
  /// Files, folders, playlists and URLs to fill the queue with; absolute.
  var sources: [String] = []

  /// Something other than running.
  enum Outcome: Error {
    case help, version
    /// nil: the one that running would read.
    case check(configuration: FilePath?)
    case wrong(String)
  }

  init(_ words: ArraySlice<String>) throws(Outcome) {
    var rest = words
    var takesOptions = true
    while let word = rest.popFirst() {
      guard takesOptions, word.hasPrefix("-"), word != "-" else {
        sources.append(Self.source(word))
        continue
      }
      switch word {
      case "--": takesOptions = false
      case "-h", "--help": throw .help
      case "-V", "--version": throw .version
      case "-v", "--verbose": isVerbose = true
      case "--check-config": throw .check(configuration: rest.popFirst().map { FilePath($0) })
      case "--socket":
        guard let path = rest.popFirst() else { throw .wrong("--socket wants a path") }
        try setSocket(path)
      default:
        guard word.hasPrefix("--socket=") else { throw .wrong("there is no option \(word)") }
        try setSocket(String(word.dropFirst("--socket=".count)))
      }
    }
  }

  private mutating func setSocket(_ path: String) throws(Outcome) {
    guard !path.isEmpty else { throw .wrong("--socket wants a path") }
    socket = FilePath(path)
  }

  /// A URL as it is; a path, absolute, as a URI.
  private static func source(_ word: String) -> String {
    if word.contains("://") { return word }
    return FileURI.encode(workingFolder.appending(word).normalized)
  }

  private static var workingFolder: FilePath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return FilePath("/") }
    return FilePath(bytes: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
  }

  static let help = """
    segued plays music. It is driven over a Unix socket: try `segue --help`.

    Usage: segued [OPTION…] [PATH|URL…]

    The paths and URLs take the place of the queue: files, folders, playlists.

      --socket PATH   listen there; else $SEGUE_SOCKET, else $XDG_RUNTIME_DIR/segue/socket
      -v, --verbose   say more on stderr
      --check-config [FILE]
                      say what is wrong in the configuration, and do no more
      -h, --help      this text
      -V, --version   the version

    Signals: TERM and INT end it in order, HUP reads the configuration again.

    """
}
