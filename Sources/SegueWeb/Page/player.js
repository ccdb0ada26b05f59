// The player: a bar on every screen, and the whole of it beside the screen or above it.
import {paint, paintAfter} from "./accent.js";
import {address, cover} from "./cover.js";
import {call} from "./rpc.js";
import {dialog, fill, h, icon, set, show, toast} from "./dom.js";
import {artist, message, spokenTime, time, title} from "./format.js";
import {tr} from "./language.js";
import {attempt, favoriteButton} from "./actions.js";
import {may, observe, position, restriction, sleepSeconds, state} from "./state.js";

/** A button whose label and symbol change. */
function button(name, run, properties = {}) {
  return h("button.symbol", {type: "button", onclick: run, ...properties}, icon(name));
}

function update(element, name, label, properties = {}) {
  set(element, {"aria-label": label, ...properties});
  if (element.dataset.icon !== name) {
    element.dataset.icon = name;
    element.replaceChildren(icon(name));
  }
}

/** Why nothing can be played now; null if something can. */
function problem(status) {
  if (!state.running) return tr("segued does not run on the machine.");
  if (!state.connected) return tr("There is no connection to the machine. Trying again…");
  if (status?.output.state !== "lost") return null;
  return status.output.error ? tr("The machine has no sound: %1$s", status.output.error) : tr("The machine has no sound.");
}

/** The bar at the bottom of a phone: what is played, and the most important controls. */
export function bar(open) {
  const art = artPlace("div");
  const texts = h("span.texts", {}, h("span.title", {dir: "auto"}), h("span.detail", {dir: "auto"}));
  const toggle = button("play", () => attempt("toggle"));
  const next = button("next", () => attempt("next"), {"aria-label": tr("Next")});
  const progress = h("div.progress", {"aria-hidden": "true"});
  const main = h("button.main", {type: "button", onclick: open}, art, texts);
  const element = h("div.bar", {role: "region", "aria-label": tr("Player")}, progress, main, toggle, next);
  let shown = null;
  const draw = () => {
    const {status} = state;
    const track = status?.track;
    element.hidden = !track && !problem(status);
    texts.firstChild.textContent = track ? title(track) : tr("Nothing is played.");
    texts.lastChild.textContent = problem(status) ?? (track ? artist(track) : "");
    texts.lastChild.classList.toggle("error", problem(status) !== null);
    set(main, {"aria-label": tr("Open the player")});
    const isPlaying = status?.state === "playing";
    update(toggle, isPlaying ? "pause" : "play", isPlaying ? tr("Pause") : tr("Play"), {disabled: !may("control") || !track});
    set(next, {disabled: !may("control") || !track});
    if (track?.uri !== shown?.uri || track?.metadata.art !== shown?.metadata.art) {
      shown = track;
      fill(art, track && cover({uri: track.uri, art: track.metadata.art, name: track.metadata.album ?? title(track)}));
    }
  };
  ticks.add(() => {
    const duration = state.status?.duration;
    progress.style.transform = `scaleX(${duration ? position() / duration : 0})`;
  });
  observe(draw);
  draw();
  return element;
}

/** What changes while the position advances. It is drawn only while the page is visible and something plays. */
const ticks = new Set();
setInterval(() => {
  if (document.visibilityState !== "visible" || !state.status) return;
  if (state.status.rate > 0 || stale) for (const tick of ticks) tick();
  stale = state.status.rate > 0;
}, 250);
let stale = true;
observe(() => { stale = true; for (const tick of ticks) tick(); });

