/// How much is in the library and what the scan does; the data of the topic `library`.
public struct LibraryStatus: Equatable, JSONEncodable, JSONDecodable {
  /// A music folder.
  public struct Folder: Equatable, JSONEncodable, JSONDecodable {
    public enum State: String, Sendable, CaseIterable {
      /// Not looked at yet.
      case unknown
      case online
      /// Gone, empty or unreadable, though there was music in it: what is known of it is kept.
      case offline
      /// Not there, or without music.
      case empty
    }

    /// `file://…`
    public var uri: String
    public var state: State

    public init(uri: String, state: State) {
      self.uri = uri
      self.state = state
    }

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("uri", uri)
      json.member("state", state.rawValue)
      json.endObject()
    }

    public init(_ json: JSON) {
      uri = json["uri"]?.string ?? ""
      state = json["state"]?.string.flatMap(State.init) ?? .unknown
    }
  }

  /// How far the measuring of loudness is.
  public struct Measuring: Equatable, JSONEncodable, JSONDecodable {
    /// Tracks; of `done` these failed.
    public var done: Int
    public var total: Int
    public var failed: Int

    public init(done: Int, total: Int, failed: Int) {
      self.done = done
      self.total = total
      self.failed = failed
    }

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("done", done)
      json.member("total", total)
      json.member("failed", failed)
      json.endObject()
    }

    public init(_ json: JSON) {
      done = json["done"]?.int ?? 0
      total = json["total"]?.int ?? 0
      failed = json["failed"]?.int ?? 0
    }
  }

  public var tracks = 0
  public var albums = 0
  public var artists = 0
  /// Of the tracks those that a search finds: fewer than all for a while after many were added.
  public var searchable = 0
  public var scanning = false
  /// Of the scan that runs or the last one: files that were looked into, of so many that were new or changed.
  public var done = 0
  public var total = 0
  /// Files that were looked into in vain: `library.failures`.
  public var failed = 0
  public var folders: [Folder] = []
  /// nil while none goes on.
  public var measuring: Measuring?
  /// Why the library cannot be read or written at present, for people.
  public var error: String?

  public init() {}

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("tracks", tracks)
    json.member("albums", albums)
    json.member("artists", artists)
    json.member("searchable", searchable)
    json.member("scanning", scanning)
    json.member("done", done)
    json.member("total", total)
    json.member("failed", failed)
    json.member("folders", folders)
    json.member("measuring", measuring)
    json.member("error", error)
    json.endObject()
  }

  public init(_ json: JSON) {
    tracks = json["tracks"]?.int ?? 0
    albums = json["albums"]?.int ?? 0
    artists = json["artists"]?.int ?? 0
    searchable = json["searchable"]?.int ?? 0
    scanning = json["scanning"]?.bool ?? false
    done = json["done"]?.int ?? 0
    total = json["total"]?.int ?? 0
    failed = json["failed"]?.int ?? 0
    folders = json.list("folders")
    measuring = json.member("measuring")
    error = json["error"]?.string
  }
}
