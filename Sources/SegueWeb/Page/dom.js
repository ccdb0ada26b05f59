// Elements of the page. Texts become text nodes, so that no text of a file or a server is ever read as HTML.
import {message} from "./format.js";
import {tr} from "./language.js";

/**
 * Creates an element.
 * @param {string} name The tag, with classes after dots: "button.primary".
 * @param {Record<string, any>} [properties] Listeners ("onclick"), and attributes; false and null leave one out.
 * @param {...any} children Elements, texts, arrays of both; null and false are left out.
 * @returns {any}
 */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  set(element, properties);
  append(element, children);
  return element;
}

/**
 * Creates a picture of lines: one of the symbols below.
 * @param {keyof typeof symbols} name
 */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add("icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", symbols[name]);
  picture.append(path);
  return picture;
}

/** The outlines of the symbols, in a square of 24 units. */
const symbols = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  next: "M5 5v14l9-7zM16 5h3v14h-3z",
  previous: "M19 5v14l-9-7zM5 5h3v14H5z",
  queue: "M4 6h16v2H4zM4 11h10v2H4zM4 16h10v2H4zM16 12v8l6-4z",
  library: "M4 4h3v16H4zM9 4h3v16H9zM14.2 4.6l2.9-.8 4.1 15.5-2.9.7z",
  search: "M10 4a6 6 0 1 0 3.9 10.6l4.8 4.8 1.4-1.4-4.8-4.8A6 6 0 0 0 10 4zm0 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
  heart: "M12 20.5l-1.5-1.3C5.4 14.6 2.5 12 2.5 8.7A4.7 4.7 0 0 1 7.3 4c1.8 0 3.6.9 4.7 2.4A6 6 0 0 1 16.7 4a4.7 4.7 0 0 1 4.8 4.7c0 3.3-2.9 5.9-8 10.5z",
  heartEmpty: "M7.3 4A4.7 4.7 0 0 0 2.5 8.7c0 3.3 2.9 5.9 8 10.5l1.5 1.3 1.5-1.3c5.1-4.6 8-7.2 8-10.5A4.7 4.7 0 0 0 16.7 4 6 6 0 0 0 12 6.4 6 6 0 0 0 7.3 4zm0 2c1.6 0 3.2 1 3.8 2.6h1.8A4 4 0 0 1 16.7 6c1.6 0 2.8 1.2 2.8 2.7 0 2.4-2.6 4.7-7.5 9.1-4.9-4.4-7.5-6.7-7.5-9.1C4.500 7.200 5.700 6 7.300 6z",
  more: "M5 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  back: "M15.500 4.500l1.500 1.500-6 6 6 6-1.500 1.500L8 12z",
  down: "M4.500 8.500L6 7l6 6 6-6 1.500 1.500L12 16z",
  close: "M5.600 4.200L12 10.600l6.400-6.400 1.400 1.400L13.400 12l6.400 6.400-1.400 1.400L12 13.400l-6.400 6.400-1.400-1.400L10.600 12 4.200 5.600z",
  add: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  dice: "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zm3 3.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zm8 0a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zm-4 4a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zm-4 4a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zm8 0a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z",
  select: "M4 4h14v2H6v12H4zM8 8h12v12H8zm2 2v8h8v-8zm1.500 4l1.200-1.200 1.300 1.300 2.800-2.800 1.200 1.200-4 4z",
  insert: "M4 5h16v2H4zM4 17h16v2H4zM11 8.500h2v2.500h2.500v2H13v2.500h-2V13H8.500v-2H11z",
  remove: "M7 4h10v2h4v2h-2l-1 13H6L5 8H3V6h4zm0 4l.900 11h8.200L17 8z",
  handle: "M8 4h3v3H8zM13 4h3v3h-3zM8 10.500h3v3H8zM13 10.500h3v3h-3zM8 17h3v3H8zM13 17h3v3h-3z",
  folder: "M3 5h7l2 2.500h9V19H3z",
  list: "M4 5h12v2H4zM4 10h12v2H4zM4 15h7v2H4zM18 9h2v8a2.500 2.500 0 1 1-2-2.400z",
  chapters: "M4 4h2v5H4zM9 5h11v2H9zM4 10.500h2v5H4zM9 12h11v2H9zM4 17h2v4H4zM9 18.500h11v2H9z",
  moon: "M14.500 3.500A9 9 0 1 0 21 14.700 7.500 7.500 0 0 1 14.500 3.500z",
  save: "M5 3h11l4 4v14H4V3zm2 2v5h8V5zm5 8a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  volume: "M4 9v6h4l5 5V4L8 9zm11 0v6a3.500 3.500 0 0 0 0-6zm0-4v2a6 6 0 0 1 0 10v2a8 8 0 0 0 0-14z",
  muted: "M4 9v6h4l5 5V4L8 9zm11.500 0L14 10.500l1.500 1.500-1.500 1.500 1.500 1.500 1.500-1.500 1.500 1.500 1.500-1.500-1.500-1.500 1.500-1.500L18.500 9 17 10.500z",
  shuffle: "M15 4h5v5l-2-2-4 4-1.400-1.400 4-4zM4 5.400L5.400 4l13 13 1.600-2v5h-5l2-1.600zM4 18.600l6-6 1.400 1.400-6 6z",
  repeat: "M6 6h10V3l5 4-5 4V8H8v4H6zM18 18H8v3l-5-4 5-4v3h8v-4h2z",
  warning: "M12 3l10 18H2zm-1 6.500v5.500h2V9.500zm0 7v2h2v-2z",
  chart: "M4 13h4v7H4zM10 8h4v12h-4zM16 4h4v16h-4z",
  refresh: "M12 5a7 7 0 0 1 6.300 4H15v2h7V4h-2v3.300A9 9 0 1 0 21 13h-2a7 7 0 1 1-7-8z",
  user: "M12 3a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM4 21c0-4 3.500-7 8-7s8 3 8 7z",
  settings: "M10 2h4l.500 3 2 1 2.800-1.200 2 3.400L19 10v2.500l2.300 1.900-2 3.400-2.800-1.200-2 1.200-.500 3h-4l-.500-3-2-1.200-2.800 1.200-2-3.400L5 12.500V10L2.700 8.200l2-3.400L7.500 6l2-1zM12 8.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  undo: "M9 4v4h5a6 6 0 0 1 0 12H8v-2h6a4 4 0 0 0 0-8H9v4L3 9z",
  radio: "M4 9l14-5 .700 1.900L11 9h9v11H4zm3 5a3 3 0 1 0 6 0 3 3 0 0 0-6 0zm8-2v2h3v-2zm0 4v2h3v-2z",
  lyrics: "M4 4h16v13h-9l-4 4v-4H4zm3 3.500v2h10v-2zm0 4v2h7v-2z",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm-1 2v6l4.500 2.700 1-1.700-3.500-2V7z",
  speaker: "M6 3h12v18H6zm6 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm0 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  speed: "M12 5a9 9 0 0 0-9 9c0 1.800.500 3.500 1.400 5h15.200A9 9 0 0 0 12 5zm0 2a7 7 0 0 1 6.400 10H5.600A7 7 0 0 1 12 7zm4.500 2.500L11 13a2 2 0 1 0 2 2z",
};

