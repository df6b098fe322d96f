// The feed of channels and programmes in use, and the verdict on the newest one.

import { askJSON, repeat } from "./box.js";
import { element, find, setText, showFacts, showList } from "./elements.js";
import { isShown } from "./views.js";
import { count, date } from "./words.js";

const verdicts = {
    unknown: ["Not checked yet", "quiet"], good: ["In order", "good"], dropped: ["Parts were left out", "warning"], refused: ["Refused", "bad"],
};
const severities = { warning: ["Warning", "warning"], error: ["Error", "bad"], refusal: ["Refusal", "bad"] };

function finding(value) {
    const [words, mood] = severities[value.severity] ?? [value.severity, "quiet"];
    const place = value.line === undefined ? "" : `line ${value.line}${value.column === undefined ? "" : `, column ${value.column}`}`;
    return element(
        "li", { class: "finding" },
        element(
            "p", { class: "finding-head" }, element("span", { class: "badge", "data-mood": mood, text: words }),
            element("span", { text: value.code }), element("code", { text: value.pointer || "/" }), element("span", { class: "quiet", text: place })),
        element("p", { dir: "auto", text: value.message }), element("p", { class: "quiet", dir: "auto", text: value.remedy }));
}

let wasGood = true;

async function showFeed() {
    const feed = await askJSON("v1/feed");
    if (feed === null) return;
    const [words, mood] = verdicts[feed.verdict] ?? [feed.verdict, "quiet"];
    setText(find("feed-verdict"), words);
    find("feed-verdict").dataset.mood = mood;
    find("feed-summary").hidden = !feed.summary;
    setText(find("feed-summary"), feed.summary ?? "");
    find("feed-trouble").hidden = !feed.trouble;
    setText(find("feed-trouble"), feed.trouble ? `A newer feed is not used (${feed.trouble}); the last good one stays in use.` : "");
    const contents = [
        count(feed.channels, "channel", "channels"), count(feed.series, "series", "series"), count(feed.items, "programme", "programmes"),
    ].join(", ");
    showFacts(find("feed-facts"), [
        ["Provider", feed.title], ["Contents", contents], ["Feed", feed.id], ["Revision", feed.revision === undefined ? null : String(feed.revision)],
        ["Written", feed.lastUpdated === undefined ? null : date(feed.lastUpdated)], ["Source", feed.source],
    ]);
    // A person who looks because the feed is not in order sees why, and may still close it.
    if (wasGood && (feed.verdict === "dropped" || feed.verdict === "refused")) find("findings-box").open = true;
    wasGood = feed.verdict === "good" || feed.verdict === "unknown";
    find("findings-panel").hidden = feed.findingCount === 0;
    const shown = feed.findings.length < feed.findingCount ? `, the severest ${feed.findings.length} are shown` : "";
    setText(find("findings-title"), `${count(feed.findingCount, "finding", "findings")}${shown}`);
    showList(
        find("findings"), feed.findings.map((value, index) => ({ ...value, index })), (value) => String(value.index), finding);
}

export function begin() { repeat(5000, isShown("box"), showFeed); }
