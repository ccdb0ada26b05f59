// Screens and their addresses: "#/album/12" is the screen "album" with the argument "12".

/** @typedef {{title: string, element: HTMLElement, close?: () => void}} Screen */

/** @type {Map<string, (argument: string, query: URLSearchParams) => Screen>} */
const screens = new Map();

export function addScreen(name, make) { screens.set(name, make); }

/** The scroll positions of screens that were left, by the number of the entry in the history of the browser. */
const positions = new Map();
let entry = history.state?.entry ?? 0;

/** @type {Screen | null} */
let current = null;

/** Goes to an address. */
export function go(address) { location.hash = address; }

/** Returns the name of the screen that is shown. */
export function currentName() { return parse().name; }

function parse() {
  const [path, query] = (location.hash.slice(1) || "/queue").split("?");
  const [, name, ...rest] = path.split("/");
  return {name, argument: decodeURIComponent(rest.join("/")), query: new URLSearchParams(query)};
}

/**
 * Shows the screen of the address, now and whenever it changes.
 * @param {HTMLElement} place
 * @param {(screen: Screen, name: string) => void} shown
 */
export function start(place, shown) {
  const show = () => {
    positions.set(entry, scrollY);
    if (history.state?.entry === undefined) history.replaceState({entry: ++newest}, "");
    entry = history.state.entry;
    newest = Math.max(newest, entry);
    const {name, argument, query} = parse();
    const make = screens.get(name) ?? screens.get("queue");
    current?.close?.();
    current = make(argument, query);
    place.replaceChildren(current.element);
    document.title = `${current.title} – Segue`;
    shown(current, name);
    scrollTo(0, positions.get(entry) ?? 0);
    place.focus({preventScroll: true});
  };
  addEventListener("hashchange", show);
  show();
}
let newest = entry;
