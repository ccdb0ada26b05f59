import SegueSystem
import Testing

@testable import SegueFiles
@testable import SegueIndex

@Suite struct ArtKeyTests {
  /// The hash is FNV-1a over 64-bit words: the identifier, then a word for each byte of title, artist and year. It must
  /// not change, because existing links in the cache have these names.
  @Test(arguments: [
    (Int64(7), "Группа крови", "Кино", 1988, "82d68a125cc2ec74"), (1, "x", nil, nil, "bd4e2846d2f67fec"),
  ])
  func theKeyOfAnAlbumIsTheHashOfItsAttributes(id: Int64, title: String, artist: String?, year: Int?, name: String) {
    let album = LibraryAlbum(
      id: id, title: title, albumArtist: artist, year: year, trackCount: 1, discCount: 1, duration: .zero,
      isCompilation: false, added: UnixTime(nanoseconds: 0), isFavorite: false)
    #expect(ArtKey(album.identity).name == name)
  }
}
