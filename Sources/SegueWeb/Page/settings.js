// The settings of the page, and those of the machine.
import {call, listen} from "./rpc.js";
import {failed, fill, h, set} from "./dom.js";
import {countryNames, nameOf} from "./format.js";
import {loadDaemonTexts, tr} from "./language.js";
import {attempt} from "./actions.js";
import * as media from "./media.js";
import {addScreen} from "./router.js";
import {may, observe, restriction, state} from "./state.js";

/** The colours of the page behind everything; see `--page` in style.css. */
const frames = {light: "#f6f5f2", dark: "#141417"};

/** Applies the theme that was chosen: light, dark, or that of the system. */
export function applyTheme() {
  const theme = localStorage.getItem("theme") ?? "system";
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
  // The colour of the frame around the page, on a phone.
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    const own = meta.getAttribute("media").includes("dark") ? "dark" : "light";
    meta.setAttribute("content", frames[theme === "system" ? own : theme]);
  }
}

function choice(label, entries, current, choose) {
  const select = h("select", {id: label, onchange: () => choose(select.value)}, entries.map(([value, text]) => h("option", {value, selected: value === current}, text)));
  return h("div.field.line", {}, h("div.about", {}, h("label", {for: label}, label)), select);
}

addScreen("settings", () => {
  const {element: machine, close} = may("own") ? machineSettings() : {element: h("p.hint", {}, restriction("own")), close: () => {}};
  const lockScreen = h("input", {id: "media", type: "checkbox", checked: media.isWanted(), onchange: () => media.want(lockScreen.checked)});
  return {title: tr("Settings"), close, element: h("section", {},
    h("header.screen", {}, h("h1", {}, tr("Settings"))),
    h("h2", {}, tr("This page")),
    choice(tr("Theme"), [["system", tr("Automatic")], ["light", tr("Light")], ["dark", tr("Dark")]], localStorage.getItem("theme") ?? "system", value => {
      localStorage.setItem("theme", value);
      applyTheme();
    }),
    choice(tr("Language"), [["", tr("Automatic")], ["en", "English"], ["ru", "Русский"]], localStorage.getItem("language") ?? "", value => {
      localStorage.setItem("language", value);
      location.reload();
    }),
    media.isAvailable && may("control") && h("div.field.line", {}, h("div.about", {}, h("label", {for: "media"}, tr("Controls on the lock screen")),
      h("p.hint", {}, tr("This page plays silence for them."))), lockScreen),
    h("p", {}, h("a", {href: "#/profile"}, tr("Profile and devices"))),
    h("h2", {}, tr("The machine")), machine)};
});

/** The headings of the sections of segue.conf. */
const sections = {Output: tr("Sound"), Player: tr("Playback"), Desktop: tr("Desktop"), Catalog: tr("Online catalogues")};

/** The settings of the machine that can be changed from here. They follow the changes of others. */
function machineSettings() {
  /** What shows another value of a setting, by its name. @type {Map<string, (setting: any) => void>} */
  const rows = new Map();
  const place = h("div");
  const scan = h("button", {type: "button", onclick: () => attempt("library.scan")}, tr("Read the music folders again"));
  const draw = () => set(scan, {disabled: state.library?.scanning || !state.running});
  const load = () => Promise.all([call("settings.list"), loadDaemonTexts()]).then(([{settings}]) => show(settings), error => fill(place, failed(error, load)));
  const stops = [observe(draw), listen("settings", ({settings}) => { for (const setting of settings) rows.get(setting.name)?.(setting); })];
  const show = settings => {
    place.replaceChildren();
    let section = "";
    // The output has a dialog of its own in the player.
    for (const setting of settings.filter(one => one.changeable && one.name !== "output.device")) {
      if (setting.section !== section) place.append(h("h3", {}, sections[setting.section] ?? setting.section));
      section = setting.section;
      const {element, show: update} = row(setting);
      place.append(element);
      rows.set(setting.name, update);
    }
  };
  load();
  draw();
  return {element: h("div.machine", {}, place, h("h3", {}, tr("Library")), h("div.buttons", {}, scan)), close: () => stops.forEach(stop => stop())};
}

/** What a choice shows for the words of segue.conf. */
const words = {
  off: tr("Off"), track: tr("By track"), album: tr("By album"), auto: tr("Automatic"), source: tr("Like the track"),
  paused: tr("Paused"), resume: tr("Goes on"), stopped: tr("Stopped"),
};

/** The languages of the catalogues. Others can be written into segue.conf. */
const languages = ["ar", "be", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "nb", "nl", "pl", "pt",
  "pt-BR", "ro", "ru", "sk", "sl", "sr", "sv", "th", "tr", "uk", "vi", "zh"];

/** Returns the names of codes, by their names, with that of the locale of the machine, and with the present one. */
function named(entries, value, nameOfValue) {
  const isKnown = !value || entries.some(([code]) => code === value);
  return [["", tr("That of the machine")], ...isKnown ? [] : [[value, nameOfValue]], ...entries];
}

/** What can be chosen for settings with codes, by their names. @type {Record<string, (value: any) => string[][]>} */
const lists = {
  "catalog.country": value => named(countryNames(), value?.toUpperCase(), value),
  "catalog.language": value => named(languages.map(code => [code, nameOf("language", code)]).sort((one, other) => one[1].localeCompare(other[1])), value, value),
};

/** A setting with its control. `show` shows another value, but not while the person changes it. */
function row(setting) {
  const id = `setting-${setting.name}`;
  const isBoolean = setting.type === "boolean";
  const isNumber = setting.type === "integer" || setting.type === "number";
  let {value} = setting;
  const names = setting.type === "choice" ? setting.words.map(word => [word, words[word] ?? word]) : lists[setting.name]?.(value);
  const input = names
    ? h("select", {id}, names.map(([word, name]) => h("option", {value: word}, name)))
    : isBoolean ? h("input", {id, type: "checkbox"})
    : isNumber ? h("input", {id, type: "number", min: setting.minimum, max: setting.maximum, step: setting.type === "integer" ? 1 : "any"})
    : h("input", {id, type: "text"});
  const draw = () => {
    if (isBoolean) input.checked = value === true;
    else input.value = setting.name === "catalog.country" ? value?.toUpperCase() ?? "" : value ?? "";
  };
  const show = other => { ({value} = other); if (document.activeElement !== input) draw(); };
  input.addEventListener("change", async () => {
    const wanted = isBoolean ? input.checked : isNumber ? Number(input.value) : input.value || null;
    const result = await attempt("settings.set", {name: setting.name, value: wanted});
    if (result) ({value} = result);
    draw();
  });
  draw();
  set(input, {"aria-describedby": `${id}-hint`});
  return {show, element: h("div.field.line", {}, h("div.about", {}, h("label", {for: id}, tr(setting.label)), h("p.hint", {id: `${id}-hint`}, tr(setting.summary))),
    h("div.value", {}, input, setting.unit && h("span.unit", {}, tr(setting.unit))))};
}
