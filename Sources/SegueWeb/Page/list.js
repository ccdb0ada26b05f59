// Lists of any length. Only the rows in view exist.
import {fill, h, nothing} from "./dom.js";
import {message} from "./format.js";
import {tr} from "./language.js";

const pageLength = 100;

/** Returns the height of a row in pixels, which depends on the size of the text. */
function rowHeight() { return Math.round(3.75 * parseFloat(getComputedStyle(document.documentElement).fontSize)); }

/** Says why a list cannot be shown, with a button that tries it again. */
function failed(error, retry) {
  return nothing("warning", message(error), h("button", {type: "button", onclick: retry}, tr("Try again")));
}

/**
 * A list of rows of one height, which are read a page at a time.
 */
export class RowList {
  /**
   * `row` creates the element of an item, and `mark` shows on it what changes without the item. A row that has moved keeps its
   * element, whose index is `indexOf(element)`.
   * Rows have the same content if their keys are equal.
   * @param {{label: string, load: (offset: number, limit: number) => Promise<{items: any[], total: number}>,
   *   row: (item: any, index: number) => HTMLElement, mark?: (element: HTMLElement, item: any) => void, key?: (item: any) => string,
   *   empty?: () => Node, ordered?: boolean}} options
   */
  constructor(options) {
    this.options = {key: JSON.stringify, ...options};
    this.height = rowHeight();
    /** @type {Map<number, any[]>} */
    this.pages = new Map();
    this.total = 0;
    /** The rows in view by their indexes. @type {Map<number, {item: any, element: HTMLElement}>} */
    this.rows = new Map();
    /** Elements of rows that were in view before the list was read again, by their content. @type {Map<string, HTMLElement[]>} */
    this.reusable = new Map();
    this.generation = 0;
    this.element = h(options.ordered ? "ol.rows" : "ul.rows", {"aria-label": options.label, role: "list"});
    this.holder = h("div.list", {}, this.element);
    this.update = this.update.bind(this);
    this.observer = new ResizeObserver(this.update);
    this.observer.observe(this.holder);
    addEventListener("scroll", this.update, {passive: true});
  }

  /** Ends the list. */
  close() {
    this.observer.disconnect();
    removeEventListener("scroll", this.update);
  }

  /** Reads everything in view again. What is shown stays until the new rows are there. */
  async reload() {
    const generation = ++this.generation;
    const first = Math.floor(this.visible()[0] / pageLength) * pageLength;
    try {
      const {items, total} = await this.options.load(first, pageLength);
      if (generation !== this.generation) return;
      this.pages = new Map([[first / pageLength, items]]);
      this.total = total;
      this.failure = null;
    } catch (error) {
      if (generation !== this.generation) return;
      this.failure = error;
      this.total = 0;
      this.pages.clear();
    }
    for (const {item, element} of this.rows.values()) {
      if (item === undefined) continue;
      const key = this.options.key(item);
      this.reusable.set(key, [...this.reusable.get(key) ?? [], element]);
    }
    this.rows.clear();
    this.update();
    this.reusable.clear();
  }

  /** Returns the index of a row. */
  indexOf(element) { return Number(element.getAttribute("aria-posinset")) - 1; }

  /** Scrolls so that a row is in the middle. */
  scrollTo(index) {
    scrollTo(0, this.element.getBoundingClientRect().top + scrollY + (index + 0.5) * this.height - innerHeight / 2);
  }

