// Sliders for the position and the volume.
import {h} from "./dom.js";

/** A slider that the person moves without being disturbed by changes from elsewhere. */
export function slider(label, {max = 1000, text, send, moved = () => {}, delay = 0, isRelative = false}) {
  const input = h("input", {type: "range", min: 0, max, step: 1, "aria-label": label});
  let isHeld = false;
  let timer = 0;
  let last = 0;
  const post = value => { last = performance.now(); clearTimeout(timer); timer = 0; send(value); };
  input.addEventListener("input", () => {
    isHeld = true;
    input.setAttribute("aria-valuetext", text(Number(input.value)));
    paint();
    moved();
    if (delay === 0 || timer) return;
    // At most one request in `delay` milliseconds, and always the last value.
    timer = setTimeout(() => post(Number(input.value)), Math.max(0, last + delay - performance.now()));
  });
  input.addEventListener("change", () => {
    post(Number(input.value));
    setTimeout(() => { isHeld = false; }, 400);
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
    input.focus();
    input.setPointerCapture(event.pointerId);
    const [start, from, {width, left}] = [Number(input.value), event.clientX, input.getBoundingClientRect()];
    let hasMoved = false;
    const move = moved => {
      if (!hasMoved && Math.abs(moved.clientX - from) < 4) return;
      hasMoved = true;
      change(Math.round(start + (moved.clientX - from) / width * Number(input.max)));
    };
    const end = () => {
      input.removeEventListener("pointermove", move);
      const step = Number(input.max) / 20;
      if (!hasMoved) change(start + ((from - left) / width * Number(input.max) < start ? -step : step));
      input.dispatchEvent(new Event("change"));
    };
    input.addEventListener("pointermove", move);
    input.addEventListener("lostpointercapture", end, {once: true});
  });
}
