// The player: a bar on every screen, and the whole of it beside the screen or above it.
import {paint, paintAfter} from "./accent.js";
import {address, cover} from "./cover.js";
import {fill, h, icon, isWide, set, show} from "./dom.js";
import {artist, spokenTime, time, title} from "./format.js";
import {tr} from "./language.js";
import {attempt, favoriteButton} from "./actions.js";
import {lyricsOf, showLyrics} from "./lyrics.js";
import {links, menuButton, openAlbum, openArtist} from "./rows.js";
import {slider} from "./slider.js";
import {may, observe, position, restriction, sleepSeconds, state, tickWhilePlaying} from "./state.js";
import {chaptersOf, outputName, showChapters, showOutputs, showSleep, showSpeed} from "./tools.js";

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
  if (!state.running) return tr("The music service of the machine does not run.");
  if (!state.connected) return tr("There is no connection to the machine. Trying again…");
  if (status?.output.state !== "lost") return null;
  return status.output.error ? tr("The machine has no sound: %1$s", status.output.error) : tr("The machine has no sound.");
}

/** The bar at the bottom of a phone: what is played, and the most important controls. */
export function bar(open) {
  const art = artPlace("div");
  const texts = h("span.texts", {}, h("span.title", {dir: "auto"}), h("span.detail", {dir: "auto"}));
  const toggle = button("play", () => attempt("toggle"));
  const previous = button("previous", () => attempt("prev"), {"aria-label": tr("Previous"), class: "symbol previous"});
  const next = button("next", () => attempt("next"), {"aria-label": tr("Next")});
  const clock = h("span.clock", {"aria-hidden": "true"});
  const progress = h("div.progress", {"aria-hidden": "true"});
  const main = h("button.main", {type: "button", onclick: open}, art, texts);
  const element = h("div.bar", {role: "region", "aria-label": tr("Player")}, progress, main, clock, previous, toggle, next);
  let shown = null;
  const draw = () => {
    const {status} = state;
    const track = status?.track;
    element.hidden = !track && !problem(status);
    texts.firstChild.textContent = track ? title(track) : tr("Nothing is played.");
    texts.lastChild.textContent = problem(status) ?? (track ? artist(track) : "");
    texts.lastChild.classList.toggle("error", problem(status) !== null);
    texts.firstChild.hidden = problem(status) !== null;
    set(main, {"aria-label": tr("Open the player")});
    const isPlaying = status?.state === "playing";
    const isBlocked = !may("control") || !track || !state.running;
    update(toggle, isPlaying ? "pause" : "play", isPlaying ? tr("Pause") : tr("Play"), {disabled: isBlocked});
    for (const one of [previous, next]) set(one, {disabled: isBlocked});
    if (track?.uri !== shown?.uri || track?.metadata.art !== shown?.metadata.art) {
      shown = track;
      fill(art, track && cover({uri: track.uri, art: track.metadata.art, name: track.metadata.album ?? title(track)}));
    }
  };
  tickWhilePlaying(() => {
    const duration = state.status?.duration;
    progress.style.transform = `scaleX(${duration ? position() / duration : 0})`;
    clock.textContent = duration ? `${time(position())} / ${time(duration)}` : "";
  });
  observe(draw);
  draw();
  return element;
}

