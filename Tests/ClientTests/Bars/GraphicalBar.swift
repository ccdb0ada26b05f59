import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// A bar that draws, on a screen of its own: with the module of contrib/bars in it, or with a known text.
final class GraphicalBar {
  enum Program: String, CaseIterable {
    case polybar, waybar, yambar
  }

  /// Lines of pixels.
  private static let height = 32

  private let screen: VirtualDisplay
  private let folder: TemporaryFolder
  private let process: ChildProcess

  /// As somebody has it who follows contrib/bars.
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

  /// Shows that a track called `title` plays, in a way that leaves the bar nothing to obey.
  convenience init(_ program: Program, literally title: String, _ daemon: StubDaemon) throws {
    // `%` and `{` that do not meet.
    let cut = title.firstRange(of: "%{").map { title.index(after: $0.lowerBound) } ?? title.startIndex
    let (start, end) = (String(title[..<cut]), String(title[cut...]))
    try self.init(program, daemon) { folder in
      switch program {
      case .polybar:
        // The colour puts a tag of the bar's own between the two.
        """
        [module/segue]
        type = custom/script
        exec = cat '\(try folder.text("end", end))'
        format-prefix = "▶ \(start.replacing("\\", with: "\\\\"))"
        format-prefix-foreground = #ffffff
        """
      case .waybar:
        // It escapes for itself, too.
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

  /// `module` makes the bar's module, with files in a folder that holds a `segue`, too: one that keeps what it is asked.
  private init(_ program: Program, _ daemon: StubDaemon, module: (TemporaryFolder) throws -> String) throws {
    folder = try TemporaryFolder()
    screen = try VirtualDisplay()
    try folder.write("asked")
    let segue = try folder.text(
      "segue",
      """
      #!/bin/sh
      case " $* " in *' --follow '*) exec '\(WorkerProcess.product("segue"))' "$@" ;; esac
      echo "$*" >>'\(folder.path)/asked'

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

  /// What is to be seen of it.
  func pixels() throws -> [UInt8] { try screen.pixels(height: Self.height) }

  /// Presses a button of the mouse on the module; 4 and 5 are its wheel.
  func click(_ button: Int) throws { try screen.click(button, at: 30, Self.height / 2) }

  /// What it had `segue` do, a line each.
  var asked: String {
    get throws { try BarFixture.text(folder.path.appending("asked")) }
  }
}

extension TemporaryFolder {
  fileprivate func text(_ name: String, _ text: String) throws -> FilePath { try write(name, Array(text.utf8)) }
}
