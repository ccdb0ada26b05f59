// The selection of several rows of a list, and what is done with them.
import {h, icon, set, toast} from "./dom.js";
import {message} from "./format.js";
import {tr} from "./language.js";
import {may} from "./state.js";

/** The largest number of rows that can be selected. */
const maximum = 1000;
/** The time in milliseconds after which a finger that rests on a row selects it. */
const patience = 500;

/**
 * What can be selected in a list. `id` is what an item is known by after the list was read again; if it contains the index, the
 * selection ends when the list changes. The actions are for the selected items, in the order of the list.
 * @typedef {{id: (item: any, index: number) => string, hasIndex?: boolean,
 *   actions: () => {label: string, symbol: any, run: (items: any[], indices: number[]) => void}[]}} Selectable
 */

/**
 * The selected rows of a list. It begins with a finger that rests on a row, a click with Control, the menu of a row, or `begin`.
 * From then on, a tap selects a row, or removes it from the selection. Escape ends it.
 */
export class Selection {
  /**
   * @param {import("./list.js").RowList | import("./list.js").ShortList} list
   * @param {Selectable} selectable
   */
  constructor(list, selectable) {
    this.list = list;
    this.selectable = selectable;
    this.isActive = false;
    /** The selected items by their ids. @type {Map<string, {item: any, index: number}>} */
    this.selected = new Map();
    /** The index of the row that was selected last. @type {number | null} */
    this.last = null;
    /** Whether the click that follows a long press has to be ignored. */
    this.skipsClick = false;
    this.stopWaiting = () => {};
    this.count = h("p", {role: "status"});
    this.actions = h("div.actions");
    this.bar = h("div.selection", {role: "group", "aria-label": tr("Selection")},
      h("button.symbol", {type: "button", "aria-label": tr("Clear the selection"), onclick: () => this.end()}, icon("close")), this.count, this.actions);
    this.handleKey = event => { if (event.key === "Escape" && !document.querySelector("dialog[open]")) this.end(); };
    if (!may("control")) return;
    const {element} = list;
    element.classList.add("selectable");
    element.addEventListener("select-row", event => this.toggle(/** @type {Element} */ (event.target).closest("li")));
    element.addEventListener("click", event => this.click(event), {capture: true});
    element.addEventListener("pointerdown", event => this.wait(event));
    element.addEventListener("contextmenu", event => { if (event.pointerType === "touch") event.preventDefault(); });
  }

  /** Begins without a row. */
  begin() {
    this.isActive = true;
    this.draw();
  }

