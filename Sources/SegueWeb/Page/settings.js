// The settings of the page, and those of the machine.
import {call} from "./rpc.js";
import {fill, h} from "./dom.js";
import {message} from "./format.js";
import {tr} from "./language.js";
import {attempt} from "./actions.js";
import {addScreen} from "./router.js";
import {may, state} from "./state.js";

/** Applies the theme that was chosen: light, dark, or that of the system. */
export function applyTheme() {
  const theme = localStorage.getItem("theme") ?? "system";
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function choice(label, entries, current, choose) {
  const select = h("select", {id: label, onchange: () => choose(select.value)}, entries.map(([value, text]) => h("option", {value, selected: value === current}, text)));
  return h("div.field.line", {}, h("label", {for: label}, label), select);
}

addScreen("settings", () => {
  const machine = h("div");
  if (may("own")) showMachine(machine);
  return {title: tr("Settings"), element: h("section", {},
    h("header.screen", {}, h("h1", {}, tr("Settings"))),
    h("h2", {}, tr("This page")),
    choice(tr("Theme"), [["system", tr("That of the system")], ["light", tr("Light")], ["dark", tr("Dark")]], localStorage.getItem("theme") ?? "system", value => {
      localStorage.setItem("theme", value);
      applyTheme();
    }),
    choice(tr("Language"), [["", tr("That of the browser")], ["en", "English"], ["ru", "Русский"]], localStorage.getItem("language") ?? "", value => {
      localStorage.setItem("language", value);
      location.reload();
    }),
    h("p", {}, h("a", {href: "#/profile"}, tr("Profile and devices"))),
    machine)};
});

async function showMachine(place) {
  const draw = async () => {
    let settings;
    try {
      ({settings} = await call("settings.list"));
    } catch (error) {
      return fill(place, h("p.error", {role: "alert"}, message(error)));
    }
    fill(place, h("h2", {}, tr("The machine")),
      settings.filter(setting => setting.changeable).map(setting => row(setting, draw)),
      h("div.buttons", {}, h("button", {type: "button", disabled: state.library?.scanning, onclick: () => attempt("library.scan")}, tr("Read the music folders again"))));
  };
  draw();
}

function row(setting, draw) {
  const change = async value => { await attempt("settings.set", {name: setting.name, value}); draw(); };
  const id = `setting-${setting.name}`;
  let input;
  switch (setting.type) {
    case "boolean":
      input = h("input", {id, type: "checkbox", checked: setting.value === true, onchange: () => change(input.checked)});
      break;
    case "choice":
      input = h("select", {id, onchange: () => change(input.value)}, setting.words.map(word => h("option", {value: word, selected: word === setting.value}, word)));
      break;
    case "integer":
    case "number":
      input = h("input", {id, type: "number", value: setting.value ?? "", min: setting.minimum, max: setting.maximum, step: setting.type === "integer" ? 1 : "any",
        onchange: () => change(Number(input.value))});
      break;
    default:
      input = h("input", {id, type: "text", value: setting.value ?? "", onchange: () => change(input.value || null)});
  }
  return h("div.field.line", {}, h("label", {for: id}, tr(setting.summary)), input, setting.unit && h("span.unit", {}, tr(setting.unit)));
}
