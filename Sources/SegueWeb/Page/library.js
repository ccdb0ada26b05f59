// The library: albums, artists, genres and folders, and the screens of one of each.
import {call} from "./rpc.js";
import {cover} from "./cover.js";
import {fill, h, icon, nothing} from "./dom.js";
import {artist, date, fileName, message, number, readable, spokenTime, time, title} from "./format.js";
import {plural, tr} from "./language.js";
import {actionsFor, add, attempt, favoriteButton, playNow, playShuffled, playTrack} from "./actions.js";
import {RowList} from "./list.js";
import {showFullCover} from "./player.js";
import {addScreen, go, goBack} from "./router.js";
import {albumTile, artistRow, choiceByURI, letter, menuButton, trackRow, unavailable} from "./rows.js";
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
    ["albums", tr("Albums"), "#/library/albums"], ["artists", tr("Artists"), "#/library/artists"],
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
  const content = {albums, artists, genres, folders}[current] ?? albums;
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

function albums(query) {
  const sort = query.get("sort") ?? "title";
  const sorts = [["title", tr("Title")], ["artist", tr("Artist")], ["year", tr("Year")], ["added", tr("Newest")]];
  const choice = h("select", {"aria-label": tr("Order"), onchange: () => go(`/library/albums?sort=${choice.value}`)},
    sorts.map(([value, text]) => h("option", {value, selected: value === sort}, text)));
  const places = {title: album => letter(album.title), artist: album => letter(album.albumArtist), year: album => String(album.year || ""), added: () => ""};
  const {element, close} = rowList({
    label: tr("Albums"), isGrid: true, row: album => h("li", {role: "listitem"}, albumTile(album)), empty: emptyLibrary, place: places[sort],
    choose: choiceByURI,
    load: async (offset, limit) => {
      const page = await call("library.albums", {sort, order: sort === "added" ? "descending" : "ascending", offset, limit});
      return {items: page.albums, total: page.total};
    },
  });
  return {element, order: choice, close};
}

function rowList(options) {
  const list = new RowList(options);
  list.reload();
  const stop = follow(["library", "favorites"], () => list.reload());
  return {element: list.holder, close: () => { stop(); list.close(); }};
}

function artists() {
  return rowList({
    label: tr("Artists"), row: artistRow, empty: emptyLibrary, place: one => letter(one.name), choose: choiceByURI,
    load: async (offset, limit) => {
      const page = await call("library.artists", {offset, limit});
      return {items: page.artists, total: page.total};
    },
  });
}

function genres() {
  return rowList({
    label: tr("Genres"), empty: emptyLibrary, place: genre => letter(genre.name), choose: choiceByURI,
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
    choose: {
      id: item => (item.folder ?? item.track).uri, actions: items => actionsFor(items.map(item => (item.folder ?? item.track).uri)),
    },
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
    label: name, row: track => trackRow(track, {play: () => playNow([uri], track.uri)}), place: track => letter(artist(track)), choose: choiceByURI,
    load: async (offset, limit) => {
      const page = await call("library.tracks", {genre: name, sort: "artist", offset, limit});
      return {items: page.tracks, total: page.total};
    },
  });
  return {title: name, close, element: h("section", {}, heading({name, uris: [uri]}), element)};
});

/**
 * The heading of a screen that shows one thing, with buttons that play it.
 * @param {{name: string, details?: string[], uris: string[], favorite?: boolean, art?: HTMLElement, play?: () => void, canShuffle?: boolean}} thing
 */
export function heading({name, details = [], uris, favorite, art, canShuffle = true, play = () => playNow(uris)}) {
  return [backButton("/library/albums"), h("header.thing", {},
    art,
    h("div", {},
      h("h1", {dir: "auto"}, name), details.map(text => h("p.detail", {dir: "auto"}, text)),
      h("div.buttons", {},
        may("control") && h("button.primary", {type: "button", onclick: play}, icon("play"), tr("Play")),
        may("control") && h("button", {type: "button", "aria-label": tr("Add to the queue"), onclick: () => add(uris, "end")}, icon("add"), tr("Add")),
        may("control") && canShuffle && h("button.symbol", {type: "button", "aria-label": tr("Play in random order"), title: tr("Play in random order"),
          onclick: () => playShuffled(uris)}, icon("shuffle")),
        favorite !== undefined && favoriteButton(uris[0], favorite, icon),
        menuButton(name, uris, {play, favorite}))))];
}

