// The library: the rows of Home and a search. A press plays on the television.

import { allows, askJSON, onRight, order, repeat } from "./box.js";
import { element, find, setText, showList, symbol } from "./elements.js";
import { say } from "./notice.js";
import { isShown } from "./views.js";
import { count, length, percent } from "./words.js";

const firstEntries = 24, moreEntries = 96;
const searchDelay = 250;
/** How many entries of a row are shown, for the rows of which more were asked for. */
const extended = new Map();
/** Numbers the searches, because an answer may come after that of a later one. */
let lastSearch = 0;
let searchTimer = 0;

async function play(entry) {
    const refusal = await order("v1/play", { id: entry.id });
    say(refusal ?? (entry.locked ? `The television asks for the PIN of ${entry.title}.` : `${entry.title} opens on the television.`));
}

function poster(entry) {
    const frame = element("span", { class: "poster", "aria-hidden": "true" });
    const words = entry.number === undefined ? entry.title : String(entry.number);
    frame.append(entry.locked ? symbol("lock") : element("span", { class: entry.number === undefined ? "stand-in" : "stand-in number", text: words }));
    if (entry.picture) {
        const picture = element("img", { alt: "", loading: "lazy", decoding: "async" });
        // The words stay where the picture cannot be loaded.
        picture.addEventListener("error", () => picture.remove());
        picture.src = `v1/artwork?id=${encodeURIComponent(entry.id)}`;
        frame.append(picture);
        if (entry.number !== undefined) frame.append(element("span", { class: "badge", text: words }));
    }
    if (entry.watched !== undefined) {
        const fill = element("span", { class: "fill" });
        fill.style.transform = `scaleX(${entry.watched})`;
        frame.append(element("span", { class: "track" }, fill));
    }
    return frame;
}

function card(entry) {
    const remarks = [
        entry.locked ? "needs the PIN" : null, entry.watched === undefined ? null : `${percent(entry.watched)} watched`,
    ].filter((remark) => remark !== null);
    const line = entry.subtitle ?? (entry.duration === undefined ? "" : length(entry.duration));
    const button = element(
        "button", { type: "button", class: "card", disabled: !allows("steer"), on: { click: () => play(entry) } },
        poster(entry), element("span", { class: "card-title", dir: "auto", text: entry.title }),
        line ? element("span", { class: "card-line quiet", dir: "auto", text: line }) : null,
        remarks.length ? element("span", { class: "unseen", text: `, ${remarks.join(", ")}` }) : null);
    return element("li", {}, button);
}

function showCards(list, entries) {
    // The same programme may be in a list twice.
    const seen = new Map();
    showList(list, entries, (entry) => {
        const times = (seen.get(entry.id) ?? 0) + 1;
        seen.set(entry.id, times);
        return `${times} ${entry.id}`;
    }, card);
}

// ---- Rows ----

function makeRow(row) {
    const more = element("button", {
        type: "button", class: "plain more", text: "Show more",
        on: { click: () => extendRow(row.id) },
    });
    const made = element(
        "section", { class: "shelf" },
        element("div", { class: "shelf-head" }, element("h3", { dir: "auto" }), element("span", { class: "quiet total" }), more),
        element("ul", { class: "cards" }));
    made.setAttribute("aria-label", row.title);
    updateRow(made, row);
    return made;
}

function updateRow(made, row) {
    setText(made.querySelector("h3"), row.title);
    setText(made.querySelector(".total"), String(row.total));
    made.querySelector(".more").hidden = row.entries.length >= row.total || row.entries.length >= 200;
    made.querySelector(".more").setAttribute("aria-label", `Show more of ${row.title}`);
    made.classList.toggle("whole", extended.has(row.id));
    showCards(made.querySelector(".cards"), row.entries);
}

async function extendRow(id) {
    extended.set(id, (extended.get(id) ?? firstEntries) + moreEntries);
    await showRows();
}

async function showRows() {
    const home = await askJSON(`v1/home?limit=${firstEntries}`);
    if (home === null) return;
    for (const row of home.rows) {
        const wanted = extended.get(row.id);
        if (wanted === undefined) continue;
        const longer = await askJSON(`v1/home?row=${encodeURIComponent(row.id)}&limit=${wanted}`);
        if (longer?.rows[0]) row.entries = longer.rows[0].entries;
    }
    showList(find("rows"), home.rows, (row) => row.id, makeRow, updateRow);
    find("rows-empty").hidden = home.rows.length > 0;
}

// ---- Search ----

async function search() {
    lastSearch += 1;
    const number = lastSearch;
    const text = find("search-text").value.trim();
    find("results").hidden = text === "";
    find("rows").hidden = text !== "";
    if (text === "") return setText(find("found"), "");
    const found = await askJSON(`v1/search?text=${encodeURIComponent(text)}&limit=100`);
    if (found === null || number !== lastSearch) return;
    const shown = found.entries.length < found.total ? `; the first ${found.entries.length} are shown` : "";
    setText(find("found"), found.total === 0 ? `Nothing was found for “${text}”.` : `${count(found.total, "title", "titles")} found${shown}.`);
    showCards(find("result-cards"), found.entries);
}

export function begin() {
    find("search").addEventListener("submit", (event) => {
        event.preventDefault();
        search();
    });
    find("search-text").addEventListener("input", () => {
        clearTimeout(searchTimer);
        searchTimer = setTimeout(search, searchDelay);
    });
    onRight(() => {
        const mayNot = !allows("steer");
        for (const button of document.querySelectorAll("#library .card")) button.disabled = mayNot;
        find("library-refusal").hidden = !mayNot;
    });
    repeat(10000, isShown("library"), showRows);
}
