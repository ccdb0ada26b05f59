// The handle beside a long list, with which a finger moves through all of it.
import {h} from "./dom.js";
import {number} from "./format.js";

/** The number of screens from which on a list has a handle. */
const leastScreens = 6;
/** The height of the handle in pixels; see style.css. */
const handleHeight = 56;

/**
 * A handle at the right edge, which appears while a long list is scrolled. While it is dragged, it says where in the order of
 * the list the first row in view is. Keys and screen readers scroll the list itself.
 */
export class Scroller {
  /** @param {import("./list.js").RowList} list */
  constructor(list) {
    this.list = list;
    this.letter = h("span.letter");
    this.count = h("span.detail");
    this.bubble = h("div.place", {hidden: true}, this.letter, this.count);
    this.element = h("div.scroller", {"aria-hidden": "true", hidden: true}, this.bubble);
    this.timer = 0;
    /** The distance between the finger and the top of the handle; null while nobody drags it. @type {number | null} */
    this.grip = null;
    this.element.addEventListener("pointerdown", event => this.begin(event));
  }

  close() { clearTimeout(this.timer); }

  /** Returns the positions of the page at which the beginning and the end of the list are in view, and the room of the handle. */
  geometry() {
    const {top, height} = this.list.element.getBoundingClientRect();
    const begin = top + scrollY;
    const [from, to] = [72, innerHeight - (innerWidth < 900 ? 160 : 96) - handleHeight];
    return {begin, length: Math.max(1, height - innerHeight / 2), from, room: to - from};
  }

  get isDragged() { return this.grip !== null; }

  /** Shows the handle for a moment, if the list is long. */
  show() {
    const {list} = this;
    const isLong = list.lines * list.height >= leastScreens * innerHeight;
    if (!isLong || scrollY <= this.geometry().begin && !this.isDragged) return this.hide();
    this.element.hidden = false;
    this.update();
    clearTimeout(this.timer);
    if (!this.isDragged) this.timer = setTimeout(() => this.hide(), 1500);
  }

  hide() { if (!this.isDragged) this.element.hidden = true; }

  /** Puts the handle where the list is. */
  update() {
    if (this.element.hidden) return;
    const {begin, length, from, room} = this.geometry();
    const part = Math.max(0, Math.min((scrollY - begin) / length, 1));
    this.element.style.transform = `translateY(${from + part * room}px)`;
    if (this.isDragged) this.name();
  }

  /** Names the place: the letter of the row in the upper part of the page, and its number. */
  name() {
    const {list} = this;
    const line = Math.max(0, Math.floor((80 - list.element.getBoundingClientRect().top) / list.height));
    const index = Math.min(line * list.columns, list.total - 1);
    const item = list.rows.get(index)?.item;
    const place = item === undefined ? "" : list.options.place?.(item) ?? "";
    this.letter.textContent = place;
    this.letter.hidden = !place;
    this.count.textContent = `${number(index + 1)} / ${number(list.total)}`;
  }

  begin(event) {
    event.preventDefault();
    if (this.isDragged) return;
    const {element} = this;
    element.setPointerCapture(event.pointerId);
    this.grip = event.clientY - element.getBoundingClientRect().top;
    this.bubble.hidden = false;
    const move = moved => {
      if (moved.pointerId !== event.pointerId) return;
      const {begin, length, from, room} = this.geometry();
      const part = Math.max(0, Math.min((moved.clientY - (this.grip ?? 0) - from) / room, 1));
      scrollTo(0, begin + part * length);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("lostpointercapture", () => {
      element.removeEventListener("pointermove", move);
      this.grip = null;
      this.bubble.hidden = true;
      this.show();
    }, {once: true});
    this.name();
  }
}
