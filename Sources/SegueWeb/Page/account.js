// Signing in, registration, pairing, and the profile.
import {call} from "./rpc.js";
import {dialog, fill, h, icon, toast, typed} from "./dom.js";
import {date, message} from "./format.js";
import {tr} from "./language.js";
import {attempt} from "./actions.js";
import {loadingScreen} from "./library.js";
import {addScreen} from "./router.js";
import {state} from "./state.js";

/**
 * A field of a form with its label, a hint, and its error below it, which a screen reader reads out.
 * @param {{name: string, label: string, hint?: string, check?: (value: string) => string | null, input?: object, format?: (input: HTMLInputElement) => void}} options
 */
function field({name, label, hint, check = () => null, input: attributes = {}, format}) {
  const error = h("p.error", {id: `${name}-error`, role: "alert"});
  const input = h("input", {id: name, name, required: true, "aria-describedby": hint ? `${name}-hint ${name}-error` : `${name}-error`, ...attributes});
  const show = text => {
    error.textContent = text ?? "";
    input.setAttribute("aria-invalid", text ? "true" : "false");
  };
  let wasLeft = false;
  input.addEventListener("input", () => {
    format?.(input);
    // While a person types for the first time, only what was fixed is said.
    if (wasLeft || input.getAttribute("aria-invalid") === "true") show(check(input.value));
  });
  input.addEventListener("blur", () => { if (input.value) { wasLeft = true; show(check(input.value)); } });
  const element = h("div.field", {}, h("label", {for: name}, label), input, hint && h("p.hint", {id: `${name}-hint`}, hint), error);
  return {name, element, input, show, check: () => { wasLeft = true; const text = check(input.value); show(text); return text === null; }};
}

const latin = /^[A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ]+(?:[ '’-][A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ]+)*$/;

function checkName(value) {
  if (!value) return tr("Enter a name.");
  if ([...value].length > 50) return tr("Use at most 50 letters.");
  return latin.test(value) ? null : tr("Use Latin letters.");
}

/** Returns a date in the past as YYYY-MM-DD, `years` before today. */
function before(years) {
  const today = new Date();
  const two = number => String(number).padStart(2, "0");
  return `${today.getFullYear() - years}-${two(today.getMonth() + 1)}-${two(today.getDate())}`;
}

function checkBirthDate(value) {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value < "1900" || value > before(0)) return tr("Enter a date in the past.");
  return value > before(18) ? tr("You must be at least 18 years old.") : null;
}

/** Writes the digits of a phone number as +375 (xx) xxx-xx-xx while they are typed. */
function formattedPhone(text) {
  let digits = text.replace(/\D/g, "");
  if (digits.startsWith("80")) digits = `375${digits.slice(2)}`;
  if (!"375".startsWith(digits.slice(0, 3))) digits = `375${digits}`;
  digits = digits.slice(0, 12);
  const parts = [digits.slice(3, 5), digits.slice(5, 8), digits.slice(8, 10), digits.slice(10, 12)];
  let result = `+${digits.slice(0, 3)}`;
  if (parts[0]) result += ` (${parts[0]}`;
  if (parts[1]) result += `) ${parts[1]}`;
  if (parts[2]) result += `-${parts[2]}`;
  if (parts[3]) result += `-${parts[3]}`;
  return digits ? result : "";
}

function formatPhone(input) {
  const isAtEnd = input.selectionStart === input.value.length;
  const formatted = formattedPhone(input.value);
  // A person who corrects digits in the middle is not disturbed.
  if (isAtEnd && formatted !== input.value && !/[ ()-]$/.test(input.value)) input.value = formatted;
}

function checkPassword(value) {
  if ([...value].length < 6) return tr("Use at least 6 characters.");
  if (!/\p{Nd}/u.test(value)) return tr("Use at least one digit.");
  if (!/\p{Ll}/u.test(value)) return tr("Use at least one lower-case letter.");
  if (!/\p{Lu}/u.test(value)) return tr("Use at least one upper-case letter.");
  return null;
}

const emailField = () => field({name: "email", label: tr("E-mail"), input: {type: "email", autocomplete: "username", inputmode: "email", maxlength: 254},
  check: value => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value) ? null : tr("Enter an address such as name@example.com.")});

