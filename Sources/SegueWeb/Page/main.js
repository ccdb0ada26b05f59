// The start of the page: who is not signed in signs in; everybody else sees the screens.
import {close, connect, whenSignedOut} from "./rpc.js";
import {h, icon, placeToasts, set, show} from "./dom.js";
import {load, tr} from "./language.js";

await load();
// These modules have texts, which are translated when the modules are loaded.
const [account, settings, {bar, player}, {lyricsPanel}, router, {may, state}, {message}, {attempt}, media] = await Promise.all([
  import("./account.js"), import("./settings.js"), import("./player.js"), import("./lyrics.js"), import("./router.js"), import("./state.js"), import("./format.js"), import("./actions.js"), import("./media.js"),
  import("./queue.js"), import("./library.js"), import("./search.js"), import("./catalog.js"), import("./lists.js"),
]);
settings.applyTheme();

function showWelcome() {
  document.body.replaceChildren(account.welcome(() => start()));
  placeToasts();
}

/** The links to the screens. All but the first ones are behind "More" on a phone. */
const places = [
  ["queue", tr("Queue"), "queue", "#/queue"], ["library", tr("Library"), "library", "#/library/albums"], ["search", tr("Search"), "search", "#/search/library"],
  ["favorites", tr("Favorites"), "heart", "#/favorites"], ["popular", tr("Popular"), "chart", "#/popular/song"],
  ["radio", tr("Radio"), "radio", "#/popular/station"], ["playlists", tr("Playlists"), "list", "#/playlists"],
  ["history", tr("History"), "clock", "#/history/time"], ["settings", tr("Settings"), "settings", "#/settings"], ["profile", tr("Profile"), "user", "#/profile"],
];

/** The number of screens that have a tab on a phone; see `nav.main` in style.css. */
const tabCount = 4;

/** The area to which the screens of single things belong. */
const areas = {album: "library", artist: "library", genre: "library", folder: "library", track: "library", item: "popular", playlist: "playlists"};

function showScreens() {
  const links = places.map(([name, text, symbol, address]) => h("a", {href: address, "data-name": name}, icon(/** @type {any} */ (symbol)), h("span", {}, text)));
  const more = h("a.more", {href: "#/more", "data-name": "more"}, icon("more"), h("span", {}, tr("More")));
  const place = h("main", {tabindex: "-1"});
  const panel = h("aside.panel", {"aria-label": tr("Player")});
  panel.append(player().element, lyricsPanel());
  document.body.replaceChildren(
    h("a.skip", {href: "#main", onclick: event => { event.preventDefault(); place.focus(); }}, tr("Skip to the content")),
    h("nav.main", {"aria-label": tr("Screens")}, links, more), place, panel, bar(openPlayer));
  placeToasts();
  router.addScreen("more", () => ({title: tr("More"), element: h("section", {}, h("header.screen", {}, h("h1", {}, tr("More"))),
    h("ul.menu", {}, places.slice(tabCount).map(([, text, symbol, address]) => h("li", {}, h("a", {href: address}, icon(/** @type {any} */ (symbol)), h("span", {}, text)))),
      h("li", {}, h("button", {type: "button", onclick: account.signOut}, icon("close"), h("span", {}, tr("Sign out"))))))}));
  router.start(place, (name, argument) => {
    const area = name === "popular" && argument === "station" ? "radio" : areas[name] ?? name;
    const isBehindMore = places.findIndex(([one]) => one === area) >= tabCount;
    for (const link of links) set(link, {"aria-current": link.dataset.name === area ? "page" : null});
    set(more, {"aria-current": area === "more" || isBehindMore ? "page" : null});
  });
}

/** Keys for who has a keyboard. In a field, and on a control that uses them itself, they do what they do everywhere. */
function handleKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]:not(.player)")) return;
  if (event.target.closest?.("input, select, textarea, button, a") || !state.status) return;
  if (event.key === "/") router.go("/search/library");
  else if (event.key === " " && may("control")) attempt("toggle");
  else return;
  event.preventDefault();
}

/** Shows the whole player above the screen, on a phone. */
function openPlayer() {
  const {element, close: end} = player();
  const shown = h("dialog.player", {"aria-label": tr("Player")}, h("button.symbol", {type: "button", "aria-label": tr("Close the player"), onclick: () => shown.close()}, icon("down")), element);
  shown.addEventListener("close", end);
  show(shown);
}

/** Shows the screens. Who was signed in the last time sees them at once, while the server is still asked. */
async function start() {
  const expected = account.rememberedRole();
  const begin = () => {
    showScreens();
    connect();
    if (media.isWanted()) media.start();
  };
  if (expected) begin();
  try {
    const role = await account.readProfile();
    if (!expected) begin(); else if (role !== expected) location.reload();
  } catch (error) {
    if (expected && error.kind === "denied") return signOut();
    if (expected) return;
    if (error.kind === "denied") return showWelcome();
    document.body.replaceChildren(h("main.welcome", {}, h("p.error", {role: "alert"}, message(error)), h("button.primary", {type: "button", onclick: start}, tr("Try again"))));
  }
}

/** Begins anew, because this browser is not signed in any more. */
function signOut() {
  close();
  account.forgetRole();
  location.reload();
}

whenSignedOut(signOut);
addEventListener("keydown", handleKey);

if (/^#(pair|invite)=/.test(location.hash)) { account.forgetRole(); showWelcome(); } else start();
