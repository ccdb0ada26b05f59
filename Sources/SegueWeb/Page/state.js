// The state of the daemon, as its events report it.
import {tr} from "./language.js";
import {listen} from "./rpc.js";

/** @type {{status: any, queue: any, library: any, role: string, connected: boolean, running: boolean}} */
export const state = {
  status: null, queue: null, library: null, role: "listen", connected: true, running: true,
};

/** The time of `performance.now()` at which the position of the status was right. */
let measured = 0;

/** The seconds until the sleep timer stops playback, now; null if it waits for the end of something, or is off. */
export function sleepSeconds() {
  const seconds = state.status?.sleep?.seconds;
  return seconds === undefined ? null : Math.max(0, seconds - (performance.now() - measured) / 1000);
}

/** The position in the current track in seconds, now; null if nothing is current. */
export function position() {
  const status = state.status;
  if (!status || status.position === null) return null;
  const now = status.position + status.rate * (performance.now() - measured) / 1000;
  return status.duration === null ? now : Math.min(now, status.duration);
}

function setStatus(status, age) {
  state.status = status;
  measured = performance.now() - age * 1000;
}

/** @type {Set<() => void>} */
const observers = new Set();

/** Calls a function after every change, until the returned function is called. */
export function observe(observer) {
  observers.add(observer);
  return () => observers.delete(observer);
}

export function changed() { for (const observer of observers) observer(); }

/** What changes while the position advances. @type {Set<() => void>} */
const ticks = new Set();
/** Whether the position may have changed since the last tick. */
let stale = true;

/**
 * Calls a function after every change and, while something plays or the sleep timer runs, and the page is visible, four times a
 * second, until the returned function is called.
 */
export function tickWhilePlaying(tick) {
  ticks.add(tick);
  tick();
  return () => ticks.delete(tick);
}

function tickAll() { for (const tick of ticks) tick(); }

setInterval(() => {
  if (document.visibilityState !== "visible" || !state.status) return;
  const isMoving = state.running && state.connected && (state.status.rate > 0 || state.status.sleep?.seconds !== undefined);
  if (isMoving || stale) tickAll();
  stale = isMoving;
}, 250);
observe(() => { stale = true; tickAll(); });

listen("snapshot", (data, age) => {
  setStatus(data.status, age);
  Object.assign(state, {queue: data.queue, library: data.library, connected: true, running: true});
  document.body.classList.remove("outdated");
  changed();
});
// What a page shows that was hidden may be wrong until the state of the machine has arrived.
document.addEventListener("visibilitychange", () => document.body.classList.toggle("outdated", state.status !== null));
listen("player", (data, age) => { setStatus(data, age); changed(); });
listen("queue", data => { state.queue = data; changed(); });
listen("library", data => { state.library = data; changed(); });
listen("offline", () => {
  // The position stands still while the daemon does not run.
  if (state.status) setStatus({...state.status, position: position(), rate: 0}, 0);
  state.running = false;
  changed();
});
listen("connection", isConnected => { state.connected = isConnected; changed(); });

/**
 * Calls a function when one of some lists has changed, at most once a second, until the returned function is called.
 * @param {string[]} topics
 * @param {() => void} reload
 */
export function follow(topics, reload) {
  let timer = 0;
  let last = -Infinity;
  const changed = () => {
    if (timer) return;
    timer = setTimeout(() => {
      timer = 0;
      last = performance.now();
      reload();
    }, Math.max(0, last + 1000 - performance.now()));
  };
  const stops = topics.map(topic => listen(`version:${topic}`, changed));
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

/** The roles in ascending order. */
const roles = ["listen", "control", "own"];

/** Whether this browser may do what a role may. */
export function may(role) { return roles.indexOf(state.role) >= roles.indexOf(role); }

/** Returns a sentence that says why a control is disabled; null if this browser may do what a role may. */
export function restriction(role) {
  if (may(role)) return null;
  return role === "control"
    ? tr("This browser may see what is played, but not change it. The owner of the machine can permit that.")
    : tr("Only browsers that may control everything can change this. The owner of the machine can permit that.");
}