/** Returns a form that calls a method with the values of its fields. */
function form({fields, label, send, alternatives = [], isDangerous = false}) {
  const trouble = h("p.error", {role: "alert"});
  // A field that is left shows its error, which moves the button: it would be gone before the pointer is released. So the
  // field keeps the focus while the button is pressed.
  const button = h(isDangerous ? "button.primary.danger" : "button.primary", {onmousedown: event => event.preventDefault()}, label);
  return h("form.account", {novalidate: true, onsubmit: async event => {
    event.preventDefault();
    trouble.textContent = "";
    const wrong = fields.filter(one => !one.check());
    if (wrong.length) return wrong[0].input.focus();
    button.disabled = true;
    try {
      await send(Object.fromEntries(fields.map(one => [one.name, one.input.type === "password" ? one.input.value : one.input.value.trim()])));
    } catch (error) {
      for (const one of fields) if (error.fields[one.name]) one.show(tr(error.fields[one.name]));
      if (Object.keys(error.fields).length) fields.find(one => error.fields[one.name])?.input.focus();
      else trouble.textContent = message(error);
    } finally {
      button.disabled = false;
    }
  }}, fields.map(one => one.element), trouble, button, alternatives);
}

/**
 * The page for who is not signed in.
 * @param {(role: string) => void} done Called when the person is signed in.
 */
export function welcome(done) {
  const place = h("main.welcome", {tabindex: "-1"});
  const [, action, secret] = /^#(pair|invite)=([\w-]+)$/.exec(location.hash) ?? [];
  // The secret stays neither in the address nor in the history of the browser.
  if (secret) history.replaceState(null, "", "/");
  if (action === "pair") pair(place, secret, done); else if (action === "invite") register(place, secret, done); else signIn(place, done);
  return place;
}

function frame(place, heading, ...children) {
  fill(place, h("img.logo", {src: new URL("./icon.svg", import.meta.url).href, alt: ""}), h("h1", {}, heading), children);
}

async function pair(place, token, done) {
  frame(place, tr("Signing in…"));
  try {
    done((await call("web.pair", {token})).role);
  } catch (error) {
    frame(place, "Segue", h("p.error", {role: "alert"}, error.kind === "denied" ? tr("The code is not valid any more. Show a new one on the machine.") : message(error)));
    place.append(h("button", {type: "button", onclick: () => signIn(place, done)}, tr("Sign in with a password")));
  }
}

async function signIn(place, done) {
  const email = emailField();
  const password = field({name: "password", label: tr("Password"), input: {type: "password", autocomplete: "current-password", maxlength: 256},
    check: value => value ? null : tr("Enter the password.")});
  frame(place, tr("Sign in"), form({fields: [email, password], label: tr("Sign in"), send: async values => done((await call("web.signIn", values)).role)}),
    h("p.hint", {}, typed(tr("On the machine with the music, `segue web pair` shows a code that signs a phone in without a password."))));
  email.input.focus();
  const {registration} = await call("web.state").catch(() => ({registration: "closed"}));
  if (registration === "open") {
    place.querySelector("form").after(h("button", {type: "button", onclick: () => register(place, undefined, done)}, tr("Register")));
  } else if (registration === "invitation") {
    place.append(h("p.hint", {}, tr("To register, you need an invitation of the owner.")));
  }
}

function register(place, invitation, done) {
  const fields = [
    field({name: "firstName", label: tr("First name"), check: checkName, input: {autocomplete: "given-name", maxlength: 60}}),
    field({name: "lastName", label: tr("Last name"), check: checkName, input: {autocomplete: "family-name", maxlength: 60}}),
    field({name: "birthDate", label: tr("Date of birth"), check: checkBirthDate, hint: tr("You must be at least 18 years old."),
      input: {type: "date", autocomplete: "bday", min: "1900-01-01", max: before(18)}}),
    field({name: "phone", label: tr("Phone"), format: formatPhone, input: {type: "tel", autocomplete: "tel", placeholder: "+375 (29) 123-45-67", maxlength: 30},
      check: value => /^\+375 \(\d\d\) \d{3}-\d\d-\d\d$/.test(value) ? null : tr("Enter a number such as +375 (29) 123-45-67.")}),
    emailField(),
    field({name: "password", label: tr("Password"), check: checkPassword, input: {type: "password", autocomplete: "new-password", maxlength: 256},
      hint: tr("At least 6 characters with a digit, a lower-case and an upper-case letter.")}),
  ];
  frame(place, tr("Register"), form({
    fields, label: tr("Register"), send: async values => done((await call("web.register", {...values, invitation})).role),
    alternatives: [h("button.text", {type: "button", onclick: () => signIn(place, done)}, tr("I have an account"))],
  }));
  fields[0].input.focus();
}

