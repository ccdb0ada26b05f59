internal import SegueFrontend
internal import SegueWire

extension Verb {
  static let catalog = [
    Verb(
      "popular", .catalog, "[KIND] [--genre GENRE] [--refresh] [--page N] [OPTION…]", 0...1,
      options: [.genre, .refresh, .page, .limit, .provider, .country, .tiles, .number],
      values: .first(.words(Item.Kind.words)), tr("list popular songs, or items of another kind"),
      details: tr(
        """
        KIND is song, album, artist, film, audiobook, podcast, station or person, in
        the singular or plural;   segue providers   shows which are available. GENRE
        is the name of a genre (see help genres) or its beginning; all lists all
        genres. --refresh does not use the cache. Also accepted: --limit N (20 items;
        at most 200), --provider NAME, --country CODE, --tiles and --number; see
        help search.

        Results are numbered, and the next command accepts the numbers.

          segue popular
          segue popular films --genre comedy --tiles
          segue play 3
        """), run: CatalogListVerbs.popular),
    Verb(
      "radio", .catalog, "[TERM…] [--genre GENRE] [--refresh] [--page N] [OPTION…]", 0...unlimited,
      options: [.genre, .refresh, .page, .limit, .provider, .country, .tiles, .number],
      tr("find radio stations (default: popular ones)"),
      details: tr(
        """
        --genre and --refresh are for popular stations only. Also accepted: --limit N,
        --provider NAME, --country CODE, --tiles and --number; see help search.

          segue radio jazz
          segue play 1
        """), run: CatalogListVerbs.radio),
    Verb(
      "people", .catalog, "[--refresh] [--page N] [OPTION…]", 0...0,
      options: [.refresh, .page, .limit, .provider, .country, .tiles, .number],
      tr("list popular artists or actors"),
      details: tr(
        """
        Also accepted: --limit N, --provider NAME, --country CODE, --tiles and
        --number; see help search.

          segue people
          segue person 2
        """), run: CatalogListVerbs.people),
    Verb(
      "person", .catalog, "N|URI [--refresh] [--page N] [OPTION…]", 1...1,
      options: [.refresh, .page, .limit, .tiles, .number], tr("show a person or an artist"),
      details: tr(
        """
        Shows the biography and the films of a person, or the albums of an artist.
        N is a number of the last results. Also accepted: --limit N, --tiles and
        --number; see help search.

          segue person tmdb:person:287
        """), run: ItemVerbs.person),
    Verb(
      "info", .catalog, "[N|PATH|URI] [--refresh] [--page N] [OPTION…]", 0...unlimited,
      options: [.refresh, .page, .limit, .tiles, .number], values: .resources, tr("show everything about an item"),
      details: tr(
        """
        Shows an item of a catalogue, a track, or an album or an artist of the library
        (default: the current track). N is a number of the last results. The songs of
        an album, the episodes of a podcast or the actors of a film are numbered, too.
        Also accepted: --limit N, --tiles and --number; see help search.

        In a pipe, the output consists of “key: value” lines. For an item of a
        catalogue, they are uri, kind, title, creator, year, date, duration, genres,
        art, description, rating, votes, popularity, language, budget, link, playable,
        provider, credit, favorite; then “fact: NAME VALUE” and “content: URI KIND …”
        with tabs.

          segue info 4
          segue info itunes:album:594061854
        """), run: ItemVerbs.info),
    Verb(
      "providers", .catalog, "[token NAME|forget NAME]", 0...2, values: ProviderVerb.values,
      tr("list the providers of catalogues"),
      details: tr(
        """
        token stores the token of a provider that requires one. The token is read from
        standard input, because arguments of programs are visible to other users.
        forget removes it.

        In a pipe, the fields are name, title, kinds that can be searched for, kinds
        whose popular items can be listed, home page, and the reason why the provider
        cannot be used or nothing, separated by tabs.

          segue providers | cut -f 1,3
          segue providers token tmdb < token.txt
        """), run: ProviderVerb.run),
  ]
}
