// The language of the page.

const chosen = localStorage.getItem("language") ?? "";
const preferred = (chosen || navigator.language || "en").slice(0, 2);
export const language = ["en", "ru"].includes(preferred) ? preferred : "en";

/** @type {Record<string, string | string[]>} */
let texts = {};

/** Reads the texts of the language: first those of the page, and then those of the daemon, which are seldom shown. */
export async function load() {
  document.documentElement.lang = language;
  if (language === "en") return;
  const read = async name => (await fetch(new URL(`./${name}`, import.meta.url))).json();
  texts = await read(`${language}.json`);
  daemonTexts = read(`${language}.daemon.json`).then(more => { texts = {...more, ...texts}; }, () => {});
}

/** Waits for the texts of the daemon. */
export function loadDaemonTexts() { return daemonTexts; }

let daemonTexts = Promise.resolve();

/** Returns a text in the language of the page, with values for %1$s, %2$s …. */
export function tr(text, ...values) {
  const found = texts[text];
  return filled(typeof found === "string" ? found : text, values);
}

const rules = new Intl.PluralRules(language);
/** The forms of a plural in the files of translations, by the names of Intl. */
const forms = {ru: ["one", "few", "many"]};

/** Returns a text for a number, which replaces %1$d. */
export function plural(one, other, count, ...values) {
  const found = texts[one];
  const all = [new Intl.NumberFormat(language).format(count), ...values];
  if (!Array.isArray(found)) return filled(count === 1 ? one : other, all);
  const form = forms[language].indexOf(rules.select(count));
  return filled(found[form < 0 ? found.length - 1 : form] ?? other, all);
}

function filled(text, values) {
  return values.length ? text.replace(/%(?:(\d)\$[sd]|%)/g, (_, index) => index ? values[index - 1] ?? "" : "%") : text;
}
