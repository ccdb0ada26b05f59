// Covers. Those that the daemon has not found yet are looked for when they come into view, a few at a time.
import {call} from "./rpc.js";
import {h} from "./dom.js";

/** The addresses of covers by the URIs of what they belong to; null if there is none. @type {Map<string, string | null>} */
const found = new Map();
const maximumFound = 2000;

/** @type {(() => Promise<void>)[]} */
const waiting = [];
let running = 0;

function work() {
  while (running < 4 && waiting.length) {
    running += 1;
    // What came into view last is what the person looks at.
    waiting.pop()().finally(() => { running -= 1; work(); });
  }
}

/** Returns the address of a picture in the cache of the daemon; null for another picture. */
export function address(uri) {
  const match = /\/([0-9a-f]{2}\/[0-9a-z.-]+)$/.exec(uri ?? "");
  return uri?.startsWith("file:") && match ? `/art/${match[1]}` : null;
}

/** The time in milliseconds that a cover stays in view before it is looked for: a list that scrolls asks for nothing. */
const patience = 150;

const observer = new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries) {
    const place = /** @type {any} */ (target);
    clearTimeout(place.timer);
    if (isIntersecting) place.timer = setTimeout(() => { if (place.isConnected) place.find(); }, patience);
  }
}, {rootMargin: "200px"});

/** Returns what the songs of an album in a folder have in common, for which one cover is looked for. */
function group(uri, name) { return uri.startsWith("file:") ? `${uri.slice(0, uri.lastIndexOf("/"))} ${name}` : uri; }

/**
 * Creates a cover, which is decoration: the text beside it says what it is.
 * @param {{uri: string, art: string | null | undefined, name: string, size?: string}} item
 */
export function cover({uri, art, name, size = "small"}) {
  const shown = h("div.cover", {"aria-hidden": "true"}, h("span", {}, initial(name)));
  const key = `${size} ${group(uri, name)}`;
  const known = address(art) ?? found.get(key);
  if (known) show(shown, known);
  else if (known === undefined || known === null && !found.has(key)) {
    shown.find = () => {
      observer.unobserve(shown);
      // Another one of the album may have been found meanwhile.
      if (found.has(key)) return found.get(key) && show(shown, found.get(key));
      waiting.push(() => call("art", {uri, size}).then(
        result => { remember(key, address(result.uri)); if (found.get(key)) show(shown, found.get(key)); },
        error => { if (error.kind === "not_found" || error.kind === "denied") remember(key, null); }));
      work();
    };
    observer.observe(shown);
  }
  return shown;
}

function remember(key, value) {
  if (found.size >= maximumFound) found.delete(found.keys().next().value);
  found.set(key, value);
}

function show(place, source) {
  const picture = h("img", {src: source, alt: "", loading: "lazy", decoding: "async"});
  picture.addEventListener("load", () => place.classList.add("loaded"));
  picture.addEventListener("error", () => picture.remove());
  place.append(picture);
}

function initial(name) { return [...(name ?? "").trim()][0]?.toUpperCase() ?? "♪"; }
