// Lists of any length. Only the rows in view exist.
import {failed, fill, h} from "./dom.js";
import {tr} from "./language.js";
import {Scroller} from "./scroller.js";
import {Selection} from "./selection.js";

const pageLength = 100;
/** The number of pages that are kept. */
const maximumPages = 50;
/** The shortest time in milliseconds between two pages that are read: a list that is dragged along reads where it rests. */
const pause = 80;
/** The smallest width of a tile, and the gaps beside and below it, in pixels. */
const tile = {width: 160, gap: 16, below: 18};

/** Returns the size of the text in pixels. */
function textSize() { return parseFloat(getComputedStyle(document.documentElement).fontSize); }

/**
 * A list of rows of one height, or of tiles in columns, which are read a page at a time.
 */
export class RowList {
  /**
   * `row` creates the element of an item, and `mark` shows on it what changes without the item. A row that has moved keeps its
   * element, whose index is `indexOf(element)`.
   * Rows have the same content if their keys are equal. `place` names the place of an item in the order of the list, such as
   * its first letter, for who scrolls fast. `choose` says what can be done with several rows; see `Selection`.
   * @param {{label: string, load: (offset: number, limit: number) => Promise<{items: any[], total: number}>,
   *   row: (item: any, index: number) => HTMLElement, mark?: (element: HTMLElement, item: any) => void, key?: (item: any) => string,
   *   place?: (item: any) => string, choose?: import("./selection.js").Choice, empty?: () => Node, ordered?: boolean,
   *   isGrid?: boolean}} options
   */
  constructor(options) {
    this.options = {key: JSON.stringify, ...options};
    /** The height of a line: a row, or the tiles beside each other. The width of a tile is null for rows, which fill the list. */
    this.height = 0;
    this.columns = 1;
    /** @type {number | null} */
    this.width = null;
    /** @type {Map<number, any[]>} */
    this.pages = new Map();
    this.total = 0;
    /** The rows in view by their indexes. @type {Map<number, {item: any, element: HTMLElement}>} */
    this.rows = new Map();
    /** Elements of rows that were in view before the list was read again, by their content. @type {Map<string, HTMLElement[]>} */
    this.reusable = new Map();
    this.generation = 0;
    /** The time of `performance.now()` at which a page was read. */
    this.asked = -Infinity;
    this.timer = 0;
    const {label, ordered, isGrid} = options;
    this.element = h(`${ordered ? "ol" : "ul"}.rows${isGrid ? ".grid" : ""}`, {"aria-label": label, role: "list"});
    this.scroller = new Scroller(this);
    this.holder = h("div.list", {}, this.element, this.scroller.element);
    this.selection = options.choose ? new Selection(this, options.choose) : null;
    this.update = this.update.bind(this);
    this.observer = new ResizeObserver(this.update);
    this.observer.observe(this.holder);
    addEventListener("scroll", this.update, {passive: true});
  }

  /** Ends the list. */
  close() {
    this.observer.disconnect();
    removeEventListener("scroll", this.update);
    clearTimeout(this.timer);
    this.scroller.close();
    this.selection?.end();
  }

  /** Reads everything in view again. What is shown stays until the new rows are there. */
  async reload() {
    const generation = ++this.generation;
    this.measure();
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

  /** Measures the lines, whose height depends on the size of the text. Returns whether it is another one than before. */
  measure() {
    const before = `${this.height} ${this.columns} ${this.width}`;
    if (this.options.isGrid) {
      const whole = this.element.clientWidth || innerWidth;
      this.columns = Math.max(2, Math.floor((whole + tile.gap) / (tile.width + tile.gap)));
      this.width = Math.floor((whole - tile.gap * (this.columns - 1)) / this.columns);
      // The cover, a gap, and three lines of text.
      this.height = this.width + 8 + Math.ceil(4 * textSize()) + tile.below;
    } else {
      this.height = Math.round(3.75 * textSize());
    }
    return before !== `${this.height} ${this.columns} ${this.width}`;
  }

  /** The number of lines. */
  get lines() { return Math.ceil(this.total / this.columns); }

  /** Scrolls so that a row is in the middle. */
  scrollTo(index) {
    const line = Math.floor(index / this.columns);
    scrollTo(0, this.element.getBoundingClientRect().top + scrollY + (line + 0.5) * this.height - innerHeight / 2);
  }

  /** Returns the first row in view and the one after the last. */
  visible() {
    const top = -this.element.getBoundingClientRect().top;
    const ahead = Math.ceil(480 / this.height);
    const first = Math.max(0, Math.floor(top / this.height) - ahead);
    const end = first + Math.ceil(innerHeight / this.height) + 2 * ahead;
    return [Math.min(this.total, first * this.columns), Math.min(this.total, end * this.columns)];
  }

  update() {
    if (this.measure()) this.rows.clear();
    if (this.failure || this.total === 0 && this.pages.size) {
      const text = this.failure ? failed(this.failure, () => this.reload()) : this.options.empty?.() ?? tr("Nothing here.");
      this.element.style.height = "";
      return fill(this.element, h("li", {}, typeof text === "string" ? h("p.empty", {}, text) : text));
    }
    this.element.style.height = `${this.lines * this.height}px`;
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
      this.move(element, index);
      element.setAttribute("aria-setsize", this.total);
      element.setAttribute("aria-posinset", index + 1);
      shown.set(index, {item, element});
    }
    this.rows = shown;
    for (const [index, {item, element}] of shown) {
      if (item === undefined) continue;
      this.options.mark?.(element, item);
      this.selection?.mark(element, item, index);
    }
    this.show([...shown.values()].map(row => row.element));
    this.scroller.update();
  }

  /** Puts the element of a row into its place. */
  move(element, index) {
    const [line, column] = [Math.floor(index / this.columns), index % this.columns];
    const left = this.width === null ? "" : `${column * (this.width + tile.gap)}px, `;
    element.style.transform = left ? `translate(${left}${line * this.height}px)` : `translateY(${line * this.height}px)`;
    element.style.height = `${this.height - (this.width === null ? 0 : tile.below)}px`;
    if (this.width !== null) element.style.width = `${this.width}px`;
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
    if (performance.now() - this.asked >= pause) this.read(page);
    else this.timer ||= setTimeout(() => { this.timer = 0; this.update(); }, pause);
    return undefined;
  }

  async read(page) {
    const generation = this.generation;
    this.asked = performance.now();
    if (this.pages.size >= maximumPages) this.pages.delete(this.pages.keys().next().value);
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
