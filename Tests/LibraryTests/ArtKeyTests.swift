import SegueSystem
import Testing

@testable import SegueLibrary

@Suite struct ArtKeyTests {
  /// By FNV-1a over words of eight bytes: the number, then a word for each byte of title, artist and year. Covers that an
  /// earlier version has linked are found by it.
  @Test(arguments: [
    (Int64(7), "Группа крови", "Кино", 1988, "82d68a125cc2ec74"), (1, "x", nil, nil, "bd4e2846d2f67fec"),
  ])
  func anAlbumsCoverIsNamedByWhatTheAlbumIs(id: Int64, title: String, artist: String?, year: Int?, name: String) {
    let album = LibraryAlbum(
      id: id, title: title, albumArtist: artist, year: year, trackCount: 1, discCount: 1, duration: .zero,
      isCompilation: false, added: UnixTime(nanoseconds: 0), isFavorite: false)
    #expect(ArtKey(album).name == name)
  }
}
