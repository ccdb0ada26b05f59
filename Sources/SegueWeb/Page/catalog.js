// Online catalogues: what is popular, people, radio, and details.
import {call, CallError} from "./rpc.js";
import {cover} from "./cover.js";
import {fill, h, icon} from "./dom.js";
import {countryNames, date, nameOf, number, spokenTime} from "./format.js";
import {plural, tr} from "./language.js";
import {add, favoriteButton, playNow, playTrack} from "./actions.js";
import {backButton, loadingScreen, tabs} from "./library.js";
import {showFullCover} from "./player.js";
import {addScreen, go} from "./router.js";
import {itemTile, kinds} from "./rows.js";
import {may} from "./state.js";
import {tiles} from "./tiles.js";

function popularTabs(current) {
  return tabs(tr("Popular"), [
    ["song", tr("Songs"), "#/popular/song"], ["album", tr("Albums"), "#/popular/album"], ["film", tr("Films"), "#/popular/film"],
    ["podcast", tr("Podcasts"), "#/popular/podcast"], ["people", tr("People"), "#/popular/people"],
  ], current);
}

addScreen("popular", (name, query) => {
  const kind = name || "song";
  const genre = query.get("genre") ?? undefined;
  const country = query.get("country") ?? undefined;
  const attribution = h("p.attribution");
  const genres = h("select", {"aria-label": tr("Genre"), hidden: true, onchange: () => filter({genre: genres.value})});
  const countries = h("select", {"aria-label": tr("Country"), onchange: () => filter({country: countries.value})});
  const filter = change => {
    const chosen = new URLSearchParams(Object.entries({genre, country, ...change}).filter(([, value]) => value)).toString();
    go(`/popular/${kind}${chosen && `?${chosen}`}`);
  };
  let isRefreshing = false;
  const list = tiles({
    label: tr("Popular"), tile: itemTile, isRanked: kind !== "people",
    load: async (offset, limit) => {
      const params = {offset, limit: Math.min(limit, 20), refresh: isRefreshing && offset === 0};
      const page = kind === "people" ? await call("catalog.people", params) : await call("catalog.popular", {kind, genre, country, ...params});
      attribution.textContent = [page.stale && tr("The service cannot be reached. These results are older."), page.attribution].filter(text => text).join(" ");
      return {items: page.items, total: page.total};
    },
  });
  const refresh = async () => {
    isRefreshing = true;
    element.classList.add("pulled");
    await list.reload();
    element.classList.remove("pulled");
    isRefreshing = false;
  };
  if (kind !== "people") {
    fill(countries, h("option", {value: ""}, tr("Default country")), countryNames().map(([value, text]) => h("option", {value, selected: value === country}, text)));
    showGenres(genres, kind, genre);
  }
  const isRadio = kind === "station";
  const heading = isRadio ? tr("Radio") : tr("Popular");
  const field = h("input", {type: "search", "aria-label": tr("Search stations"), placeholder: tr("Name of a station"), enterkeyhint: "search"});
  const element = h("section", {},
    h("header.screen", {}, h("h1", {}, heading), h("button.symbol", {type: "button", "aria-label": tr("Refresh"), onclick: refresh}, icon("refresh"))),
    isRadio ? h("form.search", {role: "search", onsubmit: event => {
      event.preventDefault();
      go(`/search/online?q=${encodeURIComponent(field.value.trim())}&kind=station`);
    }}, field, h("button.symbol", {"aria-label": tr("Search")}, icon("search"))) : popularTabs(kind),
    kind !== "people" && h("div.filters", {}, genres, countries), list.element, attribution);
  pullToRefresh(element, refresh);
  return {title: heading, element, close: list.close};
});

/** Fills the choice of genres; it stays hidden if the catalogue has none. @param {HTMLSelectElement} choice */
async function showGenres(choice, kind, current) {
  let genres;
  try {
    ({genres} = await call("catalog.genres", {kind}));
  } catch (error) {
    if (error instanceof CallError) return;
    throw error;
  }
  if (!genres.length) return;
  fill(choice, h("option", {value: ""}, kind === "film" ? tr("Usual genre") : tr("All genres")),
    genres.map(genre => h("option", {value: genre.id, selected: genre.id === current}, genre.name)));
  choice.hidden = false;
}

/** Calls a function when the person pulls the beginning of a screen down. */
function pullToRefresh(element, refresh) {
  let from = null;
  element.addEventListener("touchstart", event => { from = scrollY === 0 ? event.touches[0].clientY : null; }, {passive: true});
  element.addEventListener("touchmove", event => {
    if (from === null || scrollY > 0) return;
    element.classList.toggle("pulled", event.touches[0].clientY - from > 80);
  }, {passive: true});
  element.addEventListener("touchend", () => {
    if (from !== null && element.classList.contains("pulled")) refresh();
    from = null;
  });
}

