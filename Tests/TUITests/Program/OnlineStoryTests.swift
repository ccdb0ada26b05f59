import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Stories of the screens of online catalogues, with the real interface, the real daemon, and a server that responds as
/// the services do.
@Suite struct OnlineStoryTests {
  private let catalog: CatalogServer
  private let server: PulseServer
  private let daemon: DaemonProcess
  private let client: SocketClient

  init() throws {
    catalog = try CatalogServer()
    server = try PulseServer()
    daemon = try DaemonProcess(pulse: server, running: false)
    try daemon.configure(catalog.configuration)
    try daemon.start()
    client = try daemon.connect()
  }

  private func interface(_ key: String, environment: [String: String] = [:]) throws -> InterfaceProcess {
    let interface = try InterfaceProcess(daemon.socket, columns: 100, environment: environment)
    try interface.waitFor("? Help")
    interface.keys(key)
    return interface
  }

  @Test func aUserSearchesForASongAndPlaysIt() throws {
    let interface = try interface("5")
    try interface.waitFor("Search  Library")
    interface.keys("Tab", "т", "е", "Enter")
    try interface.waitFor("Please enter at least 3 characters for the search")
    interface.keys("с")
    try interface.waitFor("Suggestions")
    try interface.waitFor("Тестовая песня")
    interface.keys("т", "Enter")
    try interface.waitFor("provided courtesy of iTunes")
    interface.keys("t", "i")
    try interface.waitFor("Released")
    interface.keys("Escape")
    try interface.waitFor("3 results")
    interface.keys("Enter")
    try waitUntil("the song plays") {
      try client.call("status")["track"]?["uri"]?.string?.hasPrefix("itunes:song:") == true
    }
    interface.keys("/", "C-u")
    // The search is one of the last ones now.
    try interface.waitFor("Last searches")
    try interface.waitFor("тест")
  }

  @Test func aUserSeesTheChartsWithoutTheirService() throws {
    let interface = try interface("6")
    try interface.waitFor("20 of 45")
    // A second key could arrive after the second page and load the third one.
    interface.keys("PgDn")
    try interface.waitFor("40 of 45")
    catalog.respond(to: "/itunes/", with: CatalogServer.Response(503, ""))
    interface.keys("r")
    try interface.waitFor("The service cannot be reached.")
    try interface.waitFor("Chart Song 10")
    interface.keys("Tab", "Tab")
    try interface.waitFor("what would help") { lines in
      let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
      return text.contains("try again with “Refresh” (r).")
    }
  }

  @Test func aUserReadsAboutAPersonAndOpensTheHomePage() throws {
    try client.call("catalog.setToken", #"["tmdb","secret"]"#)
    let folder = try TemporaryFolder()
    let log = folder.path.appending("opened")
    let program = try folder.write("xdg-open", Array("#!/bin/sh\necho \"$1\" > \(log)\n".utf8))
    _ = try checked("chmod") { program.withCString { chmod($0, 0o700) } }
    let path = "\(program.parent):\(WorkerProcess.product("segue").parent):/usr/bin:/bin"
    let interface = try interface("P", environment: ["PATH": path])
    try interface.waitFor("This product uses the TMDB API")
    interface.keys("Enter")
    try interface.waitFor("Born")
    interface.keys("w")
    try interface.waitFor("The page is opened in the browser:")
    let opened = waitForValue { try? SmallFile.read(log, upTo: 1_000) }
    #expect(String(decoding: opened ?? [], as: UTF8.self).hasPrefix("https://actor.example/"))
  }

  @Test func aUserFindsAStationAndPlaysIt() throws {
    let interface = try interface("9")
    try interface.waitFor("Synthetic Jazz")
    interface.keys("Tab", "j", "a", "z", "z", "Enter")
    try interface.waitFor("Synthetic Jazz")
    interface.keys("Tab", "C-u", "x", "Enter")
    try interface.waitFor("Please enter the country as a code of two letters")
    interface.keys("C-u", "d", "e", "Enter")
    try interface.waitFor("Synthetic Jazz")
    #expect(catalog.requests.contains { $0.contains("countrycode=DE") })
    interface.keys("Enter")
    try waitUntil("the station is in the queue") { try client.call("status")["length"]?.int == 1 }
  }
}
