// Search: in the library and online, with what was searched for before and completions.
import {call, CallError} from "./rpc.js";
import {failed, fill, h, icon, nothing, set} from "./dom.js";
import {tr} from "./language.js";
import {addScreen} from "./router.js";
import {tabs} from "./library.js";
import {RowList} from "./list.js";
import {albumTile, artistRow, itemTile, kinds, selectableByURI, trackRow} from "./rows.js";
import {may} from "./state.js";
import {withArrows} from "./tiles.js";

addScreen("search", (place, query) => {
  const online = place === "online";
  const text = query.get("q") ?? "";
  const kind = query.get("kind") ?? "song";
  const address = word => `/search/${online ? "online" : "library"}?q=${encodeURIComponent(word)}${online ? `&kind=${kind}` : ""}`;
  const results = h("div.results", {"aria-live": "off"});
  // A search whose results are used is one that the person will want to repeat.
  results.addEventListener("click", event => {
    if (!(/** @type {Element} */ (event.target)).closest(".row, .tile") || !input.value.trim()) return;
    const method = online ? "catalog.search" : "library.search";
    call(method, {query: input.value.trim(), limit: 1, remember: true, ...(online ? {kind} : {})}).catch(() => {});
  });
  const summary = h("p.unseen", {role: "status"});
  const options = h("datalist", {id: "suggestions"});
  const input = h("input", {
    type: "search", value: text, list: "suggestions", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search",
    "aria-label": online ? tr("Search online") : tr("Search the library"), placeholder: online ? tr("Songs, films, stations…") : tr("Songs, albums, artists…"),
  });
  const cancel = h("button.symbol", {type: "button", "aria-label": tr("Clear"), onclick: () => { input.value = ""; update(); input.focus(); }}, icon("close"));
  let timer = 0;
  let generation = 0;
  /** @type {RowList | null} */
  let list = null;

  const update = () => {
    takeWordsAlong();
    clearTimeout(timer);
    timer = setTimeout(run, 150);
  };
  input.addEventListener("input", update);

  /** Lets the links to the other place and to other kinds search for the same words. */
  function takeWordsAlong() {
    const words = encodeURIComponent(input.value.trim());
    for (const link of [...places.children, ...kindTabs ? kindTabs.children : []]) set(link, {href: link.getAttribute("href")?.replace(/q=[^&]*/, `q=${words}`)});
  }

  async function run(isFinal = false) {
    const words = input.value.trim();
    const number = ++generation;
    cancel.hidden = !words;
    history.replaceState(history.state, "", `#${address(words)}`);
    list?.close();
    list = null;
    if (!words || online && words.length < 3) return showHints(words, number);
    suggest(words, number);
    try {
      const found = online
        ? await call("catalog.search", {query: words, kind, limit: 60, remember: isFinal})
        : await call("library.search", {query: words, limit: 30, remember: isFinal});
      if (number !== generation) return;
      fill(results, online ? onlineResults(found) : libraryResults(found, words));
      const count = online ? found.items.length : found.total;
      summary.textContent = count ? tr("%1$s results", count) : tr("Nothing was found.");
    } catch (error) {
      if (number === generation && error.kind !== "cancelled") fill(results, failed(error, () => run()));
    }
  }

  async function suggest(words, number) {
    try {
      const found = online
        ? (await call("catalog.suggest", {prefix: words, kind, limit: 8})).items.map(item => item.title)
        : (await call("library.suggest", {prefix: words, limit: 8})).suggestions.map(one => one.text);
      if (number === generation) fill(options, [...new Set(found)].map(value => h("option", {value})));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }

  /** Shows what was searched for before. */
  async function showHints(words, number) {
    let searches = [];
    if (may("control")) {
      try {
        searches = (await call(online ? "catalog.searches" : "history.searches", {})).searches;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
      }
    }
    if (number !== generation) return;
    const hint = online && words ? tr("Enter at least three characters.") : tr("The results follow what you type.");
    fill(results, nothing("search", hint), searches.length > 0 && h("h2", {}, tr("Searched before")),
      h("ul.menu", {}, searches.map(word => h("li", {}, h("button", {type: "button", onclick: () => { input.value = word; run(true); }},
        icon("clock"), h("span", {dir: "auto"}, word))))));
  }

  function libraryResults(found, words) {
    if (!found.total) {
      return nothing("search", tr("Nothing was found. Try fewer words, or search online."),
        h("a.button", {href: `#/search/online?q=${encodeURIComponent(words)}`}, tr("Search online")));
    }
    list = new RowList({
      label: tr("Songs"), row: track => trackRow(track), select: selectableByURI,
      load: async (offset, limit) => {
        const page = await call("library.search", {query: words, type: "track", offset, limit, remember: false});
        return {items: page.tracks, total: page.total};
      },
    });
    if (found.tracks.length) list.reload();
    return [
      found.correction && h("p.correction", {}, tr("Results for “%1$s”", found.correction)),
      found.artists.length > 0 && [h("h2", {}, tr("Artists")), h("ul.rows.short", {role: "list"}, found.artists.slice(0, 4).map(artistRow))],
      found.albums.length > 0 && [h("h2", {}, tr("Albums")), withArrows(h("ul.tiles.shelf", {role: "list"}, found.albums.map(album => h("li", {}, albumTile(album)))))],
      found.tracks.length > 0 && [h("h2", {}, tr("Songs")), list.holder],
    ];
  }

  function onlineResults(page) {
    if (!page.items.length) return nothing("search", tr("Nothing was found."));
    return [
      page.stale && h("p.correction", {}, tr("The service cannot be reached. These results are older.")),
      h("ul.tiles", {role: "list"}, page.items.map(item => h("li", {}, itemTile(item)))),
      page.attribution && h("p.attribution", {}, page.attribution),
    ];
  }

  const places = tabs(tr("Where to search"), [["library", tr("Library"), "#/search/library?q="], ["online", tr("Online"), "#/search/online?q="]],
    online ? "online" : "library");
  const kindTabs = online && tabs(tr("Kind"), ["song", "album", "artist", "film", "audiobook", "podcast", "station", "person"].map(value =>
    [value, kinds[value], `#/search/online?q=&kind=${value}`]), kind);
  takeWordsAlong();
  // On a phone, the keyboard would cover the half of the screen.
  if (!text && matchMedia("(pointer: fine)").matches) setTimeout(() => input.focus({preventScroll: true}));
  run();
  return {
    title: tr("Search"),
    element: h("section", {}, h("header.screen", {}, h("h1", {}, tr("Search"))),
      places, h("form.search", {role: "search", onsubmit: event => { event.preventDefault(); input.blur(); run(true); }}, h("div.field", {}, input, cancel), options),
      kindTabs, summary, results),
    close: () => { clearTimeout(timer); generation += 1; list?.close(); },
  };
});
