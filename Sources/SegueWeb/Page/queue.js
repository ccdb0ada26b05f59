// The queue: entries in order, which are moved by a handle or by buttons.
import {call} from "./rpc.js";
import {cover} from "./cover.js";
import {h, icon, nothing, set, toast} from "./dom.js";
import {artist, time, title} from "./format.js";
import {plural, tr} from "./language.js";
import {askName, attempt, choose, choosePlaylist, favoriteButton, favoriteEntry, undo} from "./actions.js";
import {RowList} from "./list.js";
import {addScreen} from "./router.js";
import {links, markCurrent, texts, unavailable} from "./rows.js";
import {selectRow} from "./selection.js";
import {may, observe, restriction, sleepSeconds, state, tickWhilePlaying} from "./state.js";

addScreen("queue", (_, __, isRestored) => {
  const count = h("p.summary", {"aria-live": "off"});
  const list = new RowList({
    label: tr("Queue"), ordered: true,
    load: async (offset, limit) => {
      const page = await call("queue.list", {offset, limit});
      return {items: page.tracks, total: page.total, version: page.version};
    },
    row: entry => row(entry, list),
    select: {id: entry => String(entry.id), actions: severalActions},
    // An entry that has only moved keeps its row.
    key: entry => JSON.stringify({...entry, index: null}),
    mark: (element, entry) => markCurrent(element, state.status?.track?.id === entry.id),
    empty: () => nothing("queue", tr("The queue is empty."),
      may("control") && h("a.button.primary", {href: "#/library/albums"}, tr("Choose some music"))),
  });
  const {element: buttons, draw: drawButtons} = controls();
  /** The version that is shown or being read; null until the first one was read. */
  let version = null;
  let current = null;
  const showFacts = () => {
    const {queue} = state;
    count.textContent = [queue?.length ? plural("%1$d track", "%1$d tracks", queue.length) : "", sleepText()].filter(text => text).join(" · ");
  };
  const draw = () => {
    const {queue, status} = state;
    if (!queue) return;
    drawButtons(queue);
    if (version !== null && queue.version !== version) {
      version = queue.version;
      list.reload();
    }
    if (status?.track?.id !== current) {
      current = status?.track?.id;
      list.update();
    }
  };
  // The queue is read before its version arrives with the state, which takes as long.
  list.reload().then(() => {
    version = list.version;
    draw();
    if (!isRestored && state.status?.index > 5 && scrollY === 0 && list.element.isConnected) list.scrollTo(state.status.index);
  });
  const stops = [observe(draw), tickWhilePlaying(showFacts)];
  draw();
  return {
    title: tr("Queue"),
    element: h("section.queue", {}, h("header.screen", {}, h("div", {}, h("h1", {}, tr("Queue")), count), buttons), restriction("control") && h("p.hint", {}, restriction("control")), list.holder),
    close: () => { stops.forEach(stop => stop()); list.close(); },
  };
});

/** Says when the sleep timer stops playback; null if it is off. */
function sleepText() {
  const rest = sleepSeconds();
  if (rest !== null) return tr("stops in %1$s", time(rest));
  const after = state.status?.sleep?.after;
  return after ? {track: tr("stops after this track"), album: tr("stops after this album"), queue: tr("stops after the queue")}[after] : null;
}

/** The buttons above the queue. */
function controls() {
  if (!may("control")) return {element: null, draw: () => {}};
  const button = (symbol, label, run) => h("button.symbol", {type: "button", "aria-label": label, onclick: run}, icon(symbol));
  const undoButton = button("undo", tr("Undo"), () => attempt("queue.undo"));
  const shuffle = button("dice", tr("Shuffle the queue"), () => attempt("queue.shuffleNow"));
  const store = may("own") ? button("save", tr("Save as a playlist…"), save) : null;
  const clear = button("remove", tr("Clear the queue"), async () => { if (await attempt("queue.clear")) toast(tr("The queue was cleared."), undo); });
  return {
    element: h("div.buttons", {}, undoButton, shuffle, store, clear),
    draw: queue => {
      set(undoButton, {disabled: !queue.undo});
      set(shuffle, {disabled: queue.length < 3});
      for (const one of [store, clear]) if (one) set(one, {disabled: !queue.length});
    },
  };
}

function save() {
  askName(tr("Save as a playlist"), tr("Save"), async (name, close) => {
    close();
    if (await attempt("playlists.save", {name})) toast(tr("The playlist was saved."));
  });
}

/** What can be done with several entries. */
function severalActions() {
  const ids = entries => entries.map(entry => entry.id);
  return [
    {label: tr("Up next"), symbol: "insert", run: entries => attempt("queue.move", {ids: ids(entries), to: "next"})},
    ...may("own") ? [{label: tr("Playlist"), symbol: "list", run: entries => choosePlaylist(entries.map(entry => entry.uri))}] : [],
    {label: tr("Remove"), symbol: "remove", run: async entries => {
      const before = state.queue.length;
      const result = await attempt("queue.remove", {ids: ids(entries)});
      if (result) toast(plural("%1$d track was removed.", "%1$d tracks were removed.", before - result.length), undo);
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
    favoriteButton(entry.uri, entry.favorite),
    may("control") && h("button.symbol.quick", {type: "button", "aria-label": tr("Remove %1$s", name), onclick: remove}, icon("close")),
    may("control") && handle(entry, name, list, remove));
}

/** The handle that moves an entry: by dragging, by the arrow keys, or by the buttons of its dialog. */
function handle(entry, name, list, remove) {
  const move = to => attempt("queue.move", {ids: [entry.id], to: typeof to === "string" ? to : Math.max(0, Math.min(to, list.total - 1))});
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
    choose(name, [
      {label: tr("Play next"), run: () => move("next")}, {label: tr("Move up"), run: () => move(place() - 1)},
      {label: tr("Move down"), run: () => move(place() + 1)}, {label: tr("Move to the beginning"), run: () => move(0)},
      {label: tr("Move to the end"), run: () => move("end")}, {label: tr("Remove"), run: remove},
      may("own") && {label: tr("Add to a playlist…"), run: () => choosePlaylist([entry.uri])},
      favoriteEntry(button.closest("li")), {label: tr("Select several…"), run: () => selectRow(button)}, ...links(entry),
    ]);
  });
  button.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    const row = button.closest("li");
    const first = place();
    const from = event.clientY + scrollY;
    /** The number of places from the first one to where the row is held. */
    let steps = 0;
    dragged = false;
    button.setPointerCapture(event.pointerId);
    const drag = moved => {
      const distance = moved.clientY + scrollY - from;
      if (Math.abs(distance) < 8 && !dragged) return;
      dragged = true;
      row.classList.add("dragged");
      steps = Math.round(distance / list.height);
      row.style.transform = `translateY(${first * list.height + distance}px)`;
      if (moved.clientY < 90) scrollBy(0, -12);
      if (moved.clientY > innerHeight - 170) scrollBy(0, 12);
    };
    const end = () => {
      button.removeEventListener("pointermove", drag);
      row.classList.remove("dragged");
      // Others may have changed the queue meanwhile: the row goes where it was let go.
      if (row.isConnected) list.move(row, place());
      if (steps && row.isConnected) move(first + steps);
      setTimeout(() => { dragged = false; });
    };
    button.addEventListener("pointermove", drag);
    button.addEventListener("pointerup", end, {once: true});
    button.addEventListener("pointercancel", () => { steps = 0; end(); }, {once: true});
  });
  return button;
}
