// The queue: entries in order, which are moved by a handle or by buttons.
import {call} from "./rpc.js";
import {cover} from "./cover.js";
import {dialog, h, icon, nothing, set, toast} from "./dom.js";
import {artist, time, title} from "./format.js";
import {plural, tr} from "./language.js";
import {attempt, choosePlaylist, favoriteButton, toggleFavorite} from "./actions.js";
import {RowList} from "./list.js";
import {addScreen, go} from "./router.js";
import {texts, unavailable} from "./rows.js";
import {choose} from "./selection.js";
import {may, observe, restriction, state} from "./state.js";

addScreen("queue", (_, __, isRestored) => {
  const count = h("p.summary", {"aria-live": "off"});
  const buttons = h("div.buttons");
  const list = new RowList({
    label: tr("Queue"), ordered: true,
    load: async (offset, limit) => {
      const page = await call("queue.list", {offset, limit});
      version = page.version;
      return {items: page.tracks, total: page.total};
    },
    row: entry => row(entry, list),
    choose: {id: entry => String(entry.id), actions: severalActions},
    // An entry that has only moved keeps its row.
    key: entry => JSON.stringify({...entry, index: null}),
    mark: (element, entry) => {
      const isCurrent = state.status?.track?.id === entry.id;
      element.classList.toggle("current", isCurrent);
      set(element, {"aria-current": isCurrent ? "true" : null});
    },
    empty: () => nothing("queue", tr("The queue is empty."),
      may("control") && h("a.button.primary", {href: "#/library/albums"}, tr("Choose some music"))),
  });
  /** The version of the queue that is shown or being read. */
  let version = null;
  let current = null;
  const draw = () => {
    const {queue, status} = state;
    if (!queue) return;
    count.textContent = queue.length ? plural("%1$d track", "%1$d tracks", queue.length) : "";
    buttons.replaceChildren(...controls(queue));
    if (queue.version !== version) {
      version = queue.version;
      list.reload();
    }
    if (status?.track?.id !== current) {
      current = status?.track?.id;
      list.update();
    }
  };
  // The queue is read before its version arrives with the state, which takes as long.
  list.reload().then(() => { if (!isRestored && state.status?.index > 5 && scrollY === 0) list.scrollTo(state.status.index); });
  const stop = observe(draw);
  draw();
  return {
    title: tr("Queue"),
    element: h("section.queue", {}, h("header.screen", {}, h("div", {}, h("h1", {}, tr("Queue")), count), buttons), restriction("control") && h("p.hint", {}, restriction("control")), list.holder),
    close: () => { stop(); list.close(); },
  };
});

function controls(queue) {
  if (!may("control")) return [];
  return [
    h("button.symbol", {type: "button", "aria-label": tr("Undo"), disabled: !queue.undo, onclick: () => attempt("queue.undo")}, icon("undo")),
    h("button.symbol", {type: "button", "aria-label": tr("Shuffle the queue"), disabled: queue.length < 3,
      onclick: () => attempt("queue.shuffleNow")}, icon("shuffle")),
    may("own") && h("button.symbol", {type: "button", "aria-label": tr("Save as a playlist…"), disabled: !queue.length, onclick: save}, icon("save")),
    h("button.symbol", {type: "button", "aria-label": tr("Clear the queue"), disabled: !queue.length, onclick: async () => {
      if (await attempt("queue.clear")) toast(tr("The queue was cleared."), undo);
    }}, icon("remove")),
  ].filter(button => button);
}

function save() {
  const name = h("input", {type: "text", maxlength: 200, required: true, "aria-label": tr("Name")});
  const shown = dialog(tr("Save as a playlist"), tr("Close"), h("form.line", {onsubmit: async event => {
    event.preventDefault();
    shown.close();
    if (await attempt("playlists.save", {name: name.value.trim()})) toast(tr("The playlist was saved."));
  }}, name, h("button.primary", {}, tr("Save"))));
}

const undo = {label: tr("Undo"), run: () => attempt("queue.undo")};

