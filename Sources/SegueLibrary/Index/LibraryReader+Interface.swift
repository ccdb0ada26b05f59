extension LibraryReader {
  // MARK: Lists

  public func tracks(
    _ filter: LibraryFilter = LibraryFilter(), by sort: TrackSort = .album, _ order: SortOrder = .ascending,
    _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryTrack> { fatalError() }

  public func albums(
    _ filter: LibraryFilter = LibraryFilter(), by sort: AlbumSort = .title, _ order: SortOrder = .ascending,
    _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<LibraryAlbum> { fatalError() }

  /// By name.
  public func artists(_ order: SortOrder = .ascending, _ page: PageRequest = PageRequest()) throws(StoreError)
    -> LibraryPage<LibraryArtist>
  { fatalError() }

  /// By name.
  public func genres(_ order: SortOrder = .ascending, _ page: PageRequest = PageRequest()) throws(StoreError)
    -> LibraryPage<LibraryGenre>
  { fatalError() }

  /// At most `count` different ones, each as likely as any other.
  public func random(_ count: Int, _ filter: LibraryFilter = LibraryFilter()) throws(StoreError) -> [LibraryTrack] {
    fatalError()
  }

  public func counts() throws(StoreError) -> LibraryCounts { fatalError() }
  public func failures(_ page: PageRequest = PageRequest()) throws(StoreError) -> LibraryPage<FailedFile> {
    fatalError()
  }

  // MARK: Single ones

  public func album(_ id: Int64) throws(StoreError) -> LibraryAlbum? { fatalError() }
  /// By disc, number, name.
  public func tracks(ofAlbum id: Int64) throws(StoreError) -> [LibraryTrack] { fatalError() }
  public func artist(_ id: Int64) throws(StoreError) -> LibraryArtist? { fatalError() }
  /// By year, then title.
  public func albums(ofArtist id: Int64) throws(StoreError) -> [LibraryAlbum] { fatalError() }
  /// `uri` as `MediaURI` writes it.
  public func track(_ uri: String) throws(StoreError) -> LibraryTrack? { fatalError() }
  /// In the order asked; what is not there is left out.
  public func tracks(_ ids: [Int64]) throws(StoreError) -> [LibraryTrack] { fatalError() }
  public func albums(_ ids: [Int64]) throws(StoreError) -> [LibraryAlbum] { fatalError() }
  public func artists(_ ids: [Int64]) throws(StoreError) -> [LibraryArtist] { fatalError() }

  // MARK: What the user made

  public func favorites(
    by sort: FavoriteSort = .date, _ order: SortOrder = .descending, _ page: PageRequest = PageRequest()
  ) throws(StoreError) -> LibraryPage<Favorite> { fatalError() }
  public func isFavorite(_ uri: String) throws(StoreError) -> Bool { fatalError() }
  /// 0…10.
  public func rating(_ uri: String) throws(StoreError) -> Int? { fatalError() }
  /// The newest first.
  public func plays(_ page: PageRequest = PageRequest()) throws(StoreError) -> LibraryPage<Play> { fatalError() }
  /// The last five searches that hold `text`, without regard to case; the newest first.
  public func searches(containing text: String = "") throws(StoreError) -> [String] { fatalError() }
  public func bookmark(_ uri: String) throws(StoreError) -> Bookmark? { fatalError() }
}
