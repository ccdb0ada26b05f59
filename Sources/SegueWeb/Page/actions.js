// What can be done with tracks, albums and other items. A failure is shown, and nothing is lost.
import {call} from "./rpc.js";
import {dialog, h, toast} from "./dom.js";
import {message} from "./format.js";
import {plural, tr} from "./language.js";
import {may} from "./state.js";

/** Calls a method and shows an error. Returns the result; undefined after an error. */
export async function attempt(method, params) {
  try {
    return await call(method, params);
  } catch (error) {
    toast(message(error));
    return undefined;
  }
}

const undo = {label: tr("Undo"), run: () => attempt("queue.undo")};

/**
 * Plays items now: they replace the queue, which can be undone. `first` is the URI of the track that is played; the others
 * follow it.
 */
export async function playNow(uris, first = "") {
  const result = await attempt("queue.replace", {uris, play: first});
  if (result === undefined) return;
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

export async function add(uris, at) {
  const result = await attempt("queue.add", at ? {uris, at} : {uris});
  if (result === undefined) return;
  const count = result.addedTotal;
  if (count) return toast(plural("%1$d track was added.", "%1$d tracks were added.", count), undo);
  toast(result.alreadyQueued ? tr("This is in the queue already.") : refusal(result));
}

/** Makes an item a favorite, or makes it none. Returns whether it is one now. */
export async function toggleFavorite(uri, isFavorite) {
  const result = await attempt(isFavorite ? "favorites.remove" : "favorites.add", {uris: [uri]});
  if (result === undefined) return isFavorite;
  toast(isFavorite ? tr("Removed from the favorites.") : tr("Added to the favorites."));
  return !isFavorite;
}

/** A button that shows whether an item is a favorite, and changes that. */
export function favoriteButton(uri, isFavorite, drawIcon) {
  let isOn = isFavorite;
  const button = h("button.symbol.favorite", {type: "button", "aria-label": tr("Favorite"), disabled: !may("control")});
  const draw = () => { button.setAttribute("aria-pressed", isOn); button.replaceChildren(drawIcon(isOn ? "heart" : "heartEmpty")); };
  button.addEventListener("click", async event => {
    event.stopPropagation();
    isOn = await toggleFavorite(uri, isOn);
    draw();
  });
  draw();
  return button;
}

/**
 * Shows what can be done with an item.
 * @param {{title: string, uris: string[], play?: () => void, favorite?: boolean, extra?: {label: string, run: () => void}[]}} item
 */
export function menu({title, uris, play = () => playNow(uris), favorite, extra = []}) {
  const entries = [
    may("control") && {label: tr("Play now"), run: play},
    may("control") && {label: tr("Play next"), run: () => add(uris, "next")},
    may("control") && {label: tr("Add to the queue"), run: () => add(uris, "end")},
    may("own") && {label: tr("Add to a playlist…"), run: () => choosePlaylist(uris)},
    may("control") && favorite !== undefined && {
      label: favorite ? tr("Remove from the favorites") : tr("Add to the favorites"), run: () => toggleFavorite(uris[0], favorite),
    },
    ...extra,
  ].filter(entry => entry);
  const shown = dialog(title, tr("Close"), h("ul.menu", {}, entries.map(entry => h("li", {},
    h("button", {type: "button", onclick: () => { shown.close(); entry.run(); }}, entry.label)))));
}

/** What can be done with several items. */
export function actionsFor(uris) {
  return [
    {label: tr("Play"), symbol: "play", run: () => playNow(uris)},
    {label: tr("Next"), symbol: "insert", run: () => add(uris, "next")},
    {label: tr("Add"), symbol: "add", run: () => add(uris, "end")},
    ...may("own") ? [{label: tr("Playlist"), symbol: "list", run: () => choosePlaylist(uris)}] : [],
  ];
}

/** Adds items to a playlist, which the person chooses or creates. */
export async function choosePlaylist(uris) {
  const result = await attempt("playlists.list", {limit: 1000});
  if (result === undefined) return;
  const name = h("input", {type: "text", maxlength: 200, "aria-label": tr("Name of a new playlist"), placeholder: tr("New playlist")});
  const save = async (method, playlist) => {
    shown.close();
    const saved = await attempt(method, {name: playlist, uris});
    if (saved) toast(tr("Added to %1$s.", playlist));
  };
  const form = h("form.line", {onsubmit: event => {
    event.preventDefault();
    if (name.value.trim()) save("playlists.save", name.value.trim());
  }}, name, h("button.primary", {}, tr("Create")));
  const shown = dialog(tr("Add to a playlist"), tr("Close"), form, h("ul.menu", {}, result.playlists.map(playlist => h("li", {},
    h("button", {type: "button", onclick: () => save("playlists.add", playlist.name)}, playlist.name)))));
}
