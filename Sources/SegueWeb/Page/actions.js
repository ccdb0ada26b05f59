// What can be done with tracks, albums and other items. A failure is shown, and nothing is lost.
import {call} from "./rpc.js";
import {dialog, h, icon, toast} from "./dom.js";
import {message} from "./format.js";
import {plural, tr} from "./language.js";
import {may} from "./state.js";

/**
 * Calls a method and shows an error. Returns the result; undefined after an error. If the gateway demands a pause, the call waits
 * for it at most `pauses` times.
 */
export async function attempt(method, params, pauses = 0) {
  for (let count = 0; ; count += 1) {
    try {
      return await call(method, params);
    } catch (error) {
      if (error.kind !== "rate_limited" || count === pauses) {
        toast(message(error));
        return undefined;
      }
      await new Promise(done => setTimeout(done, 1000 * (error.retryAfter ?? 1)));
    }
  }
}

/** Takes the last change of the queue back. */
export const undo = {label: tr("Undo"), run: () => attempt("queue.undo")};

/** The length of the URIs in one call. The gateway takes 64 KiB, and escapes in JSON are longer. */
const maximumLength = 40 << 10;

/** Divides URIs among several calls. */
function parts(uris) {
  const found = [[]];
  let length = 0;
  for (const uri of uris) {
    if (length + uri.length > maximumLength && length) {
      found.push([]);
      length = 0;
    }
    found[found.length - 1].push(uri);
    length += uri.length;
  }
  return found;
}

/** Makes one of several long calls, between which the gateway demands pauses. */
function attemptPart(method, params) { return attempt(method, params, 9); }

/** Returns the number that makes one step of "Undo" of several calls; undefined for one call. */
function commandFor(calls) { return calls.length > 1 ? Math.floor(Math.random() * 2 ** 31) : undefined; }

/**
 * Plays items now: they replace the queue, which can be undone. `first` is the URI of the track that is played; the others
 * follow it.
 */
export async function playNow(uris, first = "") {
  const calls = parts(uris);
  const command = commandFor(calls);
  const result = await attempt("queue.replace", {uris: calls[0], play: first, command});
  if (result === undefined) return;
  for (const part of calls.slice(1)) if (!await attemptPart("queue.add", {uris: part, at: "end", command})) return;
  if (result.addedTotal) toast(tr("The queue was replaced."), undo); else toast(refusal(result));
}

/** Plays items now, in random order. */
export async function playShuffled(uris) {
  if (await attempt("queue.replace", {uris}) === undefined) return;
  if (await attempt("queue.shuffleNow") && await attempt("play", {index: 0})) toast(tr("The queue was replaced."), undo);
}

/** Plays a track now. The queue goes on after it. */
export async function playTrack(uri) {
  if (await attempt("play", {uri}) !== undefined) toast(tr("The queue goes on after this track."), undo);
}

/** Why nothing was added. */
function refusal(result) {
  const [failure] = result.failed;
  return failure ? message(failure) : tr("There is nothing in it that can be played.");
}

/** Adds items to the queue: at its end, or after the current track ("next"). */
export async function add(uris, at) {
  const calls = parts(uris);
  const command = commandFor(calls);
  // Each part is added before the one that was added before it.
  if (at === "next") calls.reverse();
  const results = [];
  for (const part of calls) {
    const result = await attemptPart("queue.add", {uris: part, at, command});
    if (result === undefined) return;
    results.push(result);
  }
  const count = results.reduce((sum, result) => sum + result.addedTotal, 0);
  if (count) return toast(plural("%1$d track was added.", "%1$d tracks were added.", count), undo);
  toast(results[0].alreadyQueued ? tr("This is in the queue already.") : refusal(results[0]));
}

/** Makes an item a favorite, or makes it none. Returns whether it is one now. */
async function toggleFavorite(uri, isFavorite) {
  const result = await attempt(isFavorite ? "favorites.remove" : "favorites.add", {uris: [uri]});
  if (result === undefined) return isFavorite;
  toast(isFavorite ? tr("Removed from the favorites.") : tr("Added to the favorites."));
  return !isFavorite;
}

/** A button that shows whether an item is a favorite, and changes that. */
export function favoriteButton(uri, isFavorite) {
  let isOn = isFavorite;
  const button = h("button.symbol.favorite", {type: "button", "aria-label": tr("Favorite"), disabled: !may("control")});
  const draw = () => { button.setAttribute("aria-pressed", String(isOn)); button.replaceChildren(icon(isOn ? "heart" : "heartEmpty")); };
  button.addEventListener("click", async event => {
    event.stopPropagation();
    isOn = await toggleFavorite(uri, isOn);
    draw();
  });
  draw();
  return button;
}

