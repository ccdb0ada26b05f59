// Texts for values.
import {language, tr} from "./language.js";

/** Returns a duration as 3:05 or 1:02:03. */
export function time(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = number => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Returns a duration for a screen reader, such as "3 minutes 5 seconds". */
export function spokenTime(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.max(0, Math.floor(seconds));
  /** @type {[string, number][]} */
  const units = [["hour", Math.floor(whole / 3600)], ["minute", Math.floor(whole / 60) % 60], ["second", whole % 60]];
  const shown = units.filter(([unit, value]) => value || unit === "second" && whole < 60);
  return shown.map(([unit, value]) =>
    new Intl.NumberFormat(language, {style: "unit", unit, unitDisplay: "long"}).format(value)).join(" ");
}

/**
 * Returns a date and time.
 * @param {number} seconds Since 1970.
 * @param {Intl.DateTimeFormatOptions} style
 */
export function date(seconds, style = {dateStyle: "medium", timeStyle: "short"}) {
  return new Intl.DateTimeFormat(language, style).format(new Date(seconds * 1000));
}

/** Returns how long ago something was, or its date if that is more than a day. @param {number} seconds Since 1970. */
export function ago(seconds) {
  const minutes = Math.max(0, Math.round((Date.now() / 1000 - seconds) / 60));
  if (minutes >= 24 * 60) return date(seconds, {dateStyle: "medium"});
  const format = new Intl.RelativeTimeFormat(language, {numeric: "auto", style: "short"});
  return minutes < 60 ? format.format(-minutes, "minute") : format.format(-Math.floor(minutes / 60), "hour");
}

/** The codes and names of all countries, by their names. A browser does not list them, but knows the names of codes. */
export function countryNames() {
  const names = new Intl.DisplayNames(language, {type: "region", fallback: "none"});
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap(first => letters.map(second => first + second)).filter(code => !notCountries.has(code));
  return codes.map(code => [code, names.of(code)]).filter(([, name]) => name).sort((one, other) => one[1].localeCompare(other[1], language));
}

/** Codes with a name that stand for no country, or for one that has another code now. */
const notCountries = new Set([
  "AC", "AN", "BU", "CP", "CQ", "CS", "DD", "DG", "DY", "EA", "EU", "EZ", "FX", "HV", "IC", "NH", "NT", "QO", "RH", "SU", "TA", "TP", "UK", "UN", "VD", "XA",
  "XB", "YD", "YU", "ZR", "ZZ",
]);

/** Returns the name of a language or a region, in the language of the page; the code itself if it is none. @param {"language" | "region"} type */
export function nameOf(type, code) {
  try {
    return new Intl.DisplayNames(language, {type}).of(code);
  } catch {
    return code;
  }
}

export function number(value) { return new Intl.NumberFormat(language).format(value); }

/** Returns a URI, or a part of one, as people read it. A name that is not in UTF-8 stays as it is. */
export function readable(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the name of a file or folder. */
export function fileName(uri) { return readable(uri.split("/").filter(part => part).pop() ?? "/"); }

/** The title of a track, or the name of its file. */
export function title(track) { return track.metadata?.title || track.title || fileName(track.uri).replace(/\.\w+$/, ""); }

/** Returns the artists of a track. */
export function artist(track) { return track.metadata?.artist ?? track.metadata?.albumArtist ?? track.creator ?? ""; }

/** Returns what an error says to a person. */
export function message(error) {
  switch (error.kind) {
    case "unreachable": return tr("The server cannot be reached. Is the machine on, and in the same network?");
    case "offline": return tr("The machine has no connection to the internet.");
    case "timeout": return tr("The service does not answer. Try again.");
    case "rate_limited": {
      const wait = error.retryAfter ? time(Math.ceil(error.retryAfter)) : "";
      return wait ? tr("Too many attempts. Try again in %1$s.", wait) : tr("Too many attempts. Try again later.");
    }
    default: {
      const text = translated(error);
      return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…:]$/.test(text) ? "" : "."}`;
    }
  }
}

/** Returns a message of the daemon in the language of the page, if it has a template. */
function translated(error) {
  if (!error.template) return error.message;
  const values = error.arguments.map(value => typeof value === "string" ? value : translated(value));
  return tr(error.template, ...values);
}
