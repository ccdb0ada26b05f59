// Tiles whose number is not known before the last of them was read, as in online catalogues, and shelves of tiles.
import {failed, fill, h, icon} from "./dom.js";
import {tr} from "./language.js";

/** The number of tiles that are read at once. */
const pageSize = 60;

/**
 * Tiles in columns, or beside each other on a shelf, which are read a page at a time when the end comes into view. `reload` reads
 * those that are shown again, and shows the new ones at once; tiles whose items have not changed stay. `fail` says why a shelf
 * cannot be read.
 * @param {{label: string, load: (offset: number, limit: number) => Promise<{items: any[], total: number | null}>,
 *   tile: (item: any) => HTMLElement, fail?: (error: any) => void, isShelf?: boolean, isRanked?: boolean}} options
 * @returns {{element: HTMLElement, reload: () => Promise<void>, close: () => void}}
 */
export function tiles({label, load, tile, fail, isShelf = false, isRanked = false}) {
  const list = h(isShelf ? "ul.tiles.shelf" : isRanked ? "ol.tiles.ranked" : "ul.tiles", {"aria-label": label, role: "list"});
  const end = h(isShelf ? "li.end" : "div.end", {role: isShelf ? "presentation" : null});
  let offset = 0;
  let isDone = false;
  /** The number of the reading that is going on; later ones replace it. */
  let reading = 0;
  let isReading = false;
  /** The tiles with what they were made of. @type {{key: string, element: HTMLElement}[]} */
  let shown = [];
  const show = ({items, total}, start) => {
    offset = start + items.length;
    isDone = items.length === 0 || total !== null && offset >= total;
    const known = new Map(start ? [] : shown.map(one => [one.key, one.element]));
    const added = items.map(item => {
      const key = JSON.stringify(item);
      return {key, element: known.get(key) ?? h("li", {}, tile(item))};
    });
    shown = start ? [...shown, ...added] : added;
    const elements = [...shown.map(one => one.element), ...isShelf ? [end] : []];
    const kept = new Set(elements);
    for (const child of [...list.children]) if (!kept.has(/** @type {any} */ (child))) child.remove();
    // A tile that stays in its place is not touched, so that it keeps the focus.
    elements.forEach((element, index) => { if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null); });
    fill(end, isDone && !shown.length && !isShelf && h("p.empty", {}, tr("Nothing here.")));
  };
  const read = async (start, limit) => {
    const number = ++reading;
    isReading = true;
    try {
      const page = await load(start, limit);
      if (number !== reading) return;
      show(page, start);
    } catch (error) {
      if (number !== reading) return;
      isDone = true;
      if (fail) fail(error); else fill(end, failed(error, () => read(start, limit)));
    }
    isReading = false;
    // Only changes are reported, and the end may be in view again before anybody has noticed that it was not.
    observer.unobserve(end);
    if (!isDone) observer.observe(end);
  };
  const observer = new IntersectionObserver(
    entries => { if (!isReading && !isDone && entries.some(entry => entry.isIntersecting)) read(offset, pageSize); },
    isShelf ? {root: list, rootMargin: "0px 100%"} : {rootMargin: "100%"});
  if (isShelf) list.append(end);
  observer.observe(end);
  return {
    element: isShelf ? withArrows(list) : h("div.list", {}, list, end),
    reload: () => { isDone = false; return read(0, Math.min(Math.max(offset, pageSize), 1000)); },
    close: () => { reading += 1; observer.disconnect(); },
  };
}

/** Puts arrows for a mouse at the ends of a shelf that is wider than its place. A finger or keys scroll it. */
export function withArrows(list) {
  const arrow = (name, label, direction) => h(`button.symbol.arrow.${name}`, {type: "button", tabindex: "-1", "aria-hidden": "true", title: label,
    onclick: () => list.scrollBy({left: direction * list.clientWidth * 0.8, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"})},
  icon("back"));
  const [back, on] = [arrow("before", tr("Back"), -1), arrow("after", tr("More"), 1)];
  const draw = () => {
    back.hidden = list.scrollLeft < 8;
    on.hidden = list.scrollLeft > list.scrollWidth - list.clientWidth - 8;
  };
  list.addEventListener("scroll", draw, {passive: true});
  new ResizeObserver(draw).observe(list);
  new MutationObserver(draw).observe(list, {childList: true});
  return h("div.shelf", {}, list, back, on);
}