/** Sets listeners and attributes. */
export function set(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(key);
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  // A pointer that rests on a button without a text shows what the button does.
  const label = properties["aria-label"];
  if (label && !properties.title && element.matches("button.symbol")) element.setAttribute("title", label);
}

function append(element, children) {
  for (const child of children.flat(9)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Replaces the content of an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** The place of messages. Only a dialog is in front of everything, so that the messages are in the last one that is open. */
const toasts = h("div.toasts", {role: "status", "aria-live": "polite"});

/** Puts the place of messages into the last dialog, or else into the page. */
export function placeToasts() { ([...document.querySelectorAll("dialog[open]")].pop() ?? document.body).append(toasts); }

/**
 * Shows a message for a few seconds, with a button if there is something to do about it.
 * @param {string} text
 * @param {{label: string, run: () => void}} [action]
 */
export function toast(text, action) {
  const shown = h("div.toast", {}, h("span", {}, text));
  if (action) {
    shown.append(h("button.text", {type: "button", onclick: () => { shown.remove(); action.run(); }}, action.label));
  }
  placeToasts();
  toasts.replaceChildren(shown);
  setTimeout(() => shown.remove(), action ? 8000 : 4000);
}

/**
 * Says that there is nothing to show, and what to do about it.
 * @param {keyof typeof symbols} symbol
 * @param {string} text
 * @param {...any} actions
 */
export function nothing(symbol, text, ...actions) { return h("div.empty", {role: symbol === "warning" ? "alert" : null}, icon(symbol), h("p", {}, text), actions); }

/** Whether the player is beside the screens; see style.css. */
export const isWide = matchMedia("(min-width: 1200px)");

/** Says why something cannot be shown, with a button that tries it again. */
export function failed(error, retry) {
  return nothing("warning", message(error), h("button", {type: "button", onclick: retry}, tr("Try again")));
}

/** Returns a text whose parts between backticks are what a person types. */
export function typed(text) { return text.split("`").map((part, index) => index % 2 ? h("code", {}, part) : part); }

/** Shows a dialog, and removes it when it is closed. */
export function show(dialog) {
  dialog.addEventListener("close", () => { placeToasts(); dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
  placeToasts();
}

/**
 * Shows a dialog and returns it. It closes with Escape, its button, or a tap beside it.
 * @param {string} title
 * @param {string} close The label of the button that closes it.
 */
export function dialog(title, close, ...children) {
  const heading = h("h2", {}, title);
  const shown = h("dialog.sheet", {"aria-label": title},
    h("header", {}, heading, h("button.symbol", {type: "button", "aria-label": close, onclick: () => shown.close()},
      icon("close"))),
    h("div.content", {}, ...children));
  shown.addEventListener("click", event => { if (event.target === shown) shown.close(); });
  show(shown);
  return shown;
}
