// The last errors of playbacks, each with its session, under which the logs have its lines.

import { askJSON, repeat } from "./box.js";
import { element, find, showList } from "./elements.js";
import { isShown } from "./views.js";
import { date } from "./words.js";

function row(error) {
    const session = error.session
        ? element("a", {
            href: `v1/log/error?session=${encodeURIComponent(error.session)}`, target: "_blank", rel: "noopener",
            "aria-label": `Log lines of session ${error.session}, in a new tab`, text: error.session.slice(0, 8),
        })
        : element("span", { class: "quiet", text: "none" });
    return element(
        "li", { class: "finding" },
        element(
            "p", { class: "finding-head" },
            element("span", { class: "badge", "data-mood": error.fatal ? "bad" : "warning", text: error.fatal ? "Ended the playback" : "Playback continued" }),
            element("span", { text: error.code }), element("span", { class: "quiet", text: error.date ? date(error.date) : "" }),
            element("span", { class: "session" }, element("span", { class: "quiet", text: "Session " }), session)),
        error.sentence ? element("p", { dir: "auto", text: error.sentence }) : null);
}

export function begin() {
    repeat(5000, isShown("box"), async () => {
        const answer = await askJSON("v1/errors?limit=20");
        if (answer === null) return;
        find("errors-empty").hidden = answer.errors.length > 0;
        // Two errors may be the same in everything that is shown.
        const seen = new Map();
        showList(find("errors"), answer.errors, (error) => {
            const key = JSON.stringify(error), times = (seen.get(key) ?? 0) + 1;
            seen.set(key, times);
            return `${times} ${key}`;
        }, row);
    });
}
