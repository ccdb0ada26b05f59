import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of sockets that another user has placed, or on which another user listens. The client must not send requests
/// to them.
@Suite(.enabled(if: geteuid() == 0, "only root can act as another user")) struct ForeignSocketTests {
  private static let otherUser: uid_t = 54_321
  private static let verbs = [["status"], ["volume", "20"], ["rpc", "status"]]
  private let folder: TemporaryFolder
  private let daemon: StubDaemon

  init() throws {
    folder = try TemporaryFolder()
    daemon = try StubDaemon(RecordedResponses.standard)
  }

  private func give(_ path: FilePath) { _ = path.withCString { lchown($0, Self.otherUser, Self.otherUser) } }

  /// Runs a verb and expects that the client refuses the socket, with a reason, before it sends anything.
  private func expectRefusal(of path: FilePath, because reason: String) throws {
    for verb in Self.verbs {
      let outcome = try ClientProcess.run(verb + ["--socket", "\(path)"], on: .terminalWithErrors(columns: 200))
      #expect(outcome.code == 3)
      #expect(outcome.text.contains("the socket \(path) is not used: \(reason)"), "\(outcome.text)")
      #expect(outcome.text.contains("segue --socket PATH"))
    }
    #expect(daemon.requests.isEmpty)
  }

  @Test func aSocketInAFolderOfAnotherUserIsNotUsed() throws {
    let owned = folder.path.appending("segue-0")
    try Folder.create(owned)
    let path = owned.appending("socket")
    try Folder.rename(daemon.path, path)
    give(owned)
    try expectRefusal(of: path, because: "\(owned) belongs to another user")
  }

  @Test func aLinkOfAnotherUserToAFolderIsNotFollowed() throws {
    try folder.link("segue-0", to: daemon.path.parent)
    let link = folder.path.appending("segue-0")
    give(link)
    try expectRefusal(of: link.appending("socket"), because: "\(link) belongs to another user")
  }

  @Test func aLinkOfAnotherUserToASocketIsNotFollowed() throws {
    try folder.link("socket", to: daemon.path)
    let link = folder.path.appending("socket")
    give(link)
    try expectRefusal(of: link, because: "\(link) belongs to another user")
  }

  @Test func aSocketOnWhichAnotherUserListensIsNotUsed() throws {
    let path = folder.path.appending("socket")
    chmod("\(folder.path)", 0o777)
    // The exit code is 1 if the process receives anything.
    let script = """
      import os, socket, sys
      os.setuid(\(Self.otherUser))
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1] + ".new")
      listener.listen()
      os.rename(sys.argv[1] + ".new", sys.argv[1])
      sys.exit(any([listener.accept()[0].recv(1) for _ in range(\(Self.verbs.count))]))
      """
    let other = try ChildProcess(["python3", "-c", script, "\(path)"], environment: ["PATH": "/usr/bin:/bin"])
    try waitUntil("the other user listens") { path.exists }
    // The file is given to this user, so that only the listening process is foreign.
    _ = path.withCString { chown($0, 0, 0) }
    try expectRefusal(of: path, because: "the process that listens on it belongs to another user")
    #expect(other.end(0) == 0)
  }

  @Test func aLinkOfTheUserToASocketIsFollowed() throws {
    try folder.link("socket", to: daemon.path)
    #expect(try ClientProcess.run(["status", "--socket", "\(folder.path)/socket"]).code == 0)
  }
}