  /** Selects a row if a finger rests on it. */
  wait(event) {
    this.stopWaiting();
    this.skipsClick = false;
    const row = event.target.closest("li[aria-posinset]");
    if (event.pointerType !== "touch" || !row || event.target.closest(".handle")) return;
    const {pointerId, clientX, clientY} = event;
    const timer = setTimeout(() => {
      removeEventListener("pointermove", move);
      this.skipsClick = true;
      this.toggle(row);
    }, patience);
    const move = moved => { if (moved.pointerId === pointerId && Math.hypot(moved.clientX - clientX, moved.clientY - clientY) > 10) this.stopWaiting(); };
    const end = ended => {
      if (ended.pointerId !== pointerId) return;
      this.stopWaiting();
      // The click follows at once, in browsers that send one.
      setTimeout(() => { this.skipsClick = false; }, 50);
    };
    addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end);
    this.stopWaiting = () => {
      clearTimeout(timer);
      removeEventListener("pointermove", move);
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, end);
      this.stopWaiting = () => {};
    };
  }

  click(event) {
    const row = event.target.closest("li[aria-posinset]");
    // A link is opened in another tab by a click with Control.
    const begins = (event.ctrlKey || event.metaKey) && !event.target.closest("a");
    if (!row || !this.isActive && !begins && !this.skipsClick) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.skipsClick) this.skipsClick = false;
    else if (event.shiftKey && this.last !== null) this.selectRange(this.last, this.list.indexOf(row));
    else this.toggle(row);
  }

  /** Selects a row, or removes it from the selection. Without any, the selection ends. */
  toggle(row) {
    const index = this.list.indexOf(row);
    const item = this.list.rows.get(index)?.item;
    if (item === undefined) return;
    const id = this.selectable.id(item, index);
    if (!this.selected.delete(id)) this.add(item, index);
    this.last = index;
    if (!this.selected.size) return this.end();
    this.isActive = true;
    this.draw();
    // The button of a menu that was open is hidden now.
    if (!row.contains(document.activeElement) || document.activeElement?.closest(".main, .tile") === null) main(row)?.focus({preventScroll: true});
  }

  /** Selects the rows between two, which are read if they are not there. */
  async selectRange(from, to) {
    const [first, end] = [Math.min(from, to), Math.min(Math.max(from, to) + 1, Math.min(from, to) + maximum)];
    this.last = to;
    try {
      const items = await this.list.items(first, end);
      if (!this.isActive) return;
      items.every((item, index) => this.add(item, first + index));
      this.draw();
    } catch (error) {
      toast(message(error));
    }
  }

  /** Selects an item. Returns false if there are too many, and says so. */
  add(item, index) {
    const id = this.selectable.id(item, index);
    if (this.selected.size >= maximum && !this.selected.has(id)) {
      toast(tr("At most %1$s rows can be selected.", maximum));
      return false;
    }
    this.selected.set(id, {item, index});
    return true;
  }

  /** Follows a list of `total` items that was read again: `items` are those from `first` on. What is not among them any more has left. */
  update(items, first, total) {
    if (!this.isActive) return;
    if (this.selectable.hasIndex) return this.end();
    const present = new Set(items.map((item, index) => this.selectable.id(item, first + index)));
    const end = first + items.length >= total ? Infinity : first + items.length;
    for (const [id, {index}] of this.selected) if (index >= first && index < end && !present.has(id)) this.selected.delete(id);
    if (this.selected.size) this.draw(); else this.end();
  }

  /** Shows whether a row is selected. */
  mark(element, item, index) {
    const id = this.selectable.id(item, index);
    const isSelected = this.selected.has(id);
    if (isSelected) this.selected.set(id, {item, index});
    element.classList.toggle("selected", isSelected);
    const button = main(element);
    const isMarked = button?.hasAttribute("aria-pressed");
    if (!button || !this.isActive && !isMarked) return;
    if (!this.isActive) {
      const {label, disabled} = button.dataset;
      return set(button, {"aria-pressed": null, role: null, "aria-label": label || null, disabled: disabled === "true"});
    }
    // A track that cannot be played can be selected.
    if (!isMarked) Object.assign(button.dataset, {label: button.getAttribute("aria-label") ?? "", disabled: button.hasAttribute("disabled")});
    set(button, {"aria-pressed": String(isSelected), role: button.tagName === "A" ? "button" : null, disabled: false,
      "aria-label": tr("Select %1$s", element.querySelector(".title")?.textContent ?? "")});
  }

  draw() {
    // A list that was left has nothing selected.
    if (this.isActive && !this.list.element.isConnected) return;
    this.list.element.classList.toggle("selecting", this.isActive);
    document.body.classList.toggle("selecting", this.isActive);
    for (const [index, {item, element}] of this.list.rows) if (item !== undefined) this.mark(element, item, index);
    if (!this.isActive) {
      removeEventListener("keydown", this.handleKey);
      return this.bar.remove();
    }
    this.count.textContent = tr("%1$d selected", this.selected.size);
    if (!this.bar.isConnected) {
      addEventListener("keydown", this.handleKey);
      this.actions.replaceChildren(...this.selectable.actions().map(({label, symbol, run}) =>
        h("button.symbol", {type: "button", onclick: () => this.run(run)}, icon(symbol), h("span", {}, label))));
      this.list.holder.before(this.bar);
    }
    for (const button of this.actions.children) set(button, {disabled: !this.selected.size});
  }

  run(action) {
    const rows = [...this.selected.values()].sort((one, other) => one.index - other.index);
    this.end();
    action(rows.map(row => row.item), rows.map(row => row.index));
  }

  /** Ends the selection. */
  end() {
    this.stopWaiting();
    if (!this.isActive) return;
    const hadFocus = this.bar.contains(document.activeElement);
    const place = this.last;
    this.isActive = false;
    this.selected.clear();
    this.last = null;
    this.draw();
    if (hadFocus && place !== null) main(this.list.rows.get(place)?.element)?.focus({preventScroll: true});
  }
}

/** Returns the part of a row or a tile that a tap is meant for. */
function main(element) { return /** @type {HTMLElement | null | undefined} */ (element?.querySelector(".main, .tile")); }

/** Selects the row of a button, from which a menu was opened. */
export function selectRow(button) { button.dispatchEvent(new CustomEvent("select-row", {bubbles: true})); }

/** Whether the row of a button can be selected. */
export function canSelect(button) { return button.closest(".selectable") !== null; }
