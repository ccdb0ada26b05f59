import SegueSystem
import SegueWorkerProtocol
import Testing

@testable import SegueFiles
@testable import SegueLibrary

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

  /// A picture of a catalogue is downloaded again after thirty days.
  @Test func keyOfADownloadedPicture_belongsToThirtyDays() {
    func name(_ url: String, _ edge: Int?, day: Int64) -> String {
      let period = ArtKey.period(at: UnixTime(nanoseconds: day * 86_400 * 1_000_000_000))
      return ArtKey(url, CoverRequest(place: .file, edge: edge), period: period).name
    }
    #expect(name("http://h/a", 128, day: 0) == name("http://h/a", 128, day: 29))
    let names = [
      name("http://h/a", 128, day: 0), name("http://h/a", 128, day: 30), name("http://h/b", 128, day: 0),
      name("http://h/a", nil, day: 0),
    ]
    #expect(Set(names).count == names.count)
  }
}
