// Screens and their addresses: "#/album/12" is the screen "album" with the argument "12".

import {readable} from "./format.js";

/** @typedef {{title: string, element: HTMLElement, close?: () => void}} Screen */

/** @type {Map<string, (argument: string, query: URLSearchParams, isRestored: boolean) => Screen>} */
const screens = new Map();

/** `make` creates the screen; `isRestored` says whether it was left before, and is shown at the same scroll position again. */
export function addScreen(name, make) { screens.set(name, make); }

/** Goes back to the screen before, or to another one if this is the first. */
export function goBack(otherwise) { if (entry > 1) history.back(); else go(otherwise); }

/** The scroll positions of screens that were left, by the number of the entry in the history of the browser. */
const positions = new Map();
let entry = history.state?.entry ?? 0;

/** @type {Screen | null} */
let current = null;

/** Goes to an address. */
export function go(address) { location.hash = address; }

function parse() {
  const [path, query] = (location.hash.slice(1) || "/queue").split("?");
  const [, name, ...rest] = path.split("/");
  return {name, argument: readable(rest.join("/")), query: new URLSearchParams(query)};
}

/**
 * Shows the screen of the address, now and whenever it changes.
 * @param {HTMLElement} place
 * @param {(name: string, argument: string) => void} shown
 */
export function start(place, shown) {
  const show = () => {
    if (current) positions.set(entry, scrollY);
    if (history.state?.entry === undefined) history.replaceState({entry: ++newest}, "");
    entry = history.state.entry;
    newest = Math.max(newest, entry);
    const {name, argument, query} = parse();
    const make = screens.get(name) ?? screens.get("queue");
    current?.close?.();
    current = make(argument, query, positions.has(entry));
    place.replaceChildren(current.element);
    document.title = `${current.title} – Segue`;
    shown(name, argument);
    scrollBack(place, positions.get(entry) ?? 0);
    place.focus({preventScroll: true});
  };
  history.scrollRestoration = "manual";
  addEventListener("hashchange", show);
  show();
}
let newest = entry;

/** Ends the waiting for the content of the screen before. */
let stopWaiting = () => {};

/** Scrolls to where a screen was left, as soon as its content is there, unless the person scrolls first. */
function scrollBack(place, target) {
  stopWaiting();
  scrollTo(0, target);
  if (scrollY >= target - 1) return;
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight < target + innerHeight) return;
    stopWaiting();
    scrollTo(0, target);
  });
  const events = ["wheel", "touchstart", "keydown", "pointerdown"];
  stopWaiting = () => {
    observer.disconnect();
    for (const name of events) removeEventListener(name, stopWaiting);
    stopWaiting = () => {};
  };
  for (const name of events) addEventListener(name, stopWaiting, {passive: true});
  observer.observe(place);
}
