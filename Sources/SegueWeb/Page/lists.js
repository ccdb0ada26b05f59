// The favorites, the history and the playlists.
import {call} from "./rpc.js";
import {dialog, h, icon, nothing, toast} from "./dom.js";
import {ago, title} from "./format.js";
import {plural, tr} from "./language.js";
import {attempt, playNow} from "./actions.js";
import {heading, tabs} from "./library.js";
import {RowList, tiles} from "./list.js";
import {cover} from "./cover.js";
import {addScreen, go} from "./router.js";
import {albumTile, artistRow, itemTile, kinds, menuButton, trackRow, unavailable} from "./rows.js";
import {follow, may} from "./state.js";

// MARK: Favorites

addScreen("favorites", (_, query) => {
  const sort = query.get("sort") ?? "date";
  const choice = h("select", {"aria-label": tr("Order"), onchange: () => go(`/favorites?sort=${choice.value}`)},
    [["date", tr("Added")], ["title", tr("Title")], ["year", tr("Release")], ["rating", tr("Rating")]].map(([value, text]) =>
      h("option", {value, selected: value === sort}, text)));
  const list = tiles({
    label: tr("Favorites"), tile: favoriteTile,
    empty: () => nothing("heart", tr("No favorites yet. The heart beside a song, an album or a film makes it one.")),
    load: async (offset, limit) => {
      const page = await call("favorites.list", {sort, offset, limit});
      const items = [...page.albums.map(album => ({album})), ...page.artists.map(artist => ({artist})), ...page.tracks.map(track => ({track}))];
      return {items, total: page.total};
    },
  });
  const stop = follow(["favorites", "ratings", "library"], list.reload);
  return {title: tr("Favorites"), close: () => { stop(); list.close(); }, element: h("section", {}, h("header.screen", {}, h("h1", {}, tr("Favorites")), choice), h("div.gallery", {}, list.element))};
});

function favoriteTile({album, artist, track}) {
  if (album) return albumTile(album);
  if (artist) return h("a.tile", {href: `#/artist/${artist.id}`}, cover({uri: artist.uri, art: null, name: artist.name, size: "medium"}), h("span.title", {dir: "auto"}, artist.name), h("span.detail", {}, kinds.artist));
  const isOnline = /^\w+:(song|album|film|artist|podcast|episode|audiobook|station|person):/.test(track.uri);
  if (isOnline) return itemTile({...track, title: title(track), creator: track.metadata.artist, year: track.metadata.year, art: track.metadata.art, kind: track.uri.split(":")[1]});
  return h("a.tile", {href: `#/track/${encodeURIComponent(track.uri)}`},
    cover({uri: track.uri, art: track.metadata.art, name: track.metadata.album ?? title(track), size: "medium"}),
    h("span.title", {dir: "auto"}, title(track)), h("span.detail", {dir: "auto"}, unavailable(track) ?? track.metadata.artist ?? ""), h("span.detail", {}, kinds.song));
}

// MARK: The history

addScreen("history", name => {
  const sort = name === "plays" ? "plays" : "time";
  const list = new RowList({
    label: tr("History"), empty: () => nothing("clock", tr("Nothing was played yet.")),
    row: play => trackRow(play.track, {about: sort === "plays" ? plural("%1$d play", "%1$d plays", play.plays) : ago(play.time)}),
    load: async (offset, limit) => {
      const page = await call("history.list", {sort, offset, limit});
      return {items: page.plays, total: page.total};
    },
  });
  list.reload();
  const stop = follow(["history", "library"], () => list.reload());
  return {
    title: tr("History"), close: () => { stop(); list.close(); },
    element: h("section", {}, h("header.screen", {}, h("h1", {}, tr("History"))),
      tabs(tr("Order"), [["time", tr("Latest"), "#/history/time"], ["plays", tr("Most played"), "#/history/plays"]], sort), list.holder),
  };
});

// MARK: Playlists

addScreen("playlists", () => {
  const list = new RowList({
    label: tr("Playlists"), empty: () => nothing("list", tr("No playlists yet. Save the queue as one.")),
    row: playlist => h("li.row", {role: "listitem"},
      h("a.main", {href: `#/playlist/${encodeURIComponent(playlist.name)}`}, h("div.cover", {"aria-hidden": "true"}, icon("list")),
        h("span.texts", {}, h("span.title", {dir: "auto"}, playlist.name), h("span.detail", {}, plural("%1$d track", "%1$d tracks", playlist.trackCount)))),
      menuButton(playlist.name, [playlist.uri], {extra: may("own") ? [
        {label: tr("Rename…"), run: () => rename(playlist.name)}, {label: tr("Delete…"), run: () => remove(playlist.name)}] : []})),
    load: async (offset, limit) => {
      const page = await call("playlists.list", {offset, limit});
      return {items: page.playlists, total: page.total};
    },
  });
  list.reload();
  const stop = follow(["playlists"], () => list.reload());
  return {title: tr("Playlists"), close: () => { stop(); list.close(); },
    element: h("section", {}, h("header.screen", {}, h("h1", {}, tr("Playlists"))), list.holder)};
});

function rename(name) {
  const input = h("input", {type: "text", value: name, maxlength: 200, required: true, "aria-label": tr("Name")});
  const shown = dialog(tr("Rename %1$s", name), tr("Close"), h("form.line", {onsubmit: event => {
    event.preventDefault();
    shown.close();
    attempt("playlists.rename", {name, to: input.value.trim()});
  }}, input, h("button.primary", {}, tr("Rename"))));
}

function remove(name) {
  const shown = dialog(tr("Delete %1$s?", name), tr("Close"), h("p", {}, tr("This cannot be undone.")),
    h("div.buttons", {}, h("button.danger", {type: "button", onclick: async () => {
      shown.close();
      if (await attempt("playlists.delete", {name})) toast(tr("%1$s was deleted.", name));
    }}, tr("Delete")), h("button", {type: "button", onclick: () => shown.close()}, tr("Cancel"))));
}

addScreen("playlist", name => {
  const uri = `segue:playlist/${encodeURIComponent(name)}`;
  const list = new RowList({
    label: name, ordered: true,
    row: track => {
      const removal = {label: tr("Remove from the playlist"),
        run: () => attempt("playlists.remove", {name, indices: [list.indexOf(row)], uris: [track.uri]})};
      const row = trackRow(track, {play: () => playNow([uri], track.uri), extra: may("own") ? [removal] : []});
      return row;
    },
    load: async (offset, limit) => {
      const page = await call("playlists.get", {name, offset, limit});
      return {items: page.tracks, total: page.total};
    },
  });
  list.reload();
  const stop = follow(["playlists"], () => list.reload());
  return {title: name, close: () => { stop(); list.close(); },
    element: h("section", {}, heading({name, uris: [uri]}), list.holder)};
});
