// The choice of several rows of a list, and what is done with them.
import {h, icon, set, toast} from "./dom.js";
import {plural, tr} from "./language.js";
import {may} from "./state.js";

/** The largest number of rows that can be chosen. */
const maximum = 1000;
/** The time in milliseconds after which a finger that rests on a row chooses it. */
const patience = 500;

/**
 * What can be chosen in a list. `id` is what an item is known by after the list was read again; `actions` are for the chosen
 * items, in the order of the list.
 * @typedef {{id: (item: any, index: number) => string,
 *   actions: (items: any[], indexes: number[]) => {label: string, symbol: any, run: () => void}[]}} Choice
 */

/**
 * The chosen rows of a list. The first one is chosen by a finger that rests on it, by a click with Control, or by its menu;
 * from then on, a tap on a row chooses it, or does not any more. Escape ends it.
 */
export class Selection {
  /**
   * @param {import("./list.js").RowList} list
   * @param {Choice} choice
   */
  constructor(list, choice) {
    this.list = list;
    this.choice = choice;
    /** The chosen items by their ids. @type {Map<string, {item: any, index: number}>} */
    this.chosen = new Map();
    /** The index of the row that was chosen last. @type {number | null} */
    this.last = null;
    this.count = h("p", {role: "status"});
    this.tools = h("div.tools");
    this.bar = h("div.selection", {role: "group", "aria-label": tr("Chosen rows")},
      h("button.symbol", {type: "button", "aria-label": tr("Choose nothing"), onclick: () => this.end()}, icon("close")), this.count, this.tools);
    this.stop = event => { if (event.key === "Escape" && !document.querySelector("dialog[open]")) this.end(); };
    if (!may("control")) return;
    const {element} = list;
    element.classList.add("selectable");
    element.addEventListener("choose", event => this.toggle(/** @type {Element} */ (event.target).closest("li")));
    element.addEventListener("click", event => this.click(event), {capture: true});
    element.addEventListener("pointerdown", event => this.wait(event));
    element.addEventListener("contextmenu", event => { if (event.pointerType === "touch") event.preventDefault(); });
  }

  /** Chooses a row if a finger rests on it. */
  wait(event) {
    const row = event.target.closest("li");
    if (event.pointerType !== "touch" || !row || event.target.closest(".handle")) return;
    const timer = setTimeout(() => {
      end();
      // The click that follows when the finger leaves would do something else.
      this.skipsClick = true;
      setTimeout(() => { this.skipsClick = false; }, 1000);
      this.toggle(row);
    }, patience);
    const {clientX, clientY} = event;
    const move = moved => { if (Math.hypot(moved.clientX - clientX, moved.clientY - clientY) > 10) end(); };
    const end = () => {
      clearTimeout(timer);
      removeEventListener("pointermove", move);
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, end);
    };
    addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end);
  }

  click(event) {
    const row = event.target.closest("li");
    const isSkipped = this.skipsClick;
    this.skipsClick = false;
    // A link is opened in another tab by a click with Control.
    const begins = (event.ctrlKey || event.metaKey) && !event.target.closest("a");
    if (!isSkipped && (!row || !this.chosen.size && !begins)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSkipped) return;
    if (event.shiftKey && this.last !== null) this.range(this.list.indexOf(row)); else this.toggle(row);
  }

  toggle(row) {
    const index = this.list.indexOf(row);
    const item = this.list.rows.get(index)?.item;
    if (item === undefined) return;
    const id = this.choice.id(item, index);
    if (!this.chosen.delete(id)) this.add(id, item, index);
    this.last = index;
    this.draw();
  }

  /** Chooses all rows from the last one that was chosen to another one. Rows that were not read yet cannot be chosen. */
  range(end) {
    const step = end < this.last ? -1 : 1;
    for (let index = this.last; index !== end + step; index += step) {
      const item = this.list.item(index);
      if (item !== undefined) this.add(this.choice.id(item, index), item, index);
    }
    this.last = end;
    this.draw();
  }

  add(id, item, index) {
    if (this.chosen.size < maximum) this.chosen.set(id, {item, index}); else toast(tr("At most %1$s rows can be chosen.", maximum));
  }

  /** Shows whether a row is chosen. */
  mark(element, item, index) {
    const id = this.choice.id(item, index);
    const isChosen = this.chosen.has(id);
    if (isChosen) this.chosen.set(id, {item, index});
    element.classList.toggle("chosen", isChosen);
    const main = element.querySelector(".main, .tile");
    const isActive = this.chosen.size > 0;
    if (main) set(main, {"aria-pressed": isActive ? String(isChosen) : null, role: isActive && main.tagName === "A" ? "button" : null});
  }

  draw() {
    const isActive = this.chosen.size > 0;
    this.list.element.classList.toggle("choosing", isActive);
    document.body.classList.toggle("choosing", isActive);
    for (const [index, {item, element}] of this.list.rows) if (item !== undefined) this.mark(element, item, index);
    if (!isActive) {
      removeEventListener("keydown", this.stop);
      return this.bar.remove();
    }
    this.count.textContent = plural("%1$d chosen", "%1$d chosen", this.chosen.size);
    const rows = [...this.chosen.values()].sort((one, other) => one.index - other.index);
    this.tools.replaceChildren(...this.choice.actions(rows.map(row => row.item), rows.map(row => row.index)).map(({label, symbol, run}) =>
      h("button.symbol", {type: "button", onclick: () => { this.end(); run(); }}, icon(symbol), h("span", {}, label))));
    if (this.bar.isConnected) return;
    addEventListener("keydown", this.stop);
    document.querySelector("main")?.after(this.bar);
  }

  /** Chooses nothing any more. */
  end() {
    if (!this.chosen.size) return;
    this.chosen.clear();
    this.last = null;
    this.draw();
  }
}

/** Chooses the row of a button, from which a menu was opened. */
export function choose(button) { button.dispatchEvent(new CustomEvent("choose", {bubbles: true})); }

/** Whether the row of a button can be chosen. */
export function canChoose(button) { return button.closest(".selectable") !== null; }
