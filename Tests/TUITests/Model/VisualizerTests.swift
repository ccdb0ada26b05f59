import SegueClientKit
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the visualizer: when the daemon is asked for the sound, and what is drawn.
@Suite struct VisualizerTests {
  private var interface = Interface(playing: 0)

  private var lines: [String] { interface.model.frame().grid.lines }

  /// The calls for the sound.
  private var calls: [DaemonCall] {
    interface.calls.filter { if case .followSound = $0 { true } else { false } }
  }

  private static func interface(remote: Bool = false, plain: Bool = false, _ use: VisualizerUse) -> Interface {
    var appearance = Interface.colored
    appearance.isRemote = remote
    if plain { appearance.decoration = .none }
    var configuration = InterfaceConfiguration()
    configuration.visualizer = use
    return Interface(appearance: appearance, playing: 0, configuration: configuration)
  }

  // MARK: The sound

  @Test mutating func theSoundIsSentWhileTheScreenIsDisplayed() {
    interface.type("3")
    #expect(calls == [])
    interface.type("V")
    #expect(calls == [.followSound(true)])
    interface.type("?")
    #expect(calls == [.followSound(true), .followSound(false)], "the help covers the visualizer")
    interface.press(.escape)
    #expect(calls.suffix(1) == [.followSound(true)])
    interface.type("V")
    #expect(calls.suffix(1) == [.followSound(false)])
    #expect(calls.count == 4)
  }

  @Test func thePaneBesideTheQueueContainsTheVisualizerIfTheSettingSaysSo() {
    var configuration = InterfaceConfiguration()
    func calls(rows: Int, columns: Int) -> [DaemonCall] {
      Interface(rows: rows, columns: columns, playing: 0, configuration: configuration).calls
    }
    #expect(calls(rows: 40, columns: 120) == [])
    configuration.showsPaneVisualizer = true
    #expect(calls(rows: 40, columns: 120) == [.followSound(true)])
    #expect(calls(rows: 40, columns: 100) == [], "there is no pane")
    #expect(calls(rows: 20, columns: 120) == [], "there is no room")
    let interface = Interface(rows: 40, columns: 120, playing: 0, configuration: configuration)
    #expect(interface.lines.contains { $0.contains("100") && $0.contains("1k") && $0.contains("│") })
  }

  @Test mutating func theSoundIsNotSentWhileTheProgramIsSuspended() {
    interface.type("V")
    interface.send(.suspended)
    #expect(calls == [.followSound(true), .followSound(false)])
    interface.send(.resized(ScreenSize(rows: 24, columns: 80)))
    #expect(calls.suffix(1) == [.followSound(true)])
    interface.send(.resized(ScreenSize(rows: 5, columns: 80)))
    #expect(calls.suffix(1) == [.followSound(false)], "the terminal is too small")
  }

  @Test mutating func theSoundIsAskedForAgainOverANewConnection() {
    interface.type("V")
    interface.send(.disconnected(ClientError(.noDaemon, "gone")))
    #expect(calls.count == 1)
    interface.send(.connected)
    #expect(calls == [.followSound(true), .followSound(true)])
  }

  @Test mutating func aRefusalIsAcceptedUntilTheNextConnection() {
    interface.answering = { if case .followSound = $0 { .failing } else { .atOnce } }
    interface.type("V")
    #expect(lines.contains { $0.contains("busy") })
    interface.type("?")
    interface.press(.escape)
    #expect(calls == [.followSound(true)])
  }

  @Test(arguments: [
    (false, false, VisualizerUse.auto, true), (true, false, .auto, false), (true, false, .yes, true),
    (false, false, .no, false), (false, true, .yes, false),
  ])
  func theVisualizerIsOff_overSSH_withPlain_orByTheSetting(
    _ isRemote: Bool, _ isPlain: Bool, _ use: VisualizerUse, _ isOn: Bool
  ) {
    var interface = Self.interface(remote: isRemote, plain: isPlain, use)
    interface.type("V")
    let lines = interface.model.frame().grid.lines
    #expect(interface.calls == (isOn ? [.followSound(true)] : []))
    #expect(lines[0].contains("Visualizer") == isOn)
    #expect(lines.contains { $0.contains("visualizer is off") } == !isOn)
  }

  // MARK: The view

