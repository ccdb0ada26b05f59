// The text of a song: in a dialog, and beside the screens of a large display.
import {call} from "./rpc.js";
import {dialog, fill, h, isWide} from "./dom.js";
import {message} from "./format.js";
import {tr} from "./language.js";
import {attempt} from "./actions.js";
import {may, observe, position, state, tickWhilePlaying} from "./state.js";

/** The lyrics of the track that was asked for last. @type {{id: number, answer: Promise<any>} | null} */
let last = null;

/** Returns the lyrics of a track of the queue; null if there are none. Throws `CallError` if they cannot be read. */
export function lyricsOf(track) {
  if (last?.id !== track.id) {
    last = {id: track.id, answer: call("lyrics", {uri: track.uri}).catch(error => {
      if (error.kind === "not_found") return null;
      if (last?.id === track.id) last = null;
      throw error;
    })};
  }
  return last.answer;
}

export async function showLyrics() {
  const {track} = state.status;
  let lyrics;
  try {
    lyrics = await lyricsOf(track);
  } catch (error) {
    return dialog(tr("Lyrics"), tr("Close"), h("p", {role: "alert"}, message(error)));
  }
  if (!lyrics) return dialog(tr("Lyrics"), tr("Close"), h("p", {}, tr("There are no lyrics for this track.")));
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
    if (track?.id === shown || !isWide.matches) return;
    shown = track?.id;
    view = null;
    element.hidden = true;
    const lyrics = track && await lyricsOf(track).catch(() => null);
    if (!lyrics || shown !== track.id) return;
    view = lyricsView(lyrics);
    fill(element, view.element);
    element.hidden = false;
    view.tick();
  };
  tickWhilePlaying(() => view?.tick());
  observe(draw);
  isWide.addEventListener("change", draw);
  draw();
  return element;
}
