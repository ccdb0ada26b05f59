// The connection to the gateway: calls by POST, and events as the server sends them.

/** An error of a call. `kind` is its stable name; `fields` has the problem of each field of a form. */
export class CallError extends Error {
  constructor(kind, message, data = {}) {
    super(message);
    this.kind = kind;
    this.template = data.template;
    this.arguments = data.arguments ?? [];
    this.fields = data.fields ?? {};
    this.retryAfter = data.retryAfter;
  }
}

/** Called when the browser is not signed in any more. */
let onSignedOut = () => {};
export function whenSignedOut(handler) { onSignedOut = handler; }

/** The shortest time of a call so far, in milliseconds: about the time to the server and back. */
let shortestTrip = Infinity;

/**
 * Calls a method of the daemon or of the gateway.
 * @param {string} method
 * @param {object} [params]
 * @returns {Promise<any>}
 */
export async function call(method, params) {
  const begun = performance.now();
  let response;
  try {
    response = await fetch("/rpc", {
      method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({method, params}),
      // A machine that has gone to sleep never answers.
      signal: /** @type {any} */ (AbortSignal).timeout(60_000),
    });
  } catch {
    throw new CallError("unreachable", "The server cannot be reached.");
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new CallError("unreachable", `The server answered with status ${response.status}.`);
  }
  shortestTrip = Math.min(shortestTrip, performance.now() - begun);
  if (response.status === 401 && !method.startsWith("web.")) onSignedOut();
  if (answer.error) throw new CallError(answer.error.data?.kind, answer.error.message, answer.error.data);
  return answer.result;
}

/** @type {Map<string, Set<(data: any, age: number) => void>>} */
const listeners = new Map();

/**
 * Calls a function with the new state of a topic, and with its age in seconds. "snapshot" has the state of all topics,
 * "offline" says that the daemon does not run, and "connection" whether there is a connection.
 */
export function listen(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic).delete(listener);
}

function emit(topic, data, age = 0) {
  for (const listener of listeners.get(topic) ?? []) listener(data, age);
}

/**
 * The versions of the lists that the daemon has announced. A page that was hidden learns from the next snapshot what has
 * changed meanwhile.
 * @type {Map<string, number>}
 */
const versions = new Map();

/** Emits "version:TOPIC" if the list of a topic has another version than before. */
function noteVersion(topic, data) {
  if (data?.version === undefined || versions.get(topic) === data.version) return;
  const isFirst = !versions.has(topic);
  versions.set(topic, data.version);
  if (!isFirst) emit(`version:${topic}`, data);
}

const lists = ["library", "favorites", "playlists", "ratings", "history"];
const topics = [
  "snapshot", "offline", "player", "queue", "library", "output", "settings", "favorites", "playlists", "ratings", "history",
];

/** @type {EventSource | null} */
let source = null;

/** Receives events from now on, as long as the page is visible: a phone that sleeps takes no events. */
export function connect() {
  isConnecting = true;
  open();
}

/** Whether the page wants events while it is visible. */
let isConnecting = false;

/** Whether a page that is hidden takes events, too. */
let isKept = false;
export function keepConnected(keep) { isKept = keep; }

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") open(); else if (!isKept) pause();
});
addEventListener("pageshow", event => { if (event.persisted) open(); });
addEventListener("pagehide", pause);

function open() {
  pause();
  if (!isConnecting) return;
  const opened = new EventSource("/events");
  source = opened;
  for (const topic of topics) {
    opened.addEventListener(topic, event => {
      const {now, data} = JSON.parse(event.data);
      // The clock of the server does not travel. What it measured is older by half of a trip when it arrives.
      const trip = shortestTrip === Infinity ? 0 : shortestTrip / 2000;
      const status = topic === "snapshot" ? data.status : topic === "player" ? data : null;
      emit(topic, data, status ? now - status.monotonic + trip : 0);
      for (const list of lists) noteVersion(list, topic === "snapshot" ? data[list] : topic === list ? data : null);
    });
  }
  opened.addEventListener("open", () => emit("connection", true));
  opened.addEventListener("error", () => {
    emit("connection", false);
    // The browser tries again by itself, unless the server has refused.
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    call("web.profile").catch(error => { if (error.kind === "denied") onSignedOut(); });
    setTimeout(() => { if (source === opened && document.visibilityState === "visible") open(); }, 2000);
  });
}

function pause() {
  source?.close();
  source = null;
}

/** Takes no events until `connect` is called again. */
export function close() {
  isConnecting = false;
  pause();
}
