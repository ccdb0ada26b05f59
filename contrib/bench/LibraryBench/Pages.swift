internal import Glibc
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Asks a library of many tracks for pages of its lists, wherever they lie, and prints how long that took.
struct Pages {
  let store: LibraryStore
  private var words = Words(seed: 3)
  private static let rounds = 100

  init(store: LibraryStore) { self.store = store }

  mutating func run() {
    print("| what | p50 ms | p99 ms | max ms | CPU p50 | CPU p99 | CPU max |\n|---|---|---|---|---|---|---|")
    let counts = wait { store.read({ reader throws(StoreError) in try reader.counts() }, $0) }
    for limit in [50, 1000] {
      for sort in TrackSort.allCases {
        for order in SortOrder.allCases {
          measure("tracks by \(sort), \(order), \(limit)", counts.tracks, limit) { reader, page throws(StoreError) in
            try reader.tracks(by: sort, order, page).total
          }
        }
      }
      for sort in AlbumSort.allCases {
        for order in SortOrder.allCases {
          measure("albums by \(sort), \(order), \(limit)", counts.albums, limit) { reader, page throws(StoreError) in
            try reader.albums(by: sort, order, page).total
          }
        }
      }
      measure("artists, \(limit)", counts.artists, limit) { reader, page throws(StoreError) in
        try reader.artists(.ascending, page).total
      }
    }
    for tag in LibraryTag.allCases {
      measure("values of \(tag)", 1, 50) { reader, page throws(StoreError) in
        try reader.values(of: tag, nil, page).total
      }
      measure("values of \(tag), anywhere", 20_000, 50) { reader, page throws(StoreError) in
        try reader.values(of: tag, nil, page).total
      }
    }
    measure("50 at random", 1, 50) { reader, _ throws(StoreError) in try reader.random(50).count }
  }

  private mutating func measure(
    _ name: String, _ total: Int, _ limit: Int,
    _ ask: @escaping @Sendable (LibraryReader, PageRequest) throws(StoreError) -> Int
  ) {
    var times: [(clock: Double, processor: Double)] = []
    for round in 0..<Self.rounds {
      // The first page and the last, and any.
      let offset = round == 0 ? 0 : round == 1 ? max(0, total - limit) : words.number(0..<max(1, total))
      let page = PageRequest(offset: offset, limit: limit)
      let (clock, processor) = (Ask.now(CLOCK_MONOTONIC), Ask.now(CLOCK_PROCESS_CPUTIME_ID))
      wait { store.read({ reader throws(StoreError) in try ask(reader, page) }, $0) }
      times.append((Ask.now(CLOCK_MONOTONIC) - clock, Ask.now(CLOCK_PROCESS_CPUTIME_ID) - processor))
    }
    print("| \(name) | \(Ask.places(times.map(\.clock))) | \(Ask.places(times.map(\.processor))) |")
  }
}
