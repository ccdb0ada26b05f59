internal import Glibc
public import SegueSystem
public import SegueWire

/// A daemon with two clients, and a folder for the files that it plays.
public protocol PlaybackFixture: AnyObject {
  /// The client for requests.
  var client: SocketClient { get }
  /// A subscribed client.
  var watcher: SocketClient { get }
  var folder: FilePath { get }
}

extension PlaybackFixture {
  // MARK: Files

  /// Writes a file into `folder` and returns its path.
  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    let path = folder.appending(name)
    var parents: [FilePath] = []
    var parent = path.parent
    while parent != folder {
      parents.append(parent)
      parent = parent.parent
    }
    for parent in parents.reversed() { parent.withCString { _ = mkdir($0, 0o700) } }
    try AudioFile.write(bytes, to: path)
    return path
  }

  @discardableResult
  public func write(_ name: String, _ text: String) throws -> FilePath { try write(name, Array(text.utf8)) }

  /// Writes a WAVE file of numbered frames.
  @discardableResult
  public func track(_ name: String, _ frames: Range<Int>) throws -> FilePath {
    try write(name + ".wav", AudioFile.wave(Signal.pcm(frames)))
  }

  /// Writes tracks with consecutive frame numbers from 0. `lengths` are in frames.
  public func album(_ lengths: [Int]) throws -> [FilePath] {
    var start = 0
    return try lengths.enumerated().map { index, length in
      defer { start += length }
      return try track("\(index + 1)", start..<(start + length))
    }
  }

  // MARK: Requests

  /// Adds files, plays the first if `play` is true, and returns the ids.
  @discardableResult
  public func add(_ paths: [FilePath], at place: String = #""end""#, play: Bool = false) throws -> [Int] {
    try add(uris: paths.map(FileURI.encode), at: place, play: play)
  }

  @discardableResult
  public func add(uris: [String], at place: String = #""end""#, play: Bool = false) throws -> [Int] {
    let response = try client.call("queue.add", #"{"uris":\#(list(uris)),"at":\#(place),"play":\#(play)}"#)
    if let failed = response["failed"]?.elements, !failed.isEmpty {
      throw Unexpected("not added: \(failed.compactMap { $0["message"]?.string })")
    }
    return response["added"]?.elements?.compactMap(\.int) ?? []
  }

  public func status() throws -> Status { Status(try client.call("status")) }

  /// Calls a method whose result is the status, and returns the status.
  @discardableResult
  public func call(_ method: String, _ params: String? = nil) throws -> Status {
    Status(try client.call(method, params))
  }

  /// The errors of the tracks in the queue.
  public func errors() throws -> [String?] {
    try client.call("list")["tracks"]?.elements?.map { $0["error"]?.string } ?? []
  }

  /// The ids of the queue entries.
  public func ids() throws -> [Int] {
    try client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
  }

  /// Waits until `status` satisfies `condition`. It requests the status now and after every event.
  @discardableResult
  public func wait(until condition: (Status) -> Bool) throws -> Status {
    while true {
      let now = try status()
      if condition(now) { return now }
      _ = try watcher.event()
    }
  }

  /// Waits until playback has stopped at the end.
  @discardableResult
  public func waitForStop() throws -> Status { try wait { $0.state == .stopped } }

  /// Returns a JSON array of strings.
  public func list(_ strings: [String]) -> String { "[" + strings.map(quoted).joined(separator: ",") + "]" }
}

/// Returns `text` as a JSON string. Only the characters that occur in tests are escaped.
public func quoted(_ text: String) -> String {
  "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
}