/** Asks for a name. `run` is called with it and with a function that closes the dialog. */
export function askName(heading, action, run, value = "") {
  const name = h("input", {type: "text", value, maxlength: 200, required: true, "aria-label": tr("Name")});
  const shown = dialog(heading, tr("Close"), h("form.line", {onsubmit: event => {
    event.preventDefault();
    run(name.value.trim(), () => shown.close());
  }}, name, h("button.primary", {}, action)));
}

/** Shows entries of a menu; null and false are left out. @param {(false | null | {label: string, run: () => void})[]} entries */
export function choose(title, entries) {
  const shown = dialog(title, tr("Close"), h("ul.menu", {}, entries.map(entry => entry && h("li", {},
    h("button", {type: "button", onclick: () => { shown.close(); entry.run(); }}, entry.label)))));
}

/** An entry that makes an item a favorite or none, by the button in its row, which knows whether it is one; null without rights. */
export function favoriteEntry(row) {
  const button = /** @type {HTMLElement | null | undefined} */ (row?.querySelector(".favorite"));
  if (!button || !may("control")) return null;
  const isOn = button.getAttribute("aria-pressed") === "true";
  return {label: isOn ? tr("Remove from the favorites") : tr("Add to the favorites"), run: () => button.click()};
}

/**
 * Returns what can be done with an item, for a menu.
 * @param {{uris: string[], play?: () => void}} item
 */
export function itemEntries({uris, play = () => playNow(uris)}) {
  return [
    may("control") && {label: tr("Play now"), run: play},
    may("control") && {label: tr("Play next"), run: () => add(uris, "next")},
    may("control") && {label: tr("Add to the queue"), run: () => add(uris, "end")},
    may("own") && {label: tr("Add to a playlist…"), run: () => choosePlaylist(uris)},
  ];
}

/**
 * What can be done with several items.
 * @param {(item: any) => string} uri Returns the URI of an item.
 */
export function actionsFor(uri) {
  const uris = items => items.map(uri);
  return [
    {label: tr("Play"), symbol: "play", run: items => playNow(uris(items))},
    {label: tr("Up next"), symbol: "insert", run: items => add(uris(items), "next")},
    {label: tr("Add"), symbol: "add", run: items => add(uris(items), "end")},
    ...may("own") ? [{label: tr("Playlist"), symbol: "list", run: items => choosePlaylist(uris(items))}] : [],
  ];
}

/** Removes entries from a playlist. The last ones are removed first, so that the indices of the others stay right. */
export async function removeFromPlaylist(name, indices, uris) {
  let end = uris.length;
  for (const part of parts([...uris].reverse())) {
    const begin = end - part.length;
    if (!await attemptPart("playlists.remove", {name, indices: indices.slice(begin, end), uris: uris.slice(begin, end)})) return;
    end = begin;
  }
}

/** Adds items to a playlist, which the person chooses or creates. What is typed as a name also finds the playlist. */
export async function choosePlaylist(uris) {
  const result = await attempt("playlists.list", {limit: 1000});
  if (result === undefined) return;
  const name = h("input", {type: "text", maxlength: 200, required: true, autocomplete: "off", "aria-label": tr("Name of a new playlist"), placeholder: tr("New playlist")});
  const save = async playlist => {
    shown.close();
    // A playlist that does not exist is created.
    for (const part of parts(uris)) if (!await attemptPart("playlists.add", {name: playlist, uris: part})) return;
    toast(tr("Added to %1$s.", playlist));
  };
  const form = h("form.line", {onsubmit: event => {
    event.preventDefault();
    if (name.value.trim()) save(name.value.trim());
  }}, name, h("button.primary", {}, tr("Create")));
  const entries = result.playlists.map(playlist => h("li", {},
    h("button", {type: "button", onclick: () => save(playlist.name)}, playlist.name)));
  name.addEventListener("input", () => {
    const words = name.value.trim().toLowerCase();
    for (const entry of entries) entry.hidden = !entry.textContent.toLowerCase().includes(words);
  });
  const shown = dialog(tr("Add to a playlist"), tr("Close"), form, h("ul.menu", {}, entries));
}