/** The way back from a screen that shows one thing. */
export function backButton(otherwise) {
  return h("div.back", {}, h("button.symbol", {type: "button", "aria-label": tr("Back"), onclick: () => goBack(otherwise)}, icon("back")));
}

/** A screen whose content is read first. An error takes its place. */
export function loadingScreen(name, read, draw) {
  const element = h("section", {"aria-busy": "true"}, h("p.empty", {}, tr("Loading…")));
  read().then(value => fill(element, draw(value))).catch(error => fill(element, h("p.empty", {role: "alert"}, message(error))))
    .finally(() => element.removeAttribute("aria-busy"));
  return {title: name, element};
}

addScreen("album", id => loadingScreen(tr("Album"), () => call("library.album", {id: Number(id), limit: 1000}), ({album, tracks}) => {
  const discs = new Set(tracks.map(track => track.metadata.disc ?? 1));
  const art = h("button.plain", {type: "button", "aria-label": tr("Show the cover"), onclick: () => showFullCover({...album, metadata: {title: album.title}})},
    cover({uri: album.uri, art: album.art, name: album.title, size: "medium"}));
  return [
    heading({
      name: album.title, uris: [album.uri], favorite: album.favorite, art,
      details: [album.albumArtist ?? tr("Various artists"),
        [album.year || null, plural("%1$d song", "%1$d songs", album.trackCount), spokenTime(album.duration)].filter(text => text).join(" · ")],
    }),
    h("ol.rows.short", {role: "list"}, tracks.map((track, index) => {
      const disc = track.metadata.disc ?? 1;
      const isFirst = discs.size > 1 && disc !== (tracks[index - 1]?.metadata.disc ?? (index ? 1 : 0));
      return [isFirst && h("li.disc", {}, tr("Disc %1$s", disc)), albumRow(track, album)];
    })),
  ];
}));

function albumRow(track, album) {
  const name = title(track);
  const play = () => playNow([album.uri], track.uri);
  const detail = unavailable(track) ?? (artist(track) === (album.albumArtist ?? "") ? null : artist(track));
  return h(`li.row${unavailable(track) ? ".missing" : ""}${state.status?.track?.uri === track.uri ? ".current" : ""}`, {role: "listitem"},
    h("button.main", {type: "button", disabled: !may("control") || track.offline, onclick: play, "aria-label": tr("Play %1$s", name)},
      h("span.number", {}, track.metadata.track ?? ""),
      h("span.texts", {}, h("span.title", {dir: "auto"}, name), detail && h("span.detail", {dir: "auto"}, detail))),
    h("span.length", {}, time(track.duration)),
    favoriteButton(track.uri, track.favorite, icon),
    menuButton(name, [track.uri], {
      play, favorite: track.favorite, extra: [{label: tr("Details"), run: () => go(`/track/${encodeURIComponent(track.uri)}`)}],
    }));
}

addScreen("artist", id => loadingScreen(tr("Artist"), () => call("library.artist", {id: Number(id), limit: 1000}), ({artist: one, albums: found}) => [
  heading({name: one.name, uris: [one.uri], favorite: one.favorite,
    details: [[plural("%1$d album", "%1$d albums", one.albumCount), plural("%1$d song", "%1$d songs", one.trackCount)].join(" · ")]}),
  h("ul.tiles", {role: "list"}, found.map(album => h("li", {}, albumTile(album)))),
  h("p", {}, h("a", {href: `#/search/library?q=${encodeURIComponent(`artist:"${one.name}"`)}`}, tr("All songs of %1$s", one.name))),
]));

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
    heading({name: title(report), uris: [uri], favorite: report.favorite, details: [artist(report)], canShuffle: false, play: () => playTrack(uri),
      art: h("button.plain", {type: "button", "aria-label": tr("Show the cover"), onclick: () => showFullCover(report)},
        cover({uri, art: metadata.art, name: metadata.album ?? title(report), size: "medium"}))}),
    rating(report),
    h("dl.facts", {}, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {dir: "auto"}, value)])),
    report.album && h("p", {}, h("a", {href: `#/album/${report.album.split("/").pop()}`}, tr("Go to the album"))),
  ];
}));

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
