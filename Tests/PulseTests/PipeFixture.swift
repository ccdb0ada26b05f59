import SegueTestKit

/// A sink under test whose sound goes through a pipe, exactly as it is played. Suites derive from it.
class PipeFixture {
  let server: PulseServer
  let recorder: Recorder
  let fixture: SinkFixture

  init() throws {
    server = try PulseServer([.pipe("test")])
    recorder = try server.readFIFO("test")
    fixture = SinkFixture(server)
  }
}
