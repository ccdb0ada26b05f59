import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// The story of the visualizer with the real interface, the real daemon and a sound server.
@Suite struct VisualizerStoryTests {
  private let server: PulseServer
  private let daemon: DaemonProcess

  init() throws {
    server = try PulseServer()
    daemon = try DaemonProcess(pulse: server)
  }

  @Test func theVisualizerShowsWhatIsPlayed_andRestsDuringAPause() throws {
    let path = daemon.directory.appending("sine.wav")
    try AudioFile.write(SineWave.wave(0..<(30 * Signal.rate), hertz: 1_000), to: path)
    let client = try daemon.connect()
    let interface = try InterfaceProcess(daemon.socket)
    try interface.waitFor("The queue is empty.")
    interface.keys("V")
    try interface.waitFor("Nothing is playing.")
    try client.call("queue.add", #"{"uris":[\#(quoted(FileURI.encode(path)))],"play":true}"#)
    try interface.waitFor("-6.0 dB")
    try interface.waitFor("██")
    interface.keys("p")
    try interface.waitFor("Playback is paused.")
    interface.keys("V")
    try interface.waitFor("Play/pause")
    interface.keys("V", "p")
    try interface.waitFor("-6.0 dB")
  }
}
