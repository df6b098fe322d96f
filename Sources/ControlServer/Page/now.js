// What is playing.

import { askJSON, onAway, repeat } from "./box.js";
import { find, setText } from "./elements.js";
import { tell } from "./notice.js";
import { clockTime } from "./words.js";

const stateWords = {
    standby: "Standby", home: "Home", loading: "Loading…", playing: "Playing", paused: "Paused", buffering: "Waiting for data…", ended: "Ended",
    failed: "Cannot play",
};
let playing = null; // the last answer, and when it arrived

function showState(state, words) {
    find("state").dataset.state = state;
    setText(find("state"), words);
}

function showNow(now) {
    let words = stateWords[now.state] ?? now.state;
    if (now.state === "playing" && now.rate !== 1) words += ` at ${now.rate}×`;
    showState(now.state, words);
    const title = now.title ?? (now.state === "home" ? "Home" : "Nothing is playing");
    setText(find("title"), title);
    setText(find("subtitle-line"), now.subtitle ?? "");
    document.title = now.title ? `${now.title} · Marquee` : "Marquee";
    find("ad").hidden = !now.interstitialLabel;
    setText(find("ad"), now.interstitialLabel ?? "");
    find("error").hidden = !now.error;
    setText(find("error"), now.error ? `${now.error.sentence} (${now.error.code})` : "");
    find("times").hidden = now.elapsed === undefined;
    tell(now.error ? `${title}: ${now.error.sentence}` : `${title}: ${words}`);
    showTimes();
}

// Between answers the time advances at the reported rate. In an interstitial content time does not advance.
function showTimes() {
    if (playing === null || playing.now.elapsed === undefined) return;
    const { now, at } = playing;
    const since = now.age + (performance.now() - at) / 1000;
    const rate = now.state === "playing" && !now.interstitialLabel && !now.requiresLinearPlayback ? now.rate : 0;
    const end = now.duration ?? Infinity;
    const elapsed = Math.min(Math.max(0, now.elapsed + rate * since), end);
    setText(find("elapsed"), clockTime(elapsed));
    setText(find("duration"), now.duration === undefined ? "Live" : clockTime(end));
    find("fill").style.transform = `scaleX(${now.duration > 0 ? elapsed / end : 0})`;
}

export function begin() {
    onAway((away) => {
        if (!away) return;
        playing = null;
        showState("away", "Not connected");
    });
    repeat(500, () => true, async () => {
        const now = await askJSON("v1/now");
        if (now === null) return;
        playing = { now, at: performance.now() };
        showNow(now);
    });
    setInterval(showTimes, 200);
}
