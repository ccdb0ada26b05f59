/// A field of tags that Segue uses, regardless of its name in a format.
enum TagField: Int, CaseIterable {
  case title, artist, author, artists, album, albumArtist, composer, conductor, work, genre
  case date, releaseDate, originalDate, originalYear
  case track, trackTotal, disc, discTotal, compilation
  case titleSort, artistSort, albumSort, albumArtistSort
  case trackID, releaseID, releaseGroupID, artistID, albumArtistID
  case trackGain, trackPeak, albumGain, albumPeak
  /// The gains and peaks of RVA2, ID3v2's relative volume adjustment.
  case relativeTrackGain, relativeTrackPeak, relativeAlbumGain, relativeAlbumPeak
  case opusTrackGain, opusAlbumGain
  case lyrics, syncedLyrics, gapless, streamTitle, cueSheet
  /// Whether ID3v2 has chapters.
  case chapters

  /// Returns the field with a key; nil for keys that are not used. Case, blanks and punctuation are ignored, because
  /// "Album Artist", "ALBUM_ARTIST" and "AlbumArtist" are all in use.
  init?(key: UnsafeRawBufferPointer) {
    let name = String(unsafeUninitializedCapacity: Self.maximumSize) { name in
      var count = 0
      for byte in key.prefix(Self.maximumSize) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): name[count] = byte - 0x20
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): name[count] = byte
        default: continue
        }
        count += 1
      }
      return count
    }
    guard let field = Self.fields[name] else { return nil }
    self = field
  }

  init?(key: String) {
    var key = key
    guard let field = key.withUTF8({ Self(key: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = field
  }

  /// The maximum length of a key in bytes. No key that is used is longer.
  private static let maximumSize = 40

  /// The keys of Vorbis comments and APE items, of MusicBrainz Picard and libavformat, of frames of ID3v2.4, of atoms
  /// of MP4 (without their ©), of attributes of ASF, and of chunks of RIFF INFO.
  private static let names: [TagField: [String]] = [
    .title: ["TITLE", "TIT2", "NAM", "INAM"],
    .artist: ["ARTIST", "TPE1", "ART", "IART"],
    // A separate field, but the artist in formats for which libavformat uses this key.
    .author: ["AUTHOR"],
    .artists: ["ARTISTS", "WMARTISTS"],
    .album: ["ALBUM", "TALB", "ALB", "IPRD", "WMALBUMTITLE"],
    .albumArtist: ["ALBUMARTIST", "TPE2", "AART", "WMALBUMARTIST"],
    .composer: ["COMPOSER", "TCOM", "WRT", "IMUS", "WMCOMPOSER"],
    .conductor: ["CONDUCTOR", "TPE3", "CON", "WMCONDUCTOR"],
    .work: ["WORK", "WRK", "WMWORK"],
    .genre: ["GENRE", "TCON", "GEN", "IGNR", "WMGENRE"],
    .date: ["DATE", "YEAR", "TDRC", "DAY", "ICRD", "WMYEAR", "DATERECORDED"],
    .releaseDate: ["RELEASEDATE", "TDRL", "DATERELEASED"],
    .originalDate: ["ORIGINALDATE", "TDOR", "TORY", "WMORIGINALRELEASETIME"],
    .originalYear: ["ORIGINALYEAR", "WMORIGINALRELEASEYEAR"],
    .track: ["TRACK", "TRACKNUMBER", "TRCK", "TRKN", "ITRK", "IPRT", "WMTRACKNUMBER", "PARTNUMBER"],
    .trackTotal: ["TRACKTOTAL", "TOTALTRACKS", "TOTALPARTS"],
    .disc: ["DISC", "DISCNUMBER", "TPOS", "DISK", "WMPARTOFSET"],
    .discTotal: ["DISCTOTAL", "TOTALDISCS"],
    .compilation: ["COMPILATION", "TCMP", "CPIL", "WMISCOMPILATION"],
    .titleSort: ["TITLESORT", "TSOT", "SONM", "WMTITLESORTORDER", "SORTNAME"],
    .artistSort: ["ARTISTSORT", "TSOP", "SOAR", "WMARTISTSORTORDER", "SORTARTIST"],
    .albumSort: ["ALBUMSORT", "TSOA", "SOAL", "WMALBUMSORTORDER", "SORTALBUM"],
    .albumArtistSort: ["ALBUMARTISTSORT", "TSO2", "SOAA", "WMALBUMARTISTSORTORDER", "SORTALBUMARTIST"],
    .trackID: ["MUSICBRAINZTRACKID", "UFIDHTTPMUSICBRAINZORG"],
    .releaseID: ["MUSICBRAINZALBUMID"],
    .releaseGroupID: ["MUSICBRAINZRELEASEGROUPID"],
    .artistID: ["MUSICBRAINZARTISTID"],
    .albumArtistID: ["MUSICBRAINZALBUMARTISTID"],
    .trackGain: ["REPLAYGAINTRACKGAIN"],
    .trackPeak: ["REPLAYGAINTRACKPEAK"],
    .albumGain: ["REPLAYGAINALBUMGAIN"],
    .albumPeak: ["REPLAYGAINALBUMPEAK"],
    .relativeTrackGain: ["RVA2TRACKGAIN"],
    .relativeTrackPeak: ["RVA2TRACKPEAK"],
    .relativeAlbumGain: ["RVA2ALBUMGAIN"],
    .relativeAlbumPeak: ["RVA2ALBUMPEAK"],
    .opusTrackGain: ["R128TRACKGAIN"],
    .opusAlbumGain: ["R128ALBUMGAIN"],
    .lyrics: ["LYRICS", "USLT", "LYR", "UNSYNCEDLYRICS", "WMLYRICS"],
    .syncedLyrics: ["SYLT", "SYNCEDLYRICS"],
    .gapless: ["ITUNSMPB", "COMMITUNSMPB"],
    .streamTitle: ["STREAMTITLE"],
    .cueSheet: ["CUESHEET"],
    .chapters: ["CHAP"],
  ]

  private static let fields: [String: TagField] = {
    var fields: [String: TagField] = [:]
    for (field, names) in names { for name in names { fields[name] = field } }
    return fields
  }()
}
