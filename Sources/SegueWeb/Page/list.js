// Lists of any length. Only the rows in view exist.
import {failed, fill, h, set} from "./dom.js";
import {tr} from "./language.js";
import {Scroller} from "./scroller.js";
import {Selection} from "./selection.js";

const pageLength = 100;
/** The number of pages that are kept. */
const maximumPages = 50;
/** The time in milliseconds in which at most two pages are read, as many as are in view, while the list is scrolled. */
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
   * its first letter; see `Scroller`. `select` says what can be done with several rows; see `Selection`. If `load` returns a
   * version, pages of another one are not mixed.
   * @param {{label: string, load: (offset: number, limit: number) => Promise<{items: any[], total: number, version?: any}>,
   *   row: (item: any) => HTMLElement, mark?: (element: HTMLElement, item: any) => void, key?: (item: any) => string,
   *   place?: (item: any) => string, select?: import("./selection.js").Selectable, empty?: () => Node, ordered?: boolean,
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
    /** The version that is shown, if the list has versions. */
    this.version = undefined;
    /** What is shown in place of rows. @type {Node | null} */
    this.notice = null;
    /** The rows in view by their indexes. @type {Map<number, {item: any, element: HTMLElement}>} */
    this.rows = new Map();
    /** Elements of rows that were in view before the list was read again, by their content. @type {Map<string, HTMLElement[]>} */
    this.reusable = new Map();
    this.generation = 0;
    /** The time of `performance.now()` from which on pages are counted, and the number of those that were read since. */
    this.asked = -Infinity;
    this.reads = 0;
    /** The time of `performance.now()` at which the list was scrolled. */
    this.scrolled = -Infinity;
    this.timer = 0;
    const {label, ordered, isGrid} = options;
    this.element = h(`${ordered ? "ol" : "ul"}.rows${isGrid ? ".grid" : ""}`, {"aria-label": label, role: "list"});
    this.scroller = new Scroller(this);
    this.holder = h("div.list", {}, this.element, this.scroller.element);
    this.selection = options.select ? new Selection(this, options.select) : null;
    this.update = this.update.bind(this);
    this.observer = new ResizeObserver(this.update);
    this.observer.observe(this.holder);
    this.scroll = () => {
      this.scrolled = performance.now();
      this.update();
      this.scroller.show();
    };
    addEventListener("scroll", this.scroll, {passive: true});
  }

  /** Ends the list. */
  close() {
    // An answer that arrives later is of no use.
    this.generation += 1;
    this.observer.disconnect();
    removeEventListener("scroll", this.scroll);
    clearTimeout(this.timer);
    this.scroller.close();
    this.selection?.end();
  }

  /** Reads everything in view again. What is shown stays until the new rows are there. */
  async reload() {
    const generation = ++this.generation;
    this.measure();
    const first = Math.floor(this.visible()[0] / pageLength) * pageLength;
    let shown = [];
    try {
      const {items, total, version} = await this.options.load(first, pageLength);
      if (generation !== this.generation) return;
      this.pages = new Map([[first / pageLength, items]]);
      Object.assign(this, {total, version, notice: total ? null : this.options.empty?.() ?? h("p.empty", {}, tr("Nothing here."))});
      shown = items;
    } catch (error) {
      if (generation !== this.generation) return;
      Object.assign(this, {total: 0, notice: failed(error, () => this.reload())});
      this.pages.clear();
    }
    for (const {item, element} of this.rows.values()) {
      if (item === undefined) continue;
      const key = this.options.key(item);
      this.reusable.set(key, [...this.reusable.get(key) ?? [], element]);
    }
    this.rows.clear();
    const place = this.focusedPlace();
    this.update();
    this.reusable.clear();
    this.selection?.update(shown, first, this.total);
    this.restoreFocus(place);
  }

  /** Returns the index of a row. */
  indexOf(element) { return Number(element.getAttribute("aria-posinset")) - 1; }

  /** Measures the lines, whose height depends on the size of the text. Returns whether they have changed. */
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
    if (this.notice) {
      this.element.style.height = "";
      if (!this.notice.isConnected) fill(this.element, h("li", {}, this.notice));
      return this.scroller.hide();
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
        : this.reusable.get(this.options.key(item))?.pop() ?? this.options.row(item);
      this.move(element, index);
      set(element, {"aria-setsize": this.total, "aria-posinset": index + 1});
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

  /** Returns where the focus is: the control, its row, and the place of that among those in view; null if it is elsewhere. */
  focusedPlace() {
    const control = document.activeElement;
    const row = control?.closest("li");
    return row && row.parentElement === this.element ? {control, row, place: [...this.element.children].indexOf(row)} : null;
  }

  /** Gives the focus to the row that has taken the place of a removed one. */
  restoreFocus(before) {
    if (!before || before.row.isConnected) return;
    const {control, place} = before;
    const other = this.element.children[Math.min(place, this.element.children.length - 1)];
    /** @type {HTMLElement | null} */ (other?.querySelector(`[class="${control.className}"]`) ?? other?.querySelector("button, a"))
      ?.focus({preventScroll: true});
  }

  /** Makes elements the children of the list. Those that stay are not touched, so that they keep the focus and their pictures. */
  show(elements) {
    const kept = new Set(elements);
    for (const child of [...this.element.children]) if (!kept.has(child)) child.remove();
    let next = this.element.firstElementChild;
    for (const element of elements) {
      if (element === next) next = next.nextElementSibling;
      else this.element.insertBefore(element, next);
    }
  }

  /** Returns an item; undefined if it has to be read first, which begins then. */
  item(index) {
    const page = Math.floor(index / pageLength);
    const items = this.pages.get(page);
    if (items) return items[index - page * pageLength];
    const now = performance.now();
    if (now - this.asked >= pause) Object.assign(this, {asked: now, reads: 0});
    // A list that is dragged along reads where it rests.
    const wait = this.scroller.isDragged ? this.scrolled + pause - now : 0;
    if (wait <= 0 && this.reads < 2) this.read(page); else this.updateLater(Math.max(wait, this.asked + pause - now));
    return undefined;
  }

  updateLater(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.update, delay);
  }

  /** Returns the items from `first` to before `end`. Those that are not there are read. Throws `CallError`. */
  async items(first, end) {
    const found = [];
    while (found.length < end - first) {
      const index = first + found.length;
      const page = Math.floor(index / pageLength);
      const known = this.pages.get(page);
      // A page that is being read is empty.
      const items = known?.length ? known : (await this.options.load(page * pageLength, pageLength)).items;
      const part = items.slice(index - page * pageLength, end - page * pageLength);
      if (!part.length) break;
      found.push(...part);
    }
    return found;
  }

  async read(page) {
    const generation = this.generation;
    this.reads += 1;
    if (this.pages.size >= maximumPages) this.pages.delete(this.pages.keys().next().value);
    this.pages.set(page, []);
    try {
      const {items, total, version} = await this.options.load(page * pageLength, pageLength);
      if (generation !== this.generation) return;
      this.pages.set(page, items);
      if (total !== this.total || version !== this.version) return this.reload();
      this.update();
    } catch {
      if (generation !== this.generation) return;
      // The page is read again, if it is still in view then.
      this.pages.delete(page);
      Object.assign(this, {asked: performance.now() + 2000, reads: 2});
      this.updateLater(2000 + pause);
    }
  }
}

/** A list of rows that are all there, and of which several can be selected. */
export class ShortList {
  /**
   * `before` returns what is above a row, such as the number of a disc.
   * @param {{label: string, items: any[], row: (item: any) => HTMLElement, before: (item: any, index: number) => any,
   *   select: import("./selection.js").Selectable, ordered?: boolean}} options
   */
  constructor({label, items, row, before, select, ordered}) {
    /** The rows by their indexes. @type {Map<number, {item: any, element: HTMLElement}>} */
    this.rows = new Map(items.map((item, index) => [index, {item, element: row(item)}]));
    for (const [index, {element}] of this.rows) {
      set(element, {"aria-setsize": items.length, "aria-posinset": index + 1});
    }
    this.element = h(`${ordered ? "ol" : "ul"}.rows.short`, {"aria-label": label, role: "list"},
      [...this.rows].map(([index, {item, element}]) => [before(item, index), element]));
    this.holder = h("div.list", {}, this.element);
    this.selection = new Selection(this, select);
  }

  indexOf(element) { return Number(element.getAttribute("aria-posinset")) - 1; }

  async items(first, end) { return [...this.rows.values()].slice(first, end).map(row => row.item); }
}
