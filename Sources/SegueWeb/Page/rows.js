// Rows and tiles for tracks, albums and artists.
import {cover} from "./cover.js";
import {h, icon} from "./dom.js";
import {artist, time, title} from "./format.js";
import {plural, tr} from "./language.js";
import {actionsFor, favoriteButton, menu, playTrack} from "./actions.js";
import {go} from "./router.js";
import {canChoose, choose} from "./selection.js";
import {may} from "./state.js";

/**
 * A row for a track of the library or of another list. A tap plays it, with the rest of its list if there is one. `about` is
 * what the list says about the track, in place of its album.
 */
export function trackRow(track, {play = () => playTrack(track.uri), about = track.metadata?.album, extra = []} = {}) {
  const name = title(track);
  const links = [];
  if (track.album) links.push({label: tr("Go to the album"), run: () => go(`/album/${track.album.split("/").pop()}`)});
  links.push({label: tr("Details"), run: () => go(`/track/${encodeURIComponent(track.uri)}`)});
  return h(`li.row${unavailable(track) ? ".missing" : ""}`, {role: "listitem"},
    h("button.main", {type: "button", disabled: !may("control") || track.offline, onclick: play, "aria-label": tr("Play %1$s", `${name}, ${artist(track)}`)},
      cover({uri: track.uri, art: track.metadata?.art, name: track.metadata?.album ?? name}),
      texts(track, name, artist(track), about)),
    h("span.length", {}, time(track.duration)),
    favoriteButton(track.uri, track.favorite, icon),
    menuButton(name, [track.uri], {play, favorite: track.favorite, extra: [...extra, ...links]}));
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

/** @param {{play?: () => void, favorite?: boolean, extra?: {label: string, run: () => void}[]}} options */
export function menuButton(name, uris, options = {}) {
  return h("button.symbol", {type: "button", "aria-label": tr("More about %1$s", name), "aria-haspopup": "dialog",
    onclick: event => {
      event.stopPropagation();
      const button = event.currentTarget;
      const several = canChoose(button) ? [{label: tr("Choose several…"), run: () => choose(button)}] : [];
      menu({title: name, uris, ...options, extra: [...options.extra ?? [], ...several]});
    }}, icon("more"));
}

/** What can be done with several rows of a list, each of which has a URI. @type {import("./selection.js").Choice} */
export const choiceByURI = {id: item => item.uri, actions: items => actionsFor(items.map(item => item.uri))};

/** Returns the first letter of a name, for who scrolls fast; articles and signs before it are not left out. */
export function letter(name) { return [...name ?? ""][0]?.toUpperCase() ?? ""; }

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
      h("div.cover.round", {"aria-hidden": "true"}, h("span", {}, [...one.name][0] ?? "?")),
      h("span.texts", {}, h("span.title", {dir: "auto"}, one.name),
        h("span.detail", {}, [plural("%1$d album", "%1$d albums", one.albumCount), plural("%1$d song", "%1$d songs", one.trackCount)].join(" · ")))),
    menuButton(one.name, [one.uri], {favorite: one.favorite}));
}

/** The kinds of items of catalogues. */
export const kinds = {
  song: tr("Song"), album: tr("Album"), artist: tr("Artist"), film: tr("Film"), audiobook: tr("Audiobook"), podcast: tr("Podcast"),
  episode: tr("Episode"), station: tr("Station"), person: tr("Person"),
};

/** A tile for an item of an online catalogue. */
export function itemTile(item) {
  return h("a.tile", {href: `#/item/${encodeURIComponent(item.uri)}`},
    cover({uri: item.uri, art: item.art, name: item.title, size: "medium"}),
    h("span.title", {dir: "auto"}, item.title),
    h("span.detail", {dir: "auto"}, [item.creator, item.year || null].filter(text => text).join(" · ") || kinds[item.kind]));
}