  /** Returns the first row in view and the one after the last. */
  visible() {
    const top = -this.element.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / this.height) - 8);
    return [first, Math.min(this.total, first + Math.ceil(innerHeight / this.height) + 16)];
  }

  update() {
    const height = rowHeight();
    if (height !== this.height) this.rows.clear();
    this.height = height;
    if (this.failure || this.total === 0 && this.pages.size) {
      const text = this.failure ? failed(this.failure, () => this.reload()) : this.options.empty?.() ?? tr("Nothing here.");
      this.element.style.height = "";
      return fill(this.element, h("li", {}, typeof text === "string" ? h("p.empty", {}, text) : text));
    }
    this.element.style.height = `${this.total * this.height}px`;
    const [first, end] = this.visible();
    const shown = new Map();
    for (let index = first; index < end; index += 1) {
      const item = this.item(index);
      const known = this.rows.get(index);
      if (known && known.item === item) {
        shown.set(index, known);
        continue;
      }
      const element = item === undefined ? h("li.row.pending")
        : this.reusable.get(this.options.key(item))?.pop() ?? this.options.row(item, index);
      element.style.transform = `translateY(${index * this.height}px)`;
      element.style.height = `${this.height}px`;
      element.setAttribute("aria-setsize", this.total);
      element.setAttribute("aria-posinset", index + 1);
      shown.set(index, {item, element});
    }
    this.rows = shown;
    for (const {item, element} of shown.values()) if (item !== undefined) this.options.mark?.(element, item);
    this.show([...shown.values()].map(row => row.element));
  }

  /** Makes elements the children of the list. Those that stay are not touched, so that they keep the focus and their pictures. */
  show(elements) {
    const focused = document.activeElement;
    const row = focused?.closest("li");
    const place = row ? [...this.element.children].indexOf(row) : -1;
    const kept = new Set(elements);
    for (const child of [...this.element.children]) if (!kept.has(child)) child.remove();
    let next = this.element.firstElementChild;
    for (const element of elements) {
      if (element === next) next = next.nextElementSibling;
      else this.element.insertBefore(element, next);
    }
    if (place < 0 || row.isConnected) return;
    // The row that has taken the place of a removed one gets the focus.
    const other = this.element.children[Math.min(place, elements.length - 1)];
    /** @type {HTMLElement | null} */ (other?.querySelector(`[class="${focused.className}"]`) ?? other?.querySelector("button, a"))
      ?.focus({preventScroll: true});
  }

  item(index) {
    const page = Math.floor(index / pageLength);
    const items = this.pages.get(page);
    if (items) return items[index - page * pageLength];
    this.read(page);
    return undefined;
  }

  async read(page) {
    const generation = this.generation;
    this.pages.set(page, []);
    try {
      const {items, total} = await this.options.load(page * pageLength, pageLength);
      if (generation !== this.generation) return;
      this.pages.set(page, items);
      if (total !== this.total) return this.reload();
    } catch {
      // The page is read again when it comes into view again.
      if (generation === this.generation) setTimeout(() => this.pages.delete(page), 2000);
      return;
    }
    this.update();
  }
}

/**
 * Tiles in columns, which are read a page at a time when the end comes into view. `reload` reads those that are shown again,
 * and shows the new ones at once, so that nothing moves that has not changed.
 * @param {{label: string, load: (offset: number, limit: number) => Promise<{items: any[], total: number | null}>,
 *   tile: (item: any) => HTMLElement, empty?: () => Node}} options
 * @returns {{element: HTMLElement, reload: () => Promise<void>, close: () => void}}
 */
export function tiles({label, load, tile, empty}) {
  const list = h("ul.tiles", {"aria-label": label, role: "list"});
  const end = h("div.end");
  let offset = 0;
  let isDone = false;
  /** The number of the reading that is going on; later ones replace it. */
  let reading = 0;
  let isReading = false;
  const show = ({items, total}, shown) => {
    offset = shown + items.length;
    isDone = items.length === 0 || total !== null && offset >= total;
    const elements = items.map(item => h("li", {}, tile(item)));
    if (shown) list.append(...elements); else list.replaceChildren(...elements);
    fill(end, isDone && !list.children.length && (empty?.() ?? h("p.empty", {}, tr("Nothing here."))));
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
      fill(end, failed(error, () => read(start, limit)));
    }
    isReading = false;
    // Only changes are reported, and the end may be in view again before anybody has noticed that it was not.
    observer.unobserve(end);
    if (!isDone) observer.observe(end);
  };
  const observer = new IntersectionObserver(
    entries => { if (!isReading && !isDone && entries.some(entry => entry.isIntersecting)) read(offset, pageSize); },
    {rootMargin: "100%"});
  observer.observe(end);
  return {
    element: h("div.list", {}, list, end),
    reload: () => { isDone = false; return read(0, Math.min(Math.max(offset, pageSize), 1000)); },
    close: () => { reading += 1; observer.disconnect(); },
  };
}

/** The number of tiles that are read at once. */
const pageSize = 60;
