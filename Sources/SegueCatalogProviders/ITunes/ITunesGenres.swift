internal import SegueWire

/// The genres of the iTunes store (Apple, "Genre IDs Appendix").
enum ITunesGenres {
  static func genres(of kind: CatalogItem.Kind) -> [CatalogGenre] {
    let genres: [(Int, String)] =
      switch kind {
      case .song, .album, .artist: music
      case .film: films
      case .audiobook: audiobooks
      case .podcast: podcasts
      case .episode, .station, .person: []
      }
    return genres.map { id, name in
      CatalogGenre(id: String(id), name: name, kind: kind, provider: CatalogItemURI.Scheme.itunes.rawValue)
    }
  }

  private static let music = [
    (20, "Alternative"), (29, "Anime"), (2, "Blues"), (4, "Children's Music"), (22, "Christian & Gospel"),
    (5, "Classical"), (3, "Comedy"), (6, "Country"), (17, "Dance"), (25, "Easy Listening"), (7, "Electronic"),
    (50, "Fitness & Workout"), (18, "Hip-Hop/Rap"), (8, "Holiday"), (53, "Instrumental"), (27, "J-Pop"), (11, "Jazz"),
    (51, "K-Pop"), (52, "Karaoke"), (12, "Latin"), (13, "New Age"), (14, "Pop"), (15, "R&B/Soul"), (24, "Reggae"),
    (21, "Rock"), (10, "Singer/Songwriter"), (16, "Soundtrack"), (50_000_061, "Spoken Word"), (23, "Vocal"),
    (19, "World"),
  ]

  private static let films = [
    (4401, "Action & Adventure"), (4402, "Anime"), (4403, "Classics"), (4404, "Comedy"), (4405, "Documentary"),
    (4406, "Drama"), (4407, "Foreign"), (4408, "Horror"), (4409, "Independent"), (4410, "Kids & Family"),
    (4411, "Musicals"), (4412, "Romance"), (4413, "Sci-Fi & Fantasy"), (4414, "Short Films"),
    (4415, "Special Interest"), (4417, "Sports"), (4416, "Thriller"), (4418, "Western"),
  ]

  private static let audiobooks = [
    (50_000_041, "Arts & Entertainment"), (50_000_042, "Biography & Memoir"), (50_000_043, "Business"),
    (50_000_045, "Classics"), (50_000_046, "Comedy"), (50_000_047, "Drama & Poetry"), (50_000_040, "Fiction"),
    (50_000_049, "History"), (50_000_044, "Kids & Young Adults"), (50_000_050, "Languages"), (50_000_051, "Mystery"),
    (50_000_052, "Nonfiction"), (50_000_053, "Religion & Spirituality"), (50_000_069, "Romance"),
    (50_000_055, "Sci-Fi & Fantasy"), (50_000_054, "Science"), (50_000_056, "Self Development"),
    (50_000_057, "Sports"), (50_000_058, "Technology"), (50_000_059, "Travel & Adventure"),
  ]

  private static let podcasts = [
    (1301, "Arts"), (1321, "Business"), (1303, "Comedy"), (1304, "Education"), (1483, "Fiction"),
    (1511, "Government"), (1512, "Health & Fitness"), (1487, "History"), (1305, "Kids & Family"), (1502, "Leisure"),
    (1310, "Music"), (1489, "News"), (1314, "Religion & Spirituality"), (1533, "Science"),
    (1324, "Society & Culture"), (1545, "Sports"), (1318, "Technology"), (1488, "True Crime"), (1309, "TV & Film"),
  ]
}
