internal import SegueClientKit
internal import SegueSystem

/// The parsed command line of `segue-ui`.
struct InterfaceOptions {
  enum Action {
    case run
    case checkConfiguration
    case showHelp
    case showVersion
  }

  private(set) var action = Action.run
  private(set) var socket: FilePath?
  private(set) var isPlain = Directories.environment("SEGUE_PLAIN") != nil
  private(set) var drawsPictures = true

  static var help: String {
    tr(
      """
      segue-ui: a terminal interface for segued, started by  segue ui

      Usage:  segue-ui [OPTION…]

      Options:
        --plain         no lines, no bars, and no clock that changes by itself
        --no-pictures   do not draw covers
        --socket PATH   connect to this socket (default: $SEGUE_SOCKET)
        --check-config  print the errors in ~/.config/segue/ui.conf and exit
        -h, --help      show this help
        --version       show the version of this program

      The last line of the screen shows the most important keys; the key ? lists all.
      """)
  }

  init(parsing arguments: [[UInt8]]) throws(ClientError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let text = String(decoding: argument, as: UTF8.self)
      switch text {
      case "--plain": isPlain = true
      case "--no-pictures": drawsPictures = false
      case "--check-config": action = .checkConfiguration
      case "-h", "--help": action = .showHelp
      case "--version": action = .showVersion
      case "--socket":
        guard let path = rest.popFirst(), !path.isEmpty else { throw .usage(tr("missing path for --socket")) }
        socket = FilePath(bytes: path)
      default: throw .usage(tr("unknown argument %1$s", text), hints: [tr("segue-ui --help   lists all options")])
      }
    }
  }
}
