// The favorites, the history and the playlists.
import {call} from "./rpc.js";
import {dialog, failed, fill, h, icon, nothing, toast} from "./dom.js";
import {ago, number, title} from "./format.js";
import {plural, tr} from "./language.js";
import {actionsFor, askName, attempt, playNow, removeFromPlaylist} from "./actions.js";
import {heading, tabs} from "./library.js";
import {RowList} from "./list.js";
import {cover} from "./cover.js";
import {addScreen, go} from "./router.js";
import {albumTile, itemTile, kinds, letter, menuButton, selectableByURI, trackRow, unavailable} from "./rows.js";
import {follow, may} from "./state.js";
import {tiles} from "./tiles.js";

// MARK: Favorites

addScreen("favorites", (_, query) => {
  const sort = query.get("sort") ?? "date";
  const choice = h("select", {"aria-label": tr("Order"), onchange: () => go(`/favorites?sort=${choice.value}`)},
    [["date", tr("Added")], ["title", tr("Title")], ["year", tr("Release")], ["rating", tr("Rating")]].map(([value, text]) =>
      h("option", {value, selected: value === sort}, text)));
  const empty = h("div", {hidden: true}, nothing("heart", tr("No favorites yet. The heart beside a song, an album or a film makes it one.")));
  const trouble = h("div");
  const fail = error => {
    for (const one of shelves) one.element.hidden = true;
    fill(trouble, failed(error, reload));
  };
  const shelves = [
    shelf("album", sort, tr("Albums"), page => page.albums, albumTile, fail), shelf("artist", sort, tr("Artists"), page => page.artists, artistTile, fail),
    shelf("track", sort, tr("Songs and online finds"), page => page.tracks, favoriteTile, fail),
  ];
  const reload = async () => {
    trouble.replaceChildren();
    await Promise.all(shelves.map(one => one.reload()));
    empty.hidden = trouble.hasChildNodes() || shelves.some(one => !one.element.hidden);
  };
  reload();
  const stop = follow(["favorites", "ratings", "library"], reload);
  return {title: tr("Favorites"), close: () => { stop(); shelves.forEach(one => one.close()); },
    element: h("section", {}, h("header.screen", {}, h("h1", {}, tr("Favorites")), choice), h("div.gallery", {}, shelves.map(one => one.element)), trouble, empty)};
});

/** The favorites of a kind, on a shelf that is hidden while it is empty. `fail` says why they cannot be read. */
function shelf(type, sort, label, itemsOf, tile, fail) {
  const count = h("span.detail");
  const list = tiles({
    label, tile, fail, isShelf: true,
    load: async (offset, limit) => {
      const page = await call("favorites.list", {type, sort, offset, limit});
      element.hidden = page.total === 0;
      count.textContent = number(page.total);
      return {items: itemsOf(page), total: page.total};
    },
  });
  const element = h("section", {hidden: true}, h("h2", {}, label, " ", count), list.element);
  return {...list, element};
}

function artistTile(one) {
  return h("a.tile", {href: `#/artist/${one.id}`}, cover({uri: one.uri, art: null, name: one.name, size: "medium"}),
    h("span.title", {dir: "auto"}, one.name), h("span.detail", {}, plural("%1$d song", "%1$d songs", one.trackCount)));
}

function favoriteTile(track) {
  const isOnline = /^\w+:(song|album|film|artist|podcast|episode|audiobook|station|person):/.test(track.uri);
  if (isOnline) return itemTile({...track, title: title(track), creator: track.metadata.artist, year: track.metadata.year, art: track.metadata.art, kind: track.uri.split(":")[1]});
  return h("a.tile", {href: `#/track/${encodeURIComponent(track.uri)}`},
    cover({uri: track.uri, art: track.metadata.art, name: track.metadata.album ?? title(track), size: "medium"}),
    h("span.title", {dir: "auto"}, title(track)), h("span.detail", {dir: "auto"}, unavailable(track) ?? track.metadata.artist ?? ""), h("span.detail", {}, kinds.song));
}

// MARK: The history

addScreen("history", name => {
  const sort = name === "plays" ? "plays" : "time";
  const about = play => sort === "plays" ? plural("%1$d play", "%1$d plays", play.plays) : ago(play.time);
  const list = new RowList({
    label: tr("History"), select: {id: play => `${play.time ?? ""} ${play.track.uri}`, actions: () => actionsFor(play => play.track.uri)}, empty: () => nothing("clock", tr("Nothing was played yet.")),
    row: play => trackRow(play.track, {about: about(play)}),
    // How long ago it was changes without the play.
    mark: (element, play) => { for (const one of element.querySelectorAll("bdi.about, .column")) one.textContent = about(play); },
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
    label: tr("Playlists"), select: selectableByURI, place: playlist => letter(playlist.name), empty: () => nothing("list", tr("No playlists yet. Save the queue as one.")),
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
    element: h("section", {}, h("header.screen", {}, h("h1", {}, tr("Playlists")),
      may("own") && h("button.symbol", {type: "button", "aria-label": tr("New playlist"), onclick: create}, icon("add"))), list.holder)};
});

/** Makes an empty playlist, and shows it. */
function create() {
  askName(tr("New playlist"), tr("Create"), async (name, close) => {
    if (!name || !await attempt("playlists.save", {name, uris: []})) return;
    close();
    go(`/playlist/${encodeURIComponent(name)}`);
  });
}

function rename(name) {
  askName(tr("Rename %1$s", name), tr("Rename"), (to, close) => {
    close();
    attempt("playlists.rename", {name, to});
  }, name);
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
  const count = h("span");
  const list = new RowList({
    label: name, ordered: true, empty: () => nothing("list", tr("This playlist is empty. The menu beside a song adds it.")),
    select: {
      id: (track, index) => `${index} ${track.uri}`, hasIndex: true,
      actions: () => [...actionsFor(track => track.uri), ...may("own")
        ? [{label: tr("Remove"), symbol: "remove", run: (tracks, indices) => removeFromPlaylist(name, indices, tracks.map(track => track.uri))}] : []],
    },
    row: track => {
      const removal = {label: tr("Remove from the playlist"),
        run: () => attempt("playlists.remove", {name, indices: [list.indexOf(row)], uris: [track.uri]})};
      const row = trackRow(track, {play: () => playNow([uri], track.uri), extra: may("own") ? [removal] : []});
      return row;
    },
    load: async (offset, limit) => {
      const page = await call("playlists.get", {name, offset, limit});
      count.textContent = plural("%1$d track", "%1$d tracks", page.total);
      return {items: page.tracks, total: page.total};
    },
  });
  list.reload();
  const stop = follow(["playlists"], () => list.reload());
  return {title: name, close: () => { stop(); list.close(); },
    element: h("section", {}, heading({name, uris: [uri], details: [count], back: "/playlists"}), list.holder)};
});
