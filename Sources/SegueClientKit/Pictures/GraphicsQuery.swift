/// The query of a terminal for its capabilities to display pictures, as a value: requests go to the terminal, and its
/// responses call for other requests or are complete.
///
/// Whether a terminal knows the kitty graphics protocol is asked with an application program command (APC). GNU Screen
/// and tmux take its text for a title of their own (`screen(1)`, "Control Sequences"; `input_handle_apc` of tmux).
/// Therefore only a terminal that has stated its name is asked, unless it is one of these. All terminals with the
/// protocol state their names, and what `TMUX`, `STY` and `TERM` say does not matter: they are lost on the way to
/// another machine or user.
public struct GraphicsQuery {
  /// What follows from the responses of the terminal.
  public enum Step: Equatable {
    /// The terminal must receive these requests.
    case request(String)
    /// The terminal is known. It is nil if it displays no pictures.
    case result(GraphicsTerminal?)
    /// The terminal is tmux, with the capabilities of its own. Whether the terminals around it display pictures is
    /// another question.
    case tmux(GraphicsTerminal?)
  }

  /// The requests to which a terminal responds with its name (XTVERSION), the size of a cell, the size of the screen
  /// and, last, the device attributes (DA1), which every terminal reports.
  public static let requests = "\u{1B}[>q\u{1B}[16t\u{1B}[18t\u{1B}[c"
  /// The request for the size of a cell, which changes with the font.
  public static let cellSizeRequest = "\u{1B}[16t"

  /// Returns the size of a cell in pixels that a response states; nil if it is another response.
  public static func cellSize(_ response: some Collection<UInt8>) -> (width: Int, height: Int)? {
    TerminalResponses(Array(response)).cellSize
  }

  /// The request to which a terminal with the kitty graphics protocol responds, and that for the device attributes.
  private static let kittyRequests = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"
  /// The maximum size of the responses in bytes. Longer ones are dropped.
  private static let maximumSize = 4_096

  private var responses: [UInt8] = []
  private var hasAskedForKitty = false

  public init() {}

  /// Adds a response that others follow.
  public mutating func collect(_ response: some Collection<UInt8>) {
    if responses.count + response.count <= Self.maximumSize { responses += response }
  }

  /// Adds the last response to the requests, which may be missing after a timeout. After a result, the query begins
  /// anew.
  public mutating func receive(_ last: some Collection<UInt8>) -> Step {
    collect(last)
    let parsed = TerminalResponses(responses)
    if !hasAskedForKitty, parsed.isComplete, parsed.mayKnowKittyGraphics {
      hasAskedForKitty = true
      return .request(Self.kittyRequests)
    }
    self = GraphicsQuery()
    return parsed.isTmux ? .tmux(parsed.terminal) : .result(parsed.terminal)
  }
}
