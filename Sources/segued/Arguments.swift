internal import Glibc
internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The arguments of the command line.
struct Arguments {
  private(set) var socket: FilePath?
  private(set) var isVerbose = false
  /// The URIs and URLs of files, folders, playlists and streams that replace the queue.
  private(set) var sources: [String] = []

  /// A reason not to run the daemon.
  enum Outcome: Error {
    case help, version
    /// nil for the file that the daemon would read.
    case check(configuration: FilePath?)
    case invalid(String)
  }

  init(_ words: ArraySlice<String>) throws(Outcome) {
    var rest = words
    var takesOptions = true
    var check: Outcome?
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
      case "--check-config":
        let file = rest.first.flatMap { $0.hasPrefix("-") ? nil : rest.popFirst() }
        check = .check(configuration: file.map { FilePath($0) })
      case "--socket":
        guard let path = rest.popFirst() else { throw .invalid("missing argument: --socket PATH") }
        try setSocket(path)
      default:
        guard word.hasPrefix("--socket=") else { throw .invalid("unknown option: \(word)") }
        try setSocket(String(word.dropFirst("--socket=".count)))
      }
    }
    if let check { throw check }
  }

  private mutating func setSocket(_ path: String) throws(Outcome) {
    guard !path.isEmpty else { throw .invalid("missing argument: --socket PATH") }
    socket = FilePath(path)
  }

  /// Returns a URL and the URI of an item of a catalogue as they are, and a path as the URI of its absolute path.
  private static func source(_ word: String) -> String {
    if word.contains("://") || CatalogItemURI.hasScheme(word) { return word }
    return FileURI.encode(workingFolder.appending(word).normalized)
  }

  private static var workingFolder: FilePath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return FilePath("/") }
    return FilePath(bytes: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
  }

  static let help = tr(
    """
    segued is a music player daemon. Clients control it over a Unix socket: see `segue --help`.

    Usage: segued [OPTION…] [PATH|URL…]

    The files, folders, playlists and URLs replace the queue.

      --socket PATH   listen on this socket; default: $SEGUE_SOCKET or $XDG_RUNTIME_DIR/segue/socket
      -v, --verbose   write debug messages to stderr
      --check-config [FILE]
                      report errors in the configuration, and exit
      -h, --help      show this help
      -V, --version   show the version

    Signals: TERM and INT stop the daemon, HUP reloads the configuration.
    """)
}