/** Plays an item: one of many tracks replaces the queue. */
function play(item) {
  if (["album", "podcast"].includes(item.kind)) playNow([item.uri]); else playTrack(item.uri);
}

/** The labels of facts; the daemon names them. */
const facts = {
  album: tr("Album"), track: tr("Track"), disc: tr("Disc"), tracks: tr("Tracks"), explicit: tr("Explicit"), advisory: tr("Age rating"), price: tr("Price"),
  copyright: tr("Copyright"), country: tr("Country"), podcast: tr("Podcast"), feed: tr("Feed"), codec: tr("Codec"), bitrate: tr("Bit rate in kbit/s"),
  original_title: tr("Original title"), tagline: tr("Tagline"), director: tr("Director"), cast: tr("Cast"), character: tr("Role"), revenue: tr("Revenue"),
  homepage: tr("Home page"), born: tr("Born"), died: tr("Died"), birthplace: tr("Place of birth"), department: tr("Profession"), known_for: tr("Known for"),
};

function dollars(value) { return `$${number(Number(value))}`; }

/** Returns a date as people write it: a year, a month or a day. */
function dateName(text) {
  const [year, month, day] = text.split("-");
  if (!month) return year;
  return date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)) / 1000, {year: "numeric", month: "long", day: day ? "numeric" : undefined, timeZone: "UTC"});
}

function factValue({name, value}) {
  if (name === "revenue" && /^\d+$/.test(value)) return dollars(value);
  if (name === "country" && /^[A-Z]{2}$/.test(value)) return nameOf("region", value);
  return /^\d{4}-\d\d-\d\d$/.test(value) ? dateName(value) : value;
}

addScreen("item", uri => loadingScreen(tr("Details"), async () => {
  const isPerson = /^\w+:(person|artist):/.test(uri);
  try {
    return await call(isPerson ? "catalog.person" : "catalog.info", {uri});
  } catch (error) {
    throw error.kind === "not_found" ? new CallError("not_found", tr("This is not available any more.")) : error;
  }
}, ({item, contents, attribution, stale}) => {
  const score = item.rating && [item.rating.value !== null && tr("%1$s of 10", number(item.rating.value)),
    item.rating.votes !== null && plural("%1$d vote", "%1$d votes", item.rating.votes)].filter(text => text).join(" · ");
  const shown = [
    [tr("Date"), item.date && dateName(item.date)], [tr("Duration"), item.duration && spokenTime(item.duration)], [tr("Genres"), item.genres.join(", ")],
    [tr("Rating"), score],
    [tr("Language"), item.language && nameOf("language", item.language)], [tr("Budget"), item.budget && dollars(item.budget)],
    ...item.facts.filter(fact => !["homepage", "feed"].includes(fact.name)).map(fact => [facts[fact.name] ?? fact.name, factValue(fact)]),
  ].filter(([, value]) => value);
  const home = item.facts.find(fact => fact.name === "homepage")?.value ?? item.link;
  return [
    stale && h("p.correction", {}, tr("The service cannot be reached. These results are older.")),
    backButton("/popular/song"),
    h("header.thing", {},
      h("button.plain", {type: "button", "aria-label": tr("Show the picture"), onclick: () => showFullCover(item)},
        cover({uri: item.uri, art: item.art, name: item.title, size: "medium"})),
      h("div", {}, h("h1", {dir: "auto"}, item.title), h("p.detail", {dir: "auto"}, [item.creator, kinds[item.kind]].filter(text => text).join(" · ")),
        h("div.buttons", {},
          item.playable && may("control") && h("button.primary", {type: "button", onclick: () => play(item)}, icon("play"), tr("Play")),
          item.playable && may("control") && h("button", {type: "button", "aria-label": tr("Add to the queue"), onclick: () => add([item.uri], "end")}, icon("add"), tr("Add")),
          favoriteButton(item.uri, item.favorite)))),
    item.description && h("p.description", {dir: "auto"}, item.description),
    h("dl.facts", {}, shown.map(([name, value]) => [h("dt", {}, name), h("dd", {dir: "auto"}, value)])),
    home && /^https?:/.test(home) && h("p", {}, h("a", {href: home, target: "_blank", rel: "noopener noreferrer"}, tr("Home page"))),
    contents.length > 0 && h("ul.tiles", {role: "list"}, contents.map(one => h("li", {}, itemTile(one)))),
    attribution && h("p.attribution", {}, attribution),
  ];
}, "/popular/song"));
