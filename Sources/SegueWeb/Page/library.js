// The library: albums, artists, genres and folders, and the screens of one of each.
import {call, listen} from "./rpc.js";
import {cover} from "./cover.js";
import {failed, fill, h, icon, nothing, set} from "./dom.js";
import {artist, date, fileName, number, readable, spokenTime, time, title} from "./format.js";
import {plural, tr} from "./language.js";
import {actionsFor, add, attempt, favoriteButton, playNow, playShuffled, playTrack} from "./actions.js";
import {RowList, ShortList} from "./list.js";
import {showFullCover} from "./player.js";
import {addScreen, go, goBack} from "./router.js";
import {albumTile, artistRow, letter, links, menuButton, openArtist, rowOf, selectableByURI, trackRow, unavailable} from "./rows.js";
import {follow, may, observe, state} from "./state.js";

/** The tabs above a screen: links, of which one is current. */
export function tabs(label, entries, current) {
  const element = h("nav.tabs", {"aria-label": label}, entries.map(([name, text, address]) =>
    h("a", {href: address, "aria-current": name === current ? "page" : null}, text)));
  requestAnimationFrame(() => element.querySelector("[aria-current]")?.scrollIntoView({inline: "center", block: "nearest"}));
  return element;
}

function libraryTabs(current) {
  return tabs(tr("Library"), [
    ["albums", tr("Albums"), "#/library/albums"], ["songs", tr("Songs"), "#/library/songs"], ["artists", tr("Artists"), "#/library/artists"],
    ["genres", tr("Genres"), "#/library/genres"], ["folders", tr("Folders"), "#/library/folders"],
  ], current);
}

/** What an empty library says: the reason depends on the machine. */
function emptyLibrary() {
  return nothing("library", state.library?.scanning ? tr("The music folders are being read. The library fills while you wait.")
    : tr("The library is empty. Put music into the music folder of the machine."));
}

addScreen("library", (name, query) => {
  const current = name || "albums";
  const content = {albums, songs, artists, genres, folders}[current] ?? albums;
  /** @type {{element: HTMLElement, close?: () => void, order?: HTMLElement}} */
  const {element, close, order} = content(query);
  const summary = h("p.summary");
  const draw = () => {
    const {library} = state;
    const facts = library ? [plural("%1$d album", "%1$d albums", library.albums), plural("%1$d track", "%1$d tracks", library.tracks)] : [];
    summary.textContent = facts.join(" · ");
  };
  const stop = observe(draw);
  draw();
  return {
    title: tr("Library"),
    element: h("section", {}, h("header.screen", {}, h("div", {}, h("h1", {}, tr("Library")), summary), order), libraryTabs(current), element),
    close: () => { stop(); close?.(); },
  };
});

/**
 * A list of the library in an order that is chosen. `kind` is that of the method and of its result, and `places` names the places
 * in an order; see `RowList`.
 */
function sortedList(tab, query, kind, places, options) {
  const sort = query.get("sort") ?? "title";
  const sorts = [["title", tr("Title")], ["artist", tr("Artist")], ["year", tr("Year")], ["added", tr("Newest")]];
  const order = h("select", {"aria-label": tr("Order"), onchange: () => go(`/library/${tab}?sort=${order.value}`)},
    sorts.map(([value, text]) => h("option", {value, selected: value === sort}, text)));
  return {order, ...rowList({
    empty: emptyLibrary, place: places[sort], select: selectableByURI, ...options,
    load: async (offset, limit) => {
      const page = await call(`library.${kind}`, {sort, order: sort === "added" ? "descending" : "ascending", offset, limit});
      return {items: page[kind], total: page.total};
    },
  })};
}

function songs(query) {
  const places = {title: track => letter(title(track)), artist: track => letter(artist(track)), year: track => String(track.metadata.year || "")};
  return sortedList("songs", query, "tracks", places, {label: tr("Songs"), row: track => trackRow(track)});
}

function albums(query) {
  const places = {title: album => letter(album.title), artist: album => letter(album.albumArtist), year: album => String(album.year || "")};
  const {element, close, list, order} = sortedList("albums", query, "albums", places,
    {label: tr("Albums"), isGrid: true, row: album => h("li", {role: "listitem"}, albumTile(album))});
  const select = may("control") && h("button.symbol", {type: "button", "aria-label": tr("Select several…"), onclick: () => list.selection?.begin()}, icon("select"));
  return {element, order: h("div.buttons", {}, select, order), close};
}

function rowList(options) {
  const list = new RowList(options);
  list.reload();
  const stop = follow(["library", "favorites"], () => list.reload());
  return {element: list.holder, list, close: () => { stop(); list.close(); }};
}

function artists() {
  return rowList({
    label: tr("Artists"), row: artistRow, empty: emptyLibrary, place: one => letter(one.name), select: selectableByURI,
    load: async (offset, limit) => {
      const page = await call("library.artists", {offset, limit});
      return {items: page.artists, total: page.total};
    },
  });
}

