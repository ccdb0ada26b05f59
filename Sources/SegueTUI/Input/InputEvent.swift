internal import SegueClientKit

/// Input of the user or of the terminal.
enum InputEvent: Equatable {
  case key(Key)
  case mouse(MouseEvent)
  /// Pasted text without control characters.
  case paste(String)
  case focus(isGained: Bool)
  /// The answer to the queries of `GraphicsTerminal`: the terminal, or nil if it displays no pictures.
  case graphics(GraphicsTerminal?)
  /// The answer of tmux to these queries, with its own capabilities.
  case tmux(GraphicsTerminal?)
  /// The size of a cell in pixels, as the terminal states it.
  case cellSize(width: Int, height: Int)
  /// The brightness of the background, as the terminal reports it.
  case background(Brightness)
}

/// An action of the mouse at a position of the screen.
struct MouseEvent: Equatable {
  enum Action: Equatable {
    /// The left button was pressed, released, or held while the mouse moved.
    case press, release, drag
    case wheelUp, wheelDown
  }

  var action: Action
  var position: Position
}
