import SegueTestKit

/// A daemon whose online catalogues are on a server of the test. Suites derive from it.
class CatalogFixture {
  let server: CatalogServer
  let fixture: DaemonFixture

  var daemon: TestDaemon { fixture.daemon }
  var client: SocketClient { fixture.client }

  init() throws {
    server = try CatalogServer()
    fixture = try DaemonFixture(configuration: server.configuration)
  }
}