/** The whole player. */
export function player() {
  const art = artPlace("div.art");
  skipBySwipe(art);
  const name = h("h2.title", {dir: "auto"});
  // A tap on the artist or the album finds everything of it.
  const leave = () => element.closest("dialog")?.close();
  const by = h("button.link", {type: "button", dir: "auto", onclick: () => { leave(); openArtist(state.status.metadata.artist); }});
  const about = h("button.link", {type: "button", dir: "auto", onclick: () => { leave(); openAlbum(state.status.track); }});
  const trouble = h("p.error", {role: "alert"});
  const rights = h("p.hint");
  const elapsed = h("span", {"aria-hidden": "true"});
  const total = h("button.plain", {type: "button", "aria-label": tr("Show the remaining time"), onclick: () => {
    localStorage.setItem("remaining", showsRest() ? "" : "yes");
    tick();
  }});
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
  const favorite = h("span.actions");
  /** A tool with its name below the symbol. */
  const tool = (symbol, text, run, label = text) => {
    const element = button(symbol, run, {"aria-label": label, "aria-haspopup": "dialog"});
    element.append(h("span", {}, text));
    return element;
  };
  const tools = [
    tool("lyrics", tr("Lyrics"), showLyrics), tool("chapters", tr("Chapters"), showChapters), tool("speed", tr("Speed"), showSpeed),
    tool("moon", tr("Sleep"), showSleep, tr("Sleep timer")), tool("speaker", tr("Outputs"), showOutputs),
  ];
  const [lyricsButton, chaptersButton, speedButton, sleepButton, outputsButton] = tools;
  const device = h("p.detail.device", {dir: "auto"}, icon("speaker"), h("span"));
  const following = h("button.link.detail.following", {type: "button", dir: "auto", onclick: () => attempt("next")});
  const announced = h("p.unseen", {role: "status", "aria-live": "polite"});
  const element = h("section.player", {"aria-label": tr("Player")},
    art,
    h("div.heading", {}, h("div", {}, name, h("p.artist", {}, by), h("p.detail", {}, about)), favorite), trouble, rights,
    h("div.position", {}, seek.input, h("div.times", {}, elapsed, total)),
    h("div.controls", {}, shuffle, previous, toggle, next, repeat),
    h("div.volume", {}, mute, volume.input),
    h("div.tools", {}, tools), device, following, announced);
  /** The track whose cover is shown; undefined before the first one. */
  let shown;
  /** The id of the track whose lyrics and chapters are known, null for none, and the output whose name is, undefined for none. */
  const known = {track: null, output: undefined};
  /** Finds out what the track has, and where it is heard, unless the player is hidden beside a small screen. */
  const look = async () => {
    const {status} = state;
    if (!status || !element.checkVisibility()) return;
    const [track, output] = [status.track, status.output.device];
    if (output !== known.output) {
      known.output = output;
      // Without a connection, or without a sound server, it is not known.
      const show = text => { if (known.output === output) device.lastChild.textContent = text; };
      outputName().then(show, () => { show(""); known.output = undefined; });
    }
    if (!track || track.id === known.track) return;
    known.track = track.id;
    for (const [button, find, label, none] of /** @type {[any, any, string, string][]} */ ([
      [lyricsButton, lyricsOf, tr("Lyrics"), tr("There are no lyrics for this track.")],
      [chaptersButton, chaptersOf, tr("Chapters"), tr("This track has no chapters.")],
    ])) {
      const has = await find(track).then(found => found !== null, () => true);
      if (known.track === track.id) set(button, {disabled: !has, title: has ? label : none, "aria-label": has ? label : `${label}: ${none}`});
    }
  };
  const draw = () => {
    const {status} = state;
    const track = status?.track ?? null;
    name.textContent = track ? status.metadata?.title ?? title(track) : tr("Nothing is played.");
    by.textContent = status?.metadata?.artist ?? (track ? artist(track) : "");
    about.textContent = [status?.metadata?.album, status?.metadata?.year || null, status?.stream?.station].filter(text => text).join(" · ");
    set(following, {hidden: !status?.next});
    following.textContent = status?.next ? tr("Next: %1$s", [title(status.next), artist(status.next)].filter(text => text).join(" — ")) : "";
    const isFile = track?.uri.startsWith("file:");
    set(by, {disabled: !isFile || !status?.metadata?.artist});
    set(about, {disabled: !isFile || !status?.metadata?.album});
    trouble.textContent = problem(status) ?? track?.error ?? "";
    const isPlaying = status?.state === "playing";
    const blocked = !may("control") || !state.running;
    set(following, {disabled: blocked});
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
    volume.input.classList.toggle("muted", Boolean(status?.muted));
    if (!track) {
      known.track = null;
      set(lyricsButton, {disabled: true});
      set(chaptersButton, {disabled: true});
    }
    look();
    set(speedButton, {disabled: !track || !state.running, "aria-pressed": String((status?.speed ?? 1) !== 1)});
    speedButton.lastChild.textContent = (status?.speed ?? 1) === 1 ? tr("Speed") : `${status.speed} ×`;
    set(sleepButton, {"aria-pressed": String(Boolean(status?.sleep)), disabled: !state.running});
    set(outputsButton, {disabled: !status || !state.running});
    const isOther = shown === undefined || track?.id !== shown?.id;
    const heart = favorite.querySelector(".favorite");
    if (isOther || heart && String(track?.favorite) !== heart.getAttribute("aria-pressed")) {
      fill(favorite, track && [favoriteButton(track.uri, track.favorite), menuButton(title(track), [track.uri], {play: () => attempt("play", {id: track.id}), extra: links(track)})]);
    }
    if (isOther || track?.metadata.art !== shown?.metadata.art) showArt(art, track);
    if (track && isOther) announced.textContent = `${title(track)}, ${artist(track)}`;
    shown = track;
  };
  const tick = () => {
    const [now, duration] = [position(), state.status?.duration];
    // While the person moves the slider, it is the time at which the track goes on.
    elapsed.textContent = time(seek.held === null || !duration ? now : seek.held / 1000 * duration);
    total.textContent = !duration ? state.status?.stream ? tr("live") : "" : showsRest() ? `−${time(duration - now)}` : time(duration);
    set(total, {disabled: !duration, "aria-pressed": String(showsRest())});
    const canSeek = may("control") && state.running && Boolean(duration) && now !== null;
    const rest = sleepSeconds();
    sleepButton.lastChild.textContent = rest === null ? tr("Sleep") : time(rest);
    seek.show(duration && now !== null ? now / duration * 1000 : 0, !canSeek);
  };
  const stops = [observe(draw), tickWhilePlaying(tick), () => isWide.removeEventListener("change", look)];
  isWide.addEventListener("change", look);
  draw();
  // It is not in the page yet, where it may be hidden.
  requestAnimationFrame(look);
  return {element, close: () => stops.forEach(stop => stop())};
}

/** Whether the player shows the time until the end in place of the duration. */
function showsRest() { return localStorage.getItem("remaining") === "yes"; }

/** The distance in pixels by which a finger moves the cover to skip to another track. */
const swipe = 60;

/** Lets a finger move the cover to the side: to the left for the next track, to the right for the one before. */
function skipBySwipe(place) {
  let from = null;
  const moved = event => {
    const {clientX, clientY} = event.changedTouches[0];
    const [across, along] = [clientX - from.clientX, clientY - from.clientY];
    return Math.abs(across) > 2 * Math.abs(along) ? across : 0;
  };
  place.addEventListener("touchstart", event => { from = may("control") && state.status?.track && event.touches.length === 1 ? event.touches[0] : null; }, {passive: true});
  place.addEventListener("touchmove", event => { if (from) place.style.transform = `translateX(${moved(event)}px)`; }, {passive: true});
  const end = event => {
    place.style.transform = "";
    const distance = from ? moved(event) : 0;
    from = null;
    if (event.type === "touchcancel" || Math.abs(distance) < swipe) return;
    // Otherwise it would be a tap on the cover, too.
    event.preventDefault();
    attempt(distance < 0 ? "next" : "prev");
  };
  place.addEventListener("touchend", end);
  place.addEventListener("touchcancel", end);
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