/** A slider that the person moves without being disturbed by changes from elsewhere. */
function slider(label, {max = 1000, text, send, moved = () => {}, delay = 0, isRelative = false}) {
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

/** The whole player. */
export function player() {
  const art = artPlace("div.art");
  const name = h("h2.title", {dir: "auto"});
  // A tap on the artist or the album finds everything of it.
  const leave = () => element.closest("dialog")?.close();
  const by = h("a", {dir: "auto", onclick: leave});
  const about = h("a", {dir: "auto", onclick: leave});
  const trouble = h("p.error", {role: "alert"});
  const rights = h("p.hint");
  const elapsed = h("span", {"aria-hidden": "true"});
  const total = h("span", {"aria-hidden": "true"});
  const seek = slider(tr("Position"), {
    moved: () => tick(),
    text: value => {
      const {duration} = state.status ?? {};
      return duration ? tr("%1$s of %2$s", spokenTime(value / 1000 * duration), spokenTime(duration)) : "";
    },
    send: value => attempt("seek", {fraction: value / 1000}),
  });
  const volume = slider(tr("Volume"), {
    max: 100, text: value => `${value} %`, delay: 50, isRelative: true, send: level => attempt("volume", {level}),
  });
  const toggle = button("play", () => attempt("toggle"), {class: "symbol large"});
  const previous = button("previous", () => attempt("prev"), {"aria-label": tr("Previous")});
  const next = button("next", () => attempt("next"), {"aria-label": tr("Next")});
  const shuffle = button("shuffle", () => attempt("shuffle", {mode: state.status.shuffle === "off" ? "tracks" : "off"}));
  const repeat = button("repeat", () => attempt("repeat", {mode: {all: "one", one: "off", off: "all"}[state.status.repeat]}));
  const mute = button("volume", () => attempt("volume", {muted: !state.status.muted}));
  const favorite = h("span");
  /** A tool with its name below the symbol. */
  const tool = (symbol, text, run, label = text) => {
    const element = button(symbol, run, {"aria-label": label, title: label, "aria-haspopup": "dialog"});
    element.append(h("span", {}, text));
    return element;
  };
  const tools = [
    tool("lyrics", tr("Lyrics"), showLyrics), tool("chapters", tr("Chapters"), showChapters), tool("speed", tr("Speed"), showSpeed),
    tool("moon", tr("Sleep"), showSleep, tr("Sleep timer")), tool("speaker", tr("Outputs"), showOutputs),
  ];
  const [lyricsButton, chaptersButton, speedButton, sleepButton, outputsButton] = tools;
  const following = h("p.detail.following", {dir: "auto"});
  const announced = h("p.unseen", {role: "status", "aria-live": "polite"});
  const element = h("section.player", {"aria-label": tr("Player")},
    art,
    h("div.heading", {}, h("div", {}, name, h("p.artist", {}, by), h("p.detail", {}, about)), favorite), trouble, rights,
    h("div.position", {}, seek.input, h("div.times", {}, elapsed, total)),
    h("div.controls", {}, shuffle, previous, toggle, next, repeat),
    h("div.volume", {}, mute, volume.input),
    h("div.tools", {}, tools), following, announced);
  /** The track whose cover is shown; undefined before the first one. */
  let shown;
  const draw = () => {
    const {status} = state;
    const track = status?.track ?? null;
    name.textContent = track ? status.metadata?.title ?? title(track) : tr("Nothing is played.");
    by.textContent = status?.metadata?.artist ?? (track ? artist(track) : "");
    about.textContent = [status?.metadata?.album, status?.metadata?.year || null, status?.stream?.station].filter(text => text).join(" · ");
    following.textContent = status?.next ? tr("Next: %1$s", [title(status.next), artist(status.next)].filter(text => text).join(" — ")) : "";
    const isFile = track?.uri.startsWith("file:");
    const search = (filter, text) => isFile && text ? `#/search/library?q=${encodeURIComponent(`${filter}:"${text.replaceAll('"', "")}"`)}` : null;
    set(by, {href: search("artist", status?.metadata?.artist)});
    set(about, {href: search("album", status?.metadata?.album)});
    trouble.textContent = problem(status) ?? track?.error ?? "";
    const isPlaying = status?.state === "playing";
    const blocked = !may("control");
    rights.textContent = restriction("control") ?? "";
    update(toggle, isPlaying ? "pause" : "play", isPlaying ? tr("Pause") : tr("Play"), {disabled: blocked || !status?.length});
    set(previous, {disabled: blocked || !track});
    set(next, {disabled: blocked || !track});
    set(shuffle, {"aria-label": tr("Shuffle"), "aria-pressed": String((status?.shuffle ?? "off") !== "off"), disabled: blocked});
    const repeats = {all: tr("Repeat: the queue"), one: tr("Repeat: this track"), off: tr("Repeat: off")};
    set(repeat, {"aria-label": repeats[status?.repeat ?? "off"], "aria-pressed": String((status?.repeat ?? "off") !== "off"), disabled: blocked});
    repeat.classList.toggle("one", status?.repeat === "one");
    update(mute, status?.muted ? "muted" : "volume", status?.muted ? tr("Unmute") : tr("Mute"), {disabled: blocked});
    volume.show(status?.volume ?? 0, blocked);
    set(lyricsButton, {disabled: !track});
    set(chaptersButton, {disabled: !track});
    set(speedButton, {disabled: !track, "aria-pressed": String((status?.speed ?? 1) !== 1)});
    speedButton.lastChild.textContent = (status?.speed ?? 1) === 1 ? tr("Speed") : `${status.speed} ×`;
    set(sleepButton, {"aria-pressed": String(Boolean(status?.sleep))});
    set(outputsButton, {disabled: !status});
    if (shown === undefined || track?.id !== shown?.id || track?.metadata.art !== shown?.metadata.art || track?.favorite !== shown?.favorite) {
      if (track && track.id !== shown?.id) announced.textContent = `${title(track)}, ${artist(track)}`;
      shown = track;
      showArt(art, track);
      fill(favorite, track && favoriteButton(track.uri, track.favorite, icon));
    }
  };
  const tick = () => {
    const [now, duration] = [position(), state.status?.duration];
    // While the person moves the slider, it is the time at which the track goes on.
    elapsed.textContent = time(seek.held === null || !duration ? now : seek.held / 1000 * duration);
    total.textContent = duration ? time(duration) : state.status?.stream ? tr("live") : "";
    const canSeek = may("control") && Boolean(duration) && now !== null;
    const rest = sleepSeconds();
    sleepButton.lastChild.textContent = rest === null ? tr("Sleep") : time(rest);
    seek.show(canSeek ? now / duration * 1000 : 0, !canSeek);
  };
  ticks.add(tick);
  const stop = observe(draw);
  draw();
  tick();
  return {element, close: () => { stop(); ticks.delete(tick); }};
}

/** Creates a place for the cover of what is played, which gives the page its colour. */
function artPlace(name) {
  const place = h(name);
  // The event of the picture, which may be found later, does not bubble, but it can be captured.
  place.addEventListener("load", event => paintAfter(event.target), {capture: true});
  return place;
}

/** Shows the cover of a track. A tap shows it in its full size. */
function showArt(place, track) {
  if (!track) {
    paint(null);
    return fill(place, h("div.cover", {"aria-hidden": "true"}, h("span", {}, "♪")));
  }
  const shown = cover({uri: track.uri, art: track.metadata.art, name: track.metadata.album ?? title(track), size: "medium"});
  fill(place, h("button.plain", {type: "button", "aria-label": tr("Show the cover"), onclick: () => showFullCover(track)}, shown));
}

/** Shows a picture in its full size. */
export async function showFullCover(item) {
  const result = await attempt("art", {uri: item.uri, size: "full"});
  if (!result) return;
  const shown = h("dialog.picture", {"aria-label": title(item), onclick: () => shown.close()},
    h("img.full", {src: address(result.uri), alt: tr("The cover of %1$s", title(item))}),
    h("button.symbol", {type: "button", "aria-label": tr("Close")}, icon("close")));
  show(shown);
}

// MARK: Dialogs

async function showLyrics() {
  const {track} = state.status;
  let lyrics;
  try {
    lyrics = await call("lyrics", {uri: track.uri});
  } catch (error) {
    return dialog(tr("Lyrics"), tr("Close"), h("p", {}, error.kind === "not_found" ? tr("There are no lyrics for this track.") : message(error)));
  }
  const {element, tick} = lyricsView(lyrics);
  const shown = dialog(tr("Lyrics"), tr("Close"), element);
  const timer = setInterval(() => { if (state.status?.track?.id === track.id) tick(); else shown.close(); }, 100);
  shown.addEventListener("close", () => clearInterval(timer));
  tick();
}

/** Creates the text of a song. `tick` marks the line that is sung, and scrolls to it. */
function lyricsView(lyrics) {
  if (!lyrics.lines) return {element: h("p.lyrics", {dir: "auto", tabindex: "0"}, lyrics.text), tick: () => {}};
  const lines = lyrics.lines.map(line => h("li", {dir: "auto"},
    h("button.plain", {type: "button", disabled: !may("control"), onclick: () => attempt("seek", {position: line.time})}, line.text || "♪")));
  const element = h("ol.lyrics", {tabindex: "0"}, lines);
  let current = -1;
  const tick = () => {
    const now = position() ?? 0;
    const index = lyrics.lines.findLastIndex(line => line.time <= now + 0.05);
    if (index === current) return;
    lines[current]?.removeAttribute("aria-current");
    current = index;
    const line = lines[current];
    line?.setAttribute("aria-current", "true");
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (line) element.scrollTo({top: line.offsetTop - (element.clientHeight - line.offsetHeight) / 2, behavior: calm ? "auto" : "smooth"});
  };
  return {element, tick};
}

/** A place for the lyrics of what is played, beside the screen: it is empty without any. */
export function lyricsPanel() {
  const element = h("section.words", {"aria-label": tr("Lyrics"), hidden: true});
  let shown = null;
  let view = null;
  const draw = async () => {
    const track = state.status?.track;
    // The panel is hidden on a small screen.
    if (track?.id === shown || !wide.matches) return;
    shown = track?.id;
    view = null;
    element.hidden = true;
    const lyrics = track && await call("lyrics", {uri: track.uri}).catch(() => null);
    if (!lyrics || shown !== track.id) return;
    view = lyricsView(lyrics);
    fill(element, view.element);
    element.hidden = false;
    view.tick();
  };
  ticks.add(() => view?.tick());
  observe(draw);
  wide.addEventListener("change", draw);
  draw();
  return element;
}

/** Whether the player is beside the screen; see style.css. */
const wide = matchMedia("(min-width: 1200px)");

async function showChapters() {
  const result = await attempt("chapters", {});
  if (!result) return;
  if (!result.chapters.length) return dialog(tr("Chapters"), tr("Close"), h("p", {}, tr("This track has no chapters.")));
  const shown = dialog(tr("Chapters"), tr("Close"), h("ol.menu", {}, result.chapters.map((chapter, index) =>
    h("li", {"aria-current": index === result.current ? "true" : null},
      h("button", {type: "button", disabled: !may("control"), onclick: () => { shown.close(); attempt("seek", {position: chapter.start}); }},
        h("span", {dir: "auto"}, chapter.title || tr("Chapter %1$s", index + 1)), h("span.length", {}, time(chapter.start)))))));
}

/** Shows a choice. `hint` is a sentence above it, if there is one. */
function choices(heading, hint, entries) {
  const shown = dialog(heading, tr("Close"), hint && h("p.hint", {}, hint), h("ul.menu", {"aria-label": heading}, entries.map(({text, run, isOn = false}) =>
    h("li", {}, h("button", {type: "button", disabled: !run, "aria-pressed": String(isOn), onclick: () => { shown.close(); run(); }}, text)))));
}

function showSpeed() {
  choices(tr("Speed"), restriction("control"), [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3].map(factor => ({
    text: `${factor} ×`, isOn: state.status.speed === factor, run: may("control") && (() => attempt("speed", {factor})),
  })));
}

function showSleep() {
  const {sleep} = state.status;
  const set = parameters => may("control") && (async () => {
    if (await attempt("sleep", parameters) && parameters.seconds) toast(tr("Playback stops in %1$s.", spokenTime(parameters.seconds)));
  });
  const rest = sleepSeconds();
  choices(tr("Sleep timer"), restriction("control") ?? (rest === null ? null : tr("Playback stops in %1$s.", spokenTime(rest))), [
    ...(sleep ? [{text: tr("Off"), run: set({off: true})}] : []),
    ...[15, 30, 45, 60, 90].map(minutes => ({text: tr("%1$s minutes", minutes), run: set({seconds: minutes * 60})})),
    {text: tr("At the end of the track"), isOn: sleep?.after === "track", run: set({after: "track"})},
    {text: tr("At the end of the album"), isOn: sleep?.after === "album", run: set({after: "album"})},
    {text: tr("At the end of the queue"), isOn: sleep?.after === "queue", run: set({after: "queue"})},
  ]);
}

async function showOutputs() {
  let result;
  try {
    result = await call("output.list");
  } catch (error) {
    const shown = dialog(tr("Outputs"), tr("Close"), h("p", {role: "alert"}, message(error)),
      h("div.buttons", {}, h("button", {type: "button", onclick: () => { shown.close(); showOutputs(); }}, tr("Try again"))));
    return;
  }
  const current = result.outputs.find(output => output.current)?.description;
  const usual = tr("The default of the machine");
  choices(tr("Outputs"), restriction("own"), [
    {text: result.chosen === null && current ? `${usual} (${current})` : usual, isOn: result.chosen === null,
      run: may("own") && (() => attempt("output.set", {device: null}))},
    ...result.outputs.map(output => ({
      text: output.description, isOn: output.name === result.chosen, run: may("own") && (() => attempt("output.set", {device: output.name})),
    })),
  ]);
}
