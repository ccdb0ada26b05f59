// The dialogs of the player: chapters, speed, sleep timer and outputs.
import {call} from "./rpc.js";
import {dialog, h, toast} from "./dom.js";
import {message, spokenTime, time} from "./format.js";
import {tr} from "./language.js";
import {attempt} from "./actions.js";
import {may, restriction, sleepSeconds, state, tickWhilePlaying} from "./state.js";

/** Returns the chapters of a track; null if it has none. Throws `CallError` if they cannot be read. */
export async function chaptersOf(track) {
  const {chapters} = await call("chapters", {uri: track.uri});
  return chapters.length ? chapters : null;
}

export async function showChapters() {
  const result = await attempt("chapters", {});
  if (!result) return;
  if (!result.chapters.length) return dialog(tr("Chapters"), tr("Close"), h("p", {}, tr("This track has no chapters.")));
  const shown = dialog(tr("Chapters"), tr("Close"), h("ol.menu", {}, result.chapters.map((chapter, index) =>
    h("li", {"aria-current": index === result.current ? "true" : null},
      h("button", {type: "button", disabled: !may("control"), onclick: () => { shown.close(); attempt("seek", {position: chapter.start}); }},
        h("span", {dir: "auto"}, chapter.title || tr("Chapter %1$s", index + 1)), h("span.length", {}, time(chapter.start)))))));
}

/** Shows a choice. `above` is what is above it: sentences and elements. */
function choices(heading, above, entries) {
  const shown = dialog(heading, tr("Close"), [above].flat().filter(part => part).map(part => typeof part === "string" ? h("p.hint", {}, part) : part), h("ul.menu", {"aria-label": heading}, entries.map(({text, run, isOn = false}) =>
    h("li", {}, h("button", {type: "button", disabled: !run, "aria-pressed": String(isOn), onclick: () => { shown.close(); run(); }}, text)))));
  return shown;
}

export function showSpeed() {
  choices(tr("Speed"), restriction("control"), [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3].map(factor => ({
    text: `${factor} ×`, isOn: state.status.speed === factor, run: may("control") && (() => attempt("speed", {factor})),
  })));
}

export function showSleep() {
  const {sleep} = state.status;
  const set = parameters => may("control") && (async () => {
    if (await attempt("sleep", parameters) && parameters.seconds) toast(tr("Playback stops in %1$s.", spokenTime(parameters.seconds)));
  });
  const rest = sleepSeconds();
  const countdown = h("p.hint", {"aria-live": "off"});
  const minutes = h("input", {id: "minutes", type: "number", min: 1, max: 1440, step: 1, required: true, inputmode: "numeric", placeholder: "20"});
  const stop = tickWhilePlaying(() => {
    const left = sleepSeconds();
    countdown.textContent = left === null ? "" : tr("Playback stops in %1$s.", spokenTime(left));
  });
  const own = may("control") && h("form.line", {onsubmit: event => {
    event.preventDefault();
    event.target.closest("dialog").close();
    set({seconds: Number(minutes.value) * 60})();
  }}, h("label", {for: "minutes"}, tr("Minutes")), minutes, h("button.primary", {}, tr("Set")));
  choices(tr("Sleep timer"), [restriction("control"), countdown, own], [
    ...(sleep ? [{text: tr("Off"), run: set({off: true})}] : []),
    ...(rest === null ? [] : [{text: tr("5 minutes more"), run: may("control") && (() => set({seconds: Math.min((sleepSeconds() ?? 0) + 300, 86_400)})())}]),
    ...[15, 30, 45, 60, 90].map(minutes => ({text: tr("%1$s minutes", minutes), run: set({seconds: minutes * 60})})),
    {text: tr("At the end of the track"), isOn: sleep?.after === "track", run: set({after: "track"})},
    {text: tr("At the end of the album"), isOn: sleep?.after === "album", run: set({after: "album"})},
    {text: tr("At the end of the queue"), isOn: sleep?.after === "queue", run: set({after: "queue"})},
  ]).addEventListener("close", stop);
}

/** Returns the name of the output on which the machine plays, or would play; an empty text if there is none. */
export async function outputName() {
  const {outputs} = await call("output.list");
  return outputs.find(output => output.current)?.description ?? "";
}

export async function showOutputs() {
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
