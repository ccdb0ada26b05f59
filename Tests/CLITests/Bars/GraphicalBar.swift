import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// A bar that draws on its own virtual display, with the module from contrib/bars or with a fixed text.
final class GraphicalBar {
  enum Program: String, CaseIterable {
    case polybar, waybar, yambar
  }

  /// The height in pixels.
  private static let height = 32

  private let screen: VirtualDisplay
  private let folder: TemporaryFolder
  private let process: ChildProcess

  /// Starts the bar with the module from contrib/bars.
  convenience init(_ program: Program, _ daemon: StubDaemon) throws {
    let name =
      switch program {
      case .polybar: "polybar.ini"
      case .waybar: "waybar.jsonc"
      case .yambar: "yambar.yml"
      }
    let snippet = try BarFixture.text(BarFixture.snippets.appending(name))
    try self.init(program, daemon) { _ in snippet }
  }

  /// Starts the bar with a fixed text for a playing track called `title`, written such that the bar interprets nothing
  /// in it.
  convenience init(_ program: Program, literally title: String, _ daemon: StubDaemon) throws {
    // The title is split between `%` and `{`.
    let cut = title.firstRange(of: "%{").map { title.index(after: $0.lowerBound) } ?? title.startIndex
    let (start, end) = (String(title[..<cut]), String(title[cut...]))
    try self.init(program, daemon) { folder in
      switch program {
      case .polybar:
        // The colour inserts a tag of the bar between the two parts.
        """
        [module/segue]
        type = custom/script
        exec = cat '\(try folder.text("end", end))'
        format-prefix = "▶ \(start.replacing("\\", with: "\\\\"))"
        format-prefix-foreground = #ffffff
        """
      case .waybar:
        // Waybar escapes the text itself.
        """
        "custom/segue": { "exec": "cat '\(try folder.text("title", title))'", "interval": "once", "escape": true,
          "format": "▶ {}" }
        """
      case .yambar:
        """
        - script:
            path: /usr/bin/tail
            args: [--follow, --lines=+1, \(try folder.text("tags", "start|string|\(start)\nend|string|\(end)\n\n"))]
            content:
              list:
                spacing: 0
                items:
                  - string: { text: "▶ {start}" }
                  - string: { text: "{end}" }
        """
      }
    }
  }

  /// Starts the bar with the module that `module` returns. The folder that is passed to it contains a `segue` script,
  /// which records the commands of mouse buttons.
  private init(_ program: Program, _ daemon: StubDaemon, module: (TemporaryFolder) throws -> String) throws {
    folder = try TemporaryFolder()
    screen = try VirtualDisplay()
    try folder.write("commands")
    let segue = try folder.text(
      "segue",
      """
      #!/bin/sh
      case " $* " in *' --follow '*) exec '\(WorkerProcess.product("segue"))' "$@" ;; esac
      echo "$*" >>'\(folder.path)/commands'

      """)
    _ = try checked("chmod") { segue.withCString { chmod($0, 0o755) } }
    let command: [String]
    let module = try module(folder)
    switch program {
    case .polybar:
      let settings = try folder.text(
        "polybar",
        """
        [bar/bar]
        width = 100%
        height = \(Self.height)
        background = #000000
        foreground = #ffffff
        font-0 = DejaVu Sans Mono:size=11
        font-1 = WenQuanYi Micro Hei:size=11
        modules-left = segue
        \(module)

        """)
      command = ["polybar", "--config=\(settings)", "bar"]
    case .waybar:
      try screen.startSway()
      let settings = try folder.text(
        "waybar", "{ \"height\": \(Self.height), \"modules-left\": [\"custom/segue\"],\n\(module) }\n")
      let style = try folder.text("style", "* { color: #fff; background: #000; border: none; font: 14px monospace; }")
      command = ["waybar", "--config", "\(settings)", "--style", "\(style)"]
    case .yambar:
      let settings = try folder.text(
        "yambar",
        """
        bar:
          location: top
          height: \(Self.height)
          font: monospace:pixelsize=14
          foreground: ffffffff
          background: 000000ff
          left:
        \(module.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))

        """)
      command = ["yambar", "--config=\(settings)"]
    }
    process = try BarFixture.start(
      command, daemon, in: folder, programs: folder.path, environment: screen.environment)
  }

  deinit { process.end() }

  /// Returns the displayed pixels.
  func pixels() throws -> [UInt8] { try screen.pixels(height: Self.height) }

  /// Presses a mouse button on the module. Buttons 4 and 5 are the wheel.
  func click(_ button: Int) throws { try screen.click(button, at: 30, Self.height / 2) }

  /// The arguments of `segue` for each mouse button, one line per call.
  var commands: String {
    get throws { try BarFixture.text(folder.path.appending("commands")) }
  }
}

extension TemporaryFolder {
  fileprivate func text(_ name: String, _ text: String) throws -> FilePath { try write(name, Array(text.utf8)) }
}