function genres() {
  return rowList({
    label: tr("Genres"), empty: emptyLibrary, place: genre => letter(genre.name), select: selectableByURI,
    row: genre => h("li.row", {role: "listitem"},
      h("a.main", {href: `#/genre/${encodeURIComponent(genre.name)}`}, h("span.texts", {},
        h("span.title", {dir: "auto"}, genre.name), h("span.detail", {}, plural("%1$d song", "%1$d songs", genre.trackCount)))),
      menuButton(genre.name, [genre.uri])),
    load: async (offset, limit) => {
      const page = await call("library.genres", {offset, limit});
      return {items: page.genres, total: page.total};
    },
  });
}

function folders() {
  const list = h("ul.rows.short", {role: "list"});
  let shown = "";
  const draw = () => {
    const uris = (state.library?.folders ?? []).map(folder => folder.uri);
    if (uris.join(" ") === shown) return;
    shown = uris.join(" ");
    fill(list, uris.map(folderRow));
  };
  const stop = observe(draw);
  draw();
  return {element: list, close: stop};
}

function folderRow(uri) {
  const name = fileName(uri);
  return h("li.row", {role: "listitem"},
    h("a.main", {href: `#/folder/${encodeURIComponent(uri)}`}, h("div.cover", {"aria-hidden": "true"}, icon("folder")),
      h("span.texts", {}, h("span.title", {dir: "auto"}, name))),
    menuButton(name, [uri]));
}

addScreen("folder", uri => {
  const name = fileName(uri);
  const {element, close} = rowList({
    label: name,
    select: {id: item => (item.folder ?? item.track).uri, actions: () => actionsFor(item => (item.folder ?? item.track).uri)},
    row: item => item.folder ? folderRow(item.folder.uri) : trackRow(item.track, {play: () => playNow([uri], item.track.uri)}),
    load: async (offset, limit) => {
      const page = await call("library.folder", {uri, offset, limit});
      return {items: [...page.folders.map(folder => ({folder})), ...page.tracks.map(track => ({track}))], total: page.total};
    },
  });
  return {title: name, close, element: h("section", {}, heading({name, uris: [uri]}), element)};
});

addScreen("genre", name => {
  const uri = `segue:genre/${encodeURIComponent(name)}`;
  const {element, close} = rowList({
    label: name, row: track => trackRow(track, {play: () => playNow([uri], track.uri)}), place: track => letter(artist(track)), select: selectableByURI,
    load: async (offset, limit) => {
      const page = await call("library.tracks", {genre: name, sort: "artist", offset, limit});
      return {items: page.tracks, total: page.total};
    },
  });
  return {title: name, close, element: h("section", {}, heading({name, uris: [uri]}), element)};
});

/**
 * The heading of a screen that shows one thing, with buttons that play it.
 * @param {{name: string, details?: (string | Node | null)[], uris: string[], favorite?: boolean, art?: HTMLElement, back?: string, play?: () => void, canShuffle?: boolean}} thing
 */
export function heading({name, details = [], uris, favorite, art, back = "/library/albums", canShuffle = true, play = () => playNow(uris)}) {
  return [backButton(back), h("header.thing", {},
    art,
    h("div", {},
      h("h1", {dir: "auto"}, name), details.filter(one => one).map(one => h("p.detail", {dir: "auto"}, one)),
      h("div.buttons", {},
        may("control") && h("button.primary", {type: "button", onclick: play}, icon("play"), tr("Play")),
        may("control") && h("button.short", {type: "button", "aria-label": tr("Add to the queue"), title: tr("Add to the queue"), onclick: () => add(uris, "end")},
          icon("add"), h("span", {}, tr("Add"))),
        may("control") && canShuffle && h("button.symbol", {type: "button", "aria-label": tr("Play in random order"),
          onclick: () => playShuffled(uris)}, icon("shuffle")),
        favorite !== undefined && favoriteButton(uris[0], favorite),
        menuButton(name, uris, {play}))))];
}

/** The way back from a screen that shows one thing. */
export function backButton(otherwise) {
  return h("div.back", {}, h("button.symbol", {type: "button", "aria-label": tr("Back"), onclick: () => goBack(otherwise)}, icon("back")));
}

/** A screen whose content is read first. An error takes its place, until it can be read. `back` is where its way back leads. */
export function loadingScreen(name, read, draw, back = "") {
  const element = h("section");
  let stop = () => {};
  const load = async () => {
    stop();
    set(element, {"aria-busy": "true"});
    if (!element.hasChildNodes()) fill(element, h("p.empty", {}, tr("Loading…")));
    try {
      fill(element, draw(await read()));
    } catch (error) {
      fill(element, back && backButton(back), failed(error, load));
      // The daemon is there again.
      stop = listen("snapshot", load);
    }
    set(element, {"aria-busy": null});
  };
  load();
  return {title: name, element, close: () => stop()};
}

/** A button that looks like a text and leads to an artist. */
function artistLink(name) { return h("button.link", {type: "button", dir: "auto", onclick: () => openArtist(name)}, name); }

