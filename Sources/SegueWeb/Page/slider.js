// Sliders for the position and the volume.
import {h} from "./dom.js";

/** A slider that the person moves without being disturbed by changes from elsewhere. */
export function slider(label, {max = 1000, text, send, moved = () => {}, delay = 0, isRelative = false}) {
  const input = h("input", {type: "range", min: 0, max, step: 1, "aria-label": label});
  let isHeld = false;
  let timer = 0;
  /** Waits until the daemon has answered the last change. */
  let release = 0;
  let last = 0;
  const post = value => { last = performance.now(); clearTimeout(timer); timer = 0; send(value); };
  input.addEventListener("input", () => {
    isHeld = true;
    clearTimeout(release);
    input.setAttribute("aria-valuetext", text(Number(input.value)));
    paint();
    moved();
    if (delay === 0 || timer) return;
    // At most one request in `delay` milliseconds, and always the last value.
    timer = setTimeout(() => post(Number(input.value)), Math.max(0, last + delay - performance.now()));
  });
  input.addEventListener("change", () => {
    post(Number(input.value));
    release = setTimeout(() => { isHeld = false; }, 400);
  });
  if (isRelative) moveRelatively(input);
  const paint = () => input.style.setProperty("--value", String(Number(input.value) / max));
  const show = (value, isDisabled) => {
    input.disabled = isDisabled;
    if (isHeld) return;
    input.value = String(Math.round(value));
    input.setAttribute("aria-valuetext", text(Math.round(value)));
    paint();
  };
  return {input, show, get held() { return isHeld ? Number(input.value) : null; }};
}

/**
 * Makes a slider move by as much as the finger does. Wherever the finger touches it, the value does not jump there; a tap
 * without a movement changes it by one twentieth.
 */
function moveRelatively(input) {
  const change = value => {
    input.value = String(Math.max(0, Math.min(value, Number(input.max))));
    input.dispatchEvent(new Event("input"));
  };
  // Without this, browsers move the slider themselves.
  input.addEventListener("touchstart", event => event.preventDefault(), {passive: false});
  input.addEventListener("pointerdown", event => {
    if (input.disabled || event.button !== 0) return;
    event.preventDefault();
    // A second finger changes nothing.
    if (input.dataset.pointer) return;
    input.dataset.pointer = String(event.pointerId);
    input.focus();
    input.setPointerCapture(event.pointerId);
    const [start, from, {width, left}] = [Number(input.value), event.clientX, input.getBoundingClientRect()];
    let hasMoved = false;
    let isCancelled = false;
    const move = moved => {
      if (moved.pointerId !== event.pointerId) return;
      if (!hasMoved && Math.abs(moved.clientX - from) < 4) return;
      hasMoved = true;
      change(Math.round(start + (moved.clientX - from) / width * Number(input.max)));
    };
    const cancel = cancelled => { isCancelled ||= cancelled.pointerId === event.pointerId; };
    const end = ended => {
      if (ended.pointerId !== event.pointerId) return;
      input.removeEventListener("pointermove", move);
      input.removeEventListener("pointercancel", cancel);
      input.removeEventListener("lostpointercapture", end);
      delete input.dataset.pointer;
      const step = Number(input.max) / 20;
      if (!hasMoved && isCancelled) return;
      if (!hasMoved) change(start + ((from - left) / width * Number(input.max) < start ? -step : step));
      input.dispatchEvent(new Event("change"));
    };
    input.addEventListener("pointermove", move);
    input.addEventListener("pointercancel", cancel);
    input.addEventListener("lostpointercapture", end);
  });
}
