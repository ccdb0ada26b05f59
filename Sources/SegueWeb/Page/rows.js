// Rows and tiles for tracks, albums and artists.
import {cover} from "./cover.js";
import {h, icon, set, toast} from "./dom.js";
import {artist, time, title} from "./format.js";
import {plural, tr} from "./language.js";
import {actionsFor, attempt, choose, favoriteButton, favoriteEntry, itemEntries, playTrack} from "./actions.js";
import {go} from "./router.js";
import {canSelect, selectRow} from "./selection.js";
import {may, observe, state} from "./state.js";

/** Marks the row of the current track. */
export function markCurrent(row, isCurrent) {
  row.classList.toggle("current", isCurrent);
  set(row, {"aria-current": isCurrent ? "true" : null});
}

/** The URI of the track that is marked on the screen. */
let marked = null;
observe(() => {
  const uri = state.status?.track?.uri ?? null;
  if (uri === marked) return;
  marked = uri;
  for (const row of document.querySelectorAll("main li[data-uri]")) markCurrent(row, row.getAttribute("data-uri") === uri);
});

/** Creates the row of a track of the library, which is marked while the track is the current one. */
export function rowOf(track, ...parts) {
  const row = h(`li.row${unavailable(track) ? ".missing" : ""}`, {role: "listitem", "data-uri": track.uri}, ...parts);
  if (track.uri === state.status?.track?.uri) markCurrent(row, true);
  return row;
}

/**
 * A row for a track of the library or of another list. A tap plays it, with the rest of its list if there is one. `about` is
 * what the list says about the track, in place of its album.
 */
export function trackRow(track, {play = () => playTrack(track.uri), about = track.metadata?.album, extra = []} = {}) {
  const name = title(track);
  return rowOf(track,
    h("button.main", {type: "button", disabled: !may("control") || track.offline, onclick: play, "aria-label": tr("Play %1$s", `${name}, ${artist(track)}`)},
      cover({uri: track.uri, art: track.metadata?.art, name: track.metadata?.album ?? name}),
      texts(track, name, artist(track), about)),
    h("span.length", {}, time(track.duration)),
    favoriteButton(track.uri, track.favorite),
    menuButton(name, [track.uri], {play, extra: [...extra, ...links(track)]}));
}

/** Entries of a menu that lead to the screens of a track and of its album. */
export function links(track) {
  if (!track.uri.startsWith("file:")) return [];
  return [{label: tr("Go to the album"), run: () => openAlbum(track)}, {label: tr("Details"), run: () => go(`/track/${encodeURIComponent(track.uri)}`)}];
}

/** Shows the album of a track. An entry of the queue does not know it. */
export async function openAlbum(track) {
  const album = track.album ?? (await attempt("library.track", {uri: track.uri}))?.album;
  if (album) go(`/album/${album.split("/").pop()}`);
  else if (album === null) toast(tr("This track belongs to no album."));
}

/** Shows an artist, or all songs with this name if the library has no such artist. */
export async function openArtist(name) {
  const query = `artist:"${name.replaceAll('"', "")}"`;
  const found = await attempt("library.search", {query, type: "artist", limit: 20});
  const one = found?.artists.find(artist => artist.name.toLowerCase() === name.toLowerCase());
  go(one ? `/artist/${one.id}` : `/search/library?q=${encodeURIComponent(query)}`);
}

/** The texts of a row: the title, and below it the artist with something else, which has a column of its own on a wide screen. */
export function texts(track, name, by, about) {
  const problem = unavailable(track);
  return [
    h("span.texts", {}, h("span.title", {dir: "auto"}, name),
      problem ? h("span.detail", {dir: "auto"}, problem)
        : h("span.detail", {}, h("bdi", {}, by), by && about && h("span.about", {}, " · "), about && h("bdi.about", {}, about))),
    !problem && about && h("span.detail.column", {dir: "auto"}, about),
  ];
}

/** Why a track cannot be played now; null if it can. */
export function unavailable(track) {
  return track.error ?? (track.offline ? tr("The folder of this file is not there now.") : null);
}

/**
 * A button that shows what can be done with an item; null if there is nothing.
 * @param {{play?: () => void, extra?: {label: string, run: () => void}[]}} options
 */
export function menuButton(name, uris, options = {}) {
  const {play, extra = []} = options;
  const entries = [...itemEntries({uris, play}), ...extra];
  if (!entries.some(entry => entry)) return null;
  return h("button.symbol", {type: "button", "aria-label": tr("More about %1$s", name), "aria-haspopup": "dialog", onclick: event => {
    event.stopPropagation();
    const button = event.currentTarget;
    choose(name, [...entries, favoriteEntry(button.parentElement), canSelect(button) && {label: tr("Select several…"), run: () => selectRow(button)}]);
  }}, icon("more"));
}

/** What can be done with several rows of a list. @type {import("./selection.js").Selectable} */
export const selectableByURI = {id: item => item.uri, actions: () => actionsFor(item => item.uri)};

/** Returns the letter by which a name is found in a sorted list. The daemon leaves out an article at the beginning, too. */
export function letter(name) { return [...(name ?? "").replace(/^(the|an?) +(?=.)/i, "")][0]?.toUpperCase() ?? ""; }

/** A tile for an album: cover, title, band and number of songs. */
export function albumTile(album) {
  return h("a.tile", {href: `#/album/${album.id}`},
    cover({uri: album.uri, art: album.art, name: album.title, size: "medium"}),
    h("span.title", {dir: "auto"}, album.title),
    h("span.detail", {dir: "auto"}, album.albumArtist ?? tr("Various artists")),
    h("span.detail", {}, plural("%1$d song", "%1$d songs", album.trackCount)));
}

export function artistRow(one) {
  return h("li.row", {role: "listitem"},
    h("a.main", {href: `#/artist/${one.id}`},
      h("div.cover.round", {"aria-hidden": "true"}, h("span", {}, letter(one.name) || "?")),
      h("span.texts", {}, h("span.title", {dir: "auto"}, one.name),
        h("span.detail", {}, [plural("%1$d album", "%1$d albums", one.albumCount), plural("%1$d song", "%1$d songs", one.trackCount)].join(" · ")))),
    favoriteButton(one.uri, one.favorite), menuButton(one.name, [one.uri]));
}

/** The kinds of items of catalogues. */
export const kinds = {
  song: tr("Song"), album: tr("Album"), artist: tr("Artist"), film: tr("Film"), audiobook: tr("Audiobook"), podcast: tr("Podcast"),
  episode: tr("Episode"), station: tr("Station"), person: tr("Person"),
};

/** A tile for an item of an online catalogue. */
export function itemTile(item) {
  return h(`a.tile.${item.kind}`, {href: `#/item/${encodeURIComponent(item.uri)}`},
    cover({uri: item.uri, art: item.art, name: item.title, size: "medium"}),
    h("span.title", {dir: "auto"}, item.title),
    h("span.detail", {dir: "auto"}, [item.creator, item.year || null].filter(text => text).join(" · ") || kinds[item.kind]));
}
