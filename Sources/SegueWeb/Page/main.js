// The start of the page: who is not signed in signs in; everybody else sees the screens.
import {close, connect, call, whenSignedOut} from "./rpc.js";
import {h, icon} from "./dom.js";
import {load, tr} from "./language.js";

await load();
// These modules have texts, which are translated when the modules are loaded.
const [account, settings, {bar, player}, router, {state}, {message}] = await Promise.all([
  import("./account.js"), import("./settings.js"), import("./player.js"), import("./router.js"), import("./state.js"), import("./format.js"),
  import("./queue.js"), import("./library.js"), import("./search.js"), import("./catalog.js"), import("./lists.js"),
]);
settings.applyTheme();

const toasts = h("div.toasts", {role: "status", "aria-live": "polite"});

function showWelcome() {
  close();
  document.body.replaceChildren(account.welcome(() => start()), toasts);
}

/** The links to the screens. Those without a place on a phone are behind "More". */
const places = [
  ["queue", tr("Queue"), "queue", "#/queue"], ["library", tr("Library"), "library", "#/library/albums"], ["search", tr("Search"), "search", "#/search/library"],
  ["favorites", tr("Favorites"), "heart", "#/favorites"], ["popular", tr("Popular"), "radio", "#/popular/song"], ["playlists", tr("Playlists"), "lyrics", "#/playlists"],
  ["history", tr("History"), "clock", "#/history/time"], ["settings", tr("Settings"), "settings", "#/settings"], ["profile", tr("Profile"), "user", "#/profile"],
];

function showScreens() {
  const links = places.map(([name, text, symbol, address]) => h("a", {href: address, "data-name": name}, icon(/** @type {any} */ (symbol)), h("span", {}, text)));
  const more = h("a.more", {href: "#/more", "data-name": "more"}, icon("more"), h("span", {}, tr("More")));
  const place = h("main", {tabindex: "-1"});
  const panel = h("aside.panel", {"aria-label": tr("Player")});
  panel.append(player().element);
  document.body.replaceChildren(
    h("a.skip", {href: "#main", onclick: event => { event.preventDefault(); place.focus(); }}, tr("Skip to the content")),
    h("nav.main", {"aria-label": tr("Screens")}, links, more), place, panel, bar(openPlayer), toasts);
  router.addScreen("more", () => ({title: tr("More"), element: h("section", {}, h("header.screen", {}, h("h1", {}, tr("More"))),
    h("ul.menu", {}, places.slice(3).map(([, text, symbol, address]) => h("li", {}, h("a", {href: address}, icon(/** @type {any} */ (symbol)), h("span", {}, text))))))}));
  router.start(place, (_, name) => {
    const areas = {album: "library", artist: "library", genre: "library", folder: "library", track: "library", item: "popular", playlist: "playlists"};
    for (const link of [...links, more]) {
      const isCurrent = link.dataset.name === (areas[name] ?? name);
      if (isCurrent) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    }
  });
}

/** Shows the whole player above the screen, on a phone. */
function openPlayer() {
  const {element, close: end} = player();
  const shown = h("dialog.player", {"aria-label": tr("Player")}, h("button.symbol", {type: "button", "aria-label": tr("Close the player"), onclick: () => shown.close()}, icon("down")), element);
  shown.addEventListener("close", () => { end(); shown.remove(); });
  document.body.append(shown);
  shown.showModal();
}

async function start() {
  try {
    account.setPerson(await call("web.profile"));
  } catch (error) {
    if (error.kind === "denied") return showWelcome();
    document.body.replaceChildren(h("main.welcome", {}, h("p.error", {role: "alert"}, message(error)), h("button.primary", {type: "button", onclick: start}, tr("Try again"))), toasts);
    return;
  }
  whenSignedOut(showWelcome);
  state.connected = true;
  showScreens();
  connect();
}

if (/^#(pair|invite)=/.test(location.hash)) showWelcome(); else start();