addScreen("album", id => loadingScreen(tr("Album"), () => call("library.album", {id: Number(id), limit: 1000}), ({album, tracks}) => {
  const discs = new Set(tracks.map(track => track.metadata.disc ?? 1));
  const art = h("button.plain", {type: "button", "aria-label": tr("Show the cover"), onclick: () => showFullCover({...album, metadata: {title: album.title}})},
    cover({uri: album.uri, art: album.art, name: album.title, size: "medium"}));
  return [
    heading({
      name: album.title, uris: [album.uri], favorite: album.favorite, art,
      details: [album.albumArtist ? artistLink(album.albumArtist) : tr("Various artists"),
        [album.year || null, plural("%1$d song", "%1$d songs", album.trackCount), spokenTime(album.duration)].filter(text => text).join(" · ")],
    }),
    new ShortList({
      label: album.title, ordered: true, items: tracks, row: track => albumRow(track, album), select: selectableByURI,
      before: (track, index) => {
        const disc = track.metadata.disc ?? 1;
        const isFirst = discs.size > 1 && disc !== (tracks[index - 1]?.metadata.disc ?? (index ? 1 : 0));
        return isFirst && h("li.disc", {}, tr("Disc %1$s", disc));
      },
    }).holder,
  ];
}, "/library/albums"));

function albumRow(track, album) {
  const name = title(track);
  const play = () => playNow([album.uri], track.uri);
  const detail = unavailable(track) ?? (artist(track) === (album.albumArtist ?? "") ? null : artist(track));
  return rowOf(track,
    h("button.main", {type: "button", disabled: !may("control") || track.offline, onclick: play, "aria-label": tr("Play %1$s", name)},
      h("span.number", {}, track.metadata.track ?? ""),
      h("span.texts", {}, h("span.title", {dir: "auto"}, name), detail && h("span.detail", {dir: "auto"}, detail))),
    h("span.length", {}, time(track.duration)),
    favoriteButton(track.uri, track.favorite),
    menuButton(name, [track.uri], {play, extra: links(track).slice(1)}));
}

addScreen("artist", id => loadingScreen(tr("Artist"), () => call("library.artist", {id: Number(id), limit: 1000}), ({artist: one, albums: found}) => [
  heading({name: one.name, uris: [one.uri], favorite: one.favorite,
    details: [[plural("%1$d album", "%1$d albums", one.albumCount), plural("%1$d song", "%1$d songs", one.trackCount)].join(" · ")]}),
  h("ul.tiles", {role: "list"}, found.map(album => h("li", {}, albumTile(album)))),
  h("p", {}, h("a", {href: `#/search/library?q=${encodeURIComponent(`artist:"${one.name}"`)}`}, tr("All songs of %1$s", one.name))),
], "/library/artists"));

addScreen("track", uri => loadingScreen(tr("Details"), () => call("library.track", {uri}), report => {
  const {metadata, audio} = report;
  const facts = [
    [tr("Artist"), metadata.artists.join(", ") || metadata.artist], [tr("Album"), metadata.album], [tr("Album artist"), metadata.albumArtist],
    [tr("Composer"), metadata.composer], [tr("Genre"), metadata.genre.join(", ")], [tr("Date"), metadata.date],
    [tr("Track"), [metadata.track, metadata.trackTotal].filter(value => value).join(" / ")],
    [tr("Duration"), time(report.duration)],
    [tr("Format"), [audio.codec?.toUpperCase(), audio.sampleRate && `${number(audio.sampleRate / 1000)} kHz`, audio.bitDepth && `${audio.bitDepth} bit`,
      audio.bitRate && `${number(Math.round(audio.bitRate / 1000))} kbit/s`].filter(text => text).join(", ")],
    [tr("Added"), report.added && date(report.added)],
    [tr("File"), readable(uri.replace(/^file:\/\//, ""))],
  ].filter(([, value]) => value);
  return [
    heading({name: title(report), uris: [uri], favorite: report.favorite, details: [artist(report) ? artistLink(artist(report)) : null], canShuffle: false, play: () => playTrack(uri),
      art: h("button.plain", {type: "button", "aria-label": tr("Show the cover"), onclick: () => showFullCover(report)},
        cover({uri, art: metadata.art, name: metadata.album ?? title(report), size: "medium"}))}),
    rating(report),
    h("dl.facts", {}, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {dir: "auto"}, value)])),
    report.album && h("p", {}, h("a", {href: `#/album/${report.album.split("/").pop()}`}, tr("Go to the album"))),
  ];
}, "/library/songs"));

/** The rating of a track: stars, of which each stands for two points. */
function rating(track) {
  const buttons = [1, 2, 3, 4, 5].map(stars => h("button.symbol.star", {type: "button", disabled: !may("control"),
    "aria-label": plural("%1$d star", "%1$d stars", stars), onclick: async () => {
      const value = track.rating === stars * 2 ? null : stars * 2;
      const result = await attempt("rating.set", {uri: track.uri, rating: value});
      if (result) { track.rating = result.rating; draw(); }
    }}, "★"));
  const draw = () => buttons.forEach((button, index) => {
    const isOn = (track.rating ?? 0) >= index * 2 + 1;
    button.setAttribute("aria-pressed", String(isOn));
    button.textContent = isOn ? "★" : "☆";
  });
  draw();
  return h("div.stars", {role: "group", "aria-label": tr("Rating")}, buttons);
}