  /// The columns of the spectrum with the highest bars.
  private func highestColumns(_ lines: [String]) -> Range<Int>? {
    guard let line = lines.dropFirst(2).first(where: { $0.contains("█") }) else { return nil }
    let columns = line.enumerated().filter { $0.element == "█" }.map(\.offset)
    return columns.first.map { $0..<(columns.last ?? $0) + 1 }
  }

  @Test mutating func theBarOfASineStandsAboveItsFrequency() throws {
    interface.type("V")
    var wave = SoundWave(hertz: 1_000, amplitude: 0.4)
    interface.hear(&wave, events: 10)
    let columns = try #require(highestColumns(lines))
    let scale = try #require(lines.first { $0.contains(" 1k ") })
    let label = scale.distance(from: scale.startIndex, to: try #require(scale.range(of: "1k")?.lowerBound))
    #expect(columns.lowerBound - 1...columns.upperBound ~= label)
  }

  @Test mutating func barsFallWhileNothingIsHeard_andNothingWakesTheInterfaceThen() throws {
    interface.type("V")
    var wave = SoundWave(hertz: 1_000, amplitude: 0.4)
    interface.hear(&wave, events: 10)
    interface.change { ($0.state, $0.rate) = (.paused, 0) }
    #expect(highestColumns(lines) != nil)
    var ticks = 0
    while let tick = interface.model.nextTick, ticks < 1_000 {
      interface.wait(tick - interface.now)
      ticks += 1
    }
    #expect(ticks < 300)
    #expect(highestColumns(lines) == nil)
    #expect(lines.contains { $0.contains("Playback is paused.") } && !lines.contains { $0.contains("dB") })
  }

  @Test mutating func theViewSaysThatItWaitsForTheFirstSamples() {
    interface.type("V")
    #expect(lines.contains { $0.contains("Waiting for the sound…") } && !lines.contains { $0.contains("dB") })
    var wave = SoundWave(hertz: 1_000, amplitude: 0.4)
    interface.hear(&wave, events: 1)
    #expect(!lines.contains { $0.contains("Waiting") } && lines.contains { $0.contains("dB") })
  }

  @Test mutating func theMarksOfThePeaksJoinTheirLinesAndDoNotTouchEachOther() {
    interface.type("V")
    var wave = SoundWave(hertz: 1_000, amplitude: 0.4)
    interface.hear(&wave, events: 10)
    func peak(_ name: String) -> Character? {
      lines.first { $0.contains(" \(name) ━") }?.first { "┻┸┳┰".contains($0) }
    }
    #expect("┻┸".contains(peak("L") ?? " ") && "┳┰".contains(peak("R") ?? " "))
  }

  @Test(arguments: [true, false]) func theViewFitsIntoEveryArea(_ isUnicode: Bool) {
    var appearance = Interface.colored
    appearance.isUnicode = isUnicode
    var interface = Interface(appearance: appearance, playing: 0)
    interface.type("V")
    var wave = SoundWave(hertz: 1_000, amplitude: 0.9)
    interface.hear(&wave, events: 5)
    for rows in 0..<30 {
      for columns in [0, 1, 2, 3, 10, 23, 24, 40, 61, 130, 200, 500] {
        let size = ScreenSize(rows: rows + 2, columns: columns + 2)
        var frame = TerminalFrame(size, palette: .monochrome)
        Visualizer.draw(&frame, Area(row: 1, column: 1, rows: rows, columns: columns), interface.model.state)
        var outside = frame.grid
        for row in 1..<1 + rows {
          for column in 1..<1 + columns { outside[row, column] = .blank }
        }
        #expect(outside == Grid(size), "\(rows) rows and \(columns) columns")
        if !isUnicode { #expect(frame.grid.lines.allSatisfy { $0.utf8.count == $0.count }) }
        if rows > 0, columns > 0 { #expect(frame.grid != Grid(size)) }
      }
    }
  }

  @Test func anAreaOutsideTheFrameIsHarmless() {
    let interface = Interface(playing: 0)
    var frame = TerminalFrame(ScreenSize(rows: 5, columns: 5), palette: .monochrome)
    Visualizer.draw(&frame, Area(row: -3, column: -3, rows: 40, columns: 100), interface.model.state)
    Visualizer.draw(&frame, Area(row: 4, column: 4, rows: 40, columns: 100), interface.model.state)
  }
}
