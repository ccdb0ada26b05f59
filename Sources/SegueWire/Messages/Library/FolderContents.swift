/// The result of `library.folder`: a page of what a folder contains, first the folders by name, then the tracks by file
/// name.
public struct FolderContents: Equatable, JSONEncodable, JSONDecodable {
  public var folders: [LibraryFolder]
  public var tracks: [ListedTrack]
  /// The number of all folders and tracks in the folder, without those in folders below it.
  public var total: Int
  /// The index of the first folder or track of the page.
  public var offset: Int

  public init(folders: [LibraryFolder] = [], tracks: [ListedTrack] = [], total: Int = 0, offset: Int = 0) {
    self.folders = folders
    self.tracks = tracks
    self.total = total
    self.offset = offset
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    var room = ResponseLimits.listBytes
    // A page that is full of folders has no tracks.
    let hasRoomForTracks = folders.reduce(0) { $0 + $1.uri.utf8.count } < room / 2
    json.member("folders", folders, within: &room)
    json.member("tracks", hasRoomForTracks ? tracks : [], within: &room)
    json.member("total", total)
    json.member("offset", offset)
    json.endObject()
  }

  public init(_ json: JSON?) {
    folders = json?.list("folders") ?? []
    tracks = json?.list("tracks") ?? []
    total = json?["total"]?.int ?? 0
    offset = json?["offset"]?.int ?? 0
  }
}