/** What can be done with several entries. */
function severalActions(entries, indexes) {
  const ids = entries.map(entry => entry.id);
  // The index of the current track, when the entries have left their places.
  const current = state.status?.index ?? -1;
  const rest = current - indexes.filter(index => index <= current).length;
  return [
    {label: tr("Next"), symbol: "insert", run: () => attempt("queue.move", {ids, to: rest + 1})},
    ...may("own") ? [{label: tr("Playlist"), symbol: "list", run: () => choosePlaylist(entries.map(entry => entry.uri))}] : [],
    {label: tr("Remove"), symbol: "remove", run: async () => {
      if (await attempt("queue.remove", {ids})) toast(plural("%1$d track was removed.", "%1$d tracks were removed.", ids.length), undo);
    }},
  ];
}

function row(entry, list) {
  const name = title(entry);
  const remove = async () => { if (await attempt("queue.remove", {ids: [entry.id]})) toast(tr("%1$s was removed.", name), undo); };
  return h(`li.row${unavailable(entry) ? ".missing" : ""}`, {role: "listitem"},
    h("button.main", {type: "button", disabled: !may("control"), "aria-label": tr("Play %1$s", `${name}, ${artist(entry)}`),
      onclick: () => attempt("play", {id: entry.id})},
      cover({uri: entry.uri, art: entry.metadata.art, name: entry.metadata.album ?? name}),
      texts(entry, name, artist(entry), entry.metadata.album)),
    h("span.length", {}, time(entry.duration)),
    favoriteButton(entry.uri, entry.favorite, icon),
    may("control") && h("button.symbol.quick", {type: "button", "aria-label": tr("Remove %1$s", name), onclick: remove}, icon("close")),
    may("control") && handle(entry, name, list, remove));
}

/** The handle that moves an entry: by dragging, by the arrow keys, or by the buttons of its dialog. */
function handle(entry, name, list, remove) {
  const move = to => attempt("queue.move", {ids: [entry.id], to: Math.max(0, Math.min(to, list.total - 1))});
  const button = h("button.symbol.handle", {type: "button", "aria-label": tr("Move %1$s", name), "aria-haspopup": "dialog"}, icon("handle"));
  const place = () => list.indexOf(button.closest("li"));
  button.addEventListener("keydown", event => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    move(place() + (event.key === "ArrowUp" ? -1 : 1));
  });
  let dragged = false;
  button.addEventListener("click", () => {
    if (dragged) return;
    const index = place();
    const shown = dialog(name, tr("Close"), h("ul.menu", {}, [
      [tr("Move up"), () => move(index - 1)], [tr("Move down"), () => move(index + 1)],
      [tr("Play next"), () => move(next(index))], [tr("Move to the beginning"), () => move(0)],
      [tr("Move to the end"), () => move(list.total - 1)], [tr("Remove"), remove],
      [entry.favorite ? tr("Remove from the favorites") : tr("Add to the favorites"), () => toggleFavorite(entry.uri, entry.favorite)], [tr("Choose several…"), () => choose(button)],
      [tr("Details"), () => go(`/track/${encodeURIComponent(entry.uri)}`)],
    ].map(([label, run]) => h("li", {}, h("button", {type: "button", onclick: () => { shown.close(); run(); }}, label)))));
  });
  button.addEventListener("pointerdown", event => {
    const row = button.closest("li");
    const index = list.indexOf(row);
    const from = event.clientY + scrollY;
    let steps = 0;
    dragged = false;
    button.setPointerCapture(event.pointerId);
    const drag = moved => {
      const distance = moved.clientY + scrollY - from;
      if (Math.abs(distance) < 8 && !dragged) return;
      dragged = true;
      row.classList.add("dragged");
      steps = Math.round(distance / list.height);
      row.style.transform = `translateY(${index * list.height + distance}px)`;
      if (moved.clientY < 90) scrollBy(0, -12);
      if (moved.clientY > innerHeight - 170) scrollBy(0, 12);
    };
    const end = () => {
      button.removeEventListener("pointermove", drag);
      row.classList.remove("dragged");
      row.style.transform = `translateY(${index * list.height}px)`;
      if (steps) move(index + steps);
      setTimeout(() => { dragged = false; });
    };
    button.addEventListener("pointermove", drag);
    button.addEventListener("pointerup", end, {once: true});
    button.addEventListener("pointercancel", () => { steps = 0; end(); }, {once: true});
  });
  return button;
}

/** Returns the index of the place after the current track for an entry that leaves its own. */
function next(index) {
  const current = state.status?.index ?? -1;
  return index <= current ? current : current + 1;
}
