public import SegueSystem

/// The size of the library and the progress of the scan: the state of the topic `library`.
public struct LibraryStatus: Equatable, JSONEncodable, JSONDecodable {
  /// A music folder.
  public struct Folder: Equatable, JSONEncodable, JSONDecodable {
    /// The `file://` URI.
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

  /// The progress of the loudness measurement.
  public struct Measuring: Equatable, JSONEncodable, JSONDecodable {
    /// The number of tracks that were measured, including failures.
    public var done: Int
    public var total: Int
    public var failed: Int
    /// The estimated time until the end; nil until enough tracks were measured.
    public var remaining: MediaTime?

    public init(done: Int, total: Int, failed: Int, remaining: MediaTime?) {
      self.remaining = remaining
      self.done = done
      self.total = total
      self.failed = failed
    }

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("done", done)
      json.member("total", total)
      json.member("failed", failed)
      json.member("remaining", remaining)
      json.endObject()
    }

    public init(_ json: JSON) {
      remaining = json["remaining"]?.time
      done = json["done"]?.int ?? 0
      total = json["total"]?.int ?? 0
      failed = json["failed"]?.int ?? 0
    }
  }

  public var tracks = 0
  public var albums = 0
  public var artists = 0
  /// The number of tracks that a search finds; lower than `tracks` for a while after many were added.
  public var searchable = 0
  public var scanning = false
  /// The number of files that the current or last scan has read.
  public var done = 0
  /// The number of new or changed files of that scan.
  public var total = 0
  /// The number of files that could not be read; see `library.failures`.
  public var failed = 0
  public var folders: [Folder] = []
  /// The progress of the loudness measurement; nil while none is running.
  public var measuring: Measuring?
  /// The reason why the library cannot be read or written at the moment, for users.
  public var error: LocalizableMessage?

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
    json.errorMembers(error)
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
    error = LocalizableMessage(errorOf: json)
  }
}