// MARK: The profile

addScreen("profile", () => loadingScreen(tr("Profile"), () => call("web.profile"), ({person, role}) => {
  const roles = {listen: tr("See what is played"), control: tr("Control playback and the queue"), own: tr("Control everything")};
  const facts = person ? [
    [tr("First name"), person.firstName], [tr("Last name"), person.lastName], [tr("Date of birth"), date(Date.parse(person.birthDate) / 1000, {dateStyle: "long", timeZone: "UTC"})],
    [tr("Phone"), person.phone], [tr("E-mail"), person.email], [tr("Registered"), date(person.registered)],
  ] : [];
  return [
    h("header.person", {}, h("div.cover.round", {"aria-hidden": "true"}, person ? `${[...person.firstName][0]}${[...person.lastName][0]}` : icon("user")),
      h("div", {}, h("h1", {}, person ? `${person.firstName} ${person.lastName}` : tr("This browser")), h("p.detail", {}, roles[role]))),
    !person && h("p", {}, tr("This browser was signed in with a code. It has no account.")),
    h("dl.facts", {}, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("div.buttons", {},
      h("button", {type: "button", onclick: signOut}, tr("Sign out")),
      person && h("button", {type: "button", onclick: changePassword}, tr("Change the password…")),
      person && h("button.danger", {type: "button", onclick: deleteAccount}, tr("Delete the account…"))),
    person && devices(),
    role === "own" && h("p.hint", {}, typed(tr("On the machine with the music, `segue web users` and `segue web devices` show who else is signed in."))),
  ];
}));

export async function signOut() {
  if (await attempt("web.signOut")) leave();
}

function changePassword() {
  const fields = [
    field({name: "old", label: tr("Current password"), check: value => value ? null : tr("Enter the password."), input: {type: "password", autocomplete: "current-password"}}),
    field({name: "new", label: tr("New password"), check: checkPassword, input: {type: "password", autocomplete: "new-password", maxlength: 256}}),
  ];
  const shown = dialog(tr("Change the password"), tr("Close"), form({fields, label: tr("Change"), send: async values => {
    await call("web.changePassword", values);
    shown.close();
    toast(tr("The password was changed. Your other devices are signed out."));
  }}));
}

function deleteAccount() {
  const fields = [field({name: "password", label: tr("Password"), check: value => value ? null : tr("Enter the password."), input: {type: "password", autocomplete: "current-password"}})];
  dialog(tr("Delete the account"), tr("Close"), h("p", {}, tr("Everything that is stored about you is deleted, and all your devices are signed out. This cannot be undone.")),
    form({fields, label: tr("Delete the account"), isDangerous: true, send: async values => {
      await call("web.deleteAccount", values);
      leave();
    }}));
}

/** The devices of the person, with their last use; each can be signed out. */
function devices() {
  const list = h("ul.rows.short", {role: "list"});
  const read = async () => {
    const result = await attempt("web.devices");
    if (!result) return;
    fill(list, result.devices.map(device => h("li.row", {role: "listitem"},
      h("span.main", {}, h("span.texts", {}, h("span.title", {}, device.name),
        h("span.detail", {}, device.current ? tr("This browser") : tr("Last used %1$s", date(device.used))))),
      !device.current && h("button", {type: "button", onclick: async () => {
        if (await attempt("web.removeDevice", {id: device.id})) read();
      }}, tr("Sign out")))));
  };
  read();
  return [h("h2", {}, tr("Devices")), list];
}

// MARK: The role

/** Returns the role with which this browser was signed in the last time; null if it was not. */
export function rememberedRole() {
  const role = localStorage.getItem("role");
  if (role) state.role = role;
  return role;
}

export function forgetRole() { localStorage.removeItem("role"); }

/** Shows the page to somebody who is not signed in any more. */
function leave() {
  forgetRole();
  location.replace("/");
}

/** Reads the role of this browser, and returns it. Throws if it is not signed in. */
export async function readProfile() {
  const {role} = await call("web.profile");
  state.role = role;
  localStorage.setItem("role", role);
  return role;
}
