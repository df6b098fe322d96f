// The last lines of the log, and the support bundle.

import { ask, askJSON, repeat } from "./box.js";
import { element, find } from "./elements.js";
import { say } from "./notice.js";
import { shown } from "./views.js";

async function showLog() {
    const lines = find("lines");
    const log = await askJSON("v1/log?lines=200");
    if (log === null) return;
    const words = log.lines.join("\n");
    if (lines.textContent === words) return;
    const isAtEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
    lines.textContent = words;
    if (isAtEnd) lines.scrollTop = lines.scrollHeight;
}

/** Making a bundle takes some seconds, so the button says so, and a refusal is a sentence instead of a page. */
async function download() {
    const button = find("bundle"), words = button.textContent;
    button.disabled = true;
    button.textContent = "Collecting…";
    const answer = await ask("v1/support-bundle");
    const body = await (answer?.ok ? answer.blob() : answer?.json())?.catch(() => null);
    if (answer?.ok && body) {
        const address = URL.createObjectURL(body);
        element("a", { href: address, download: "marquee-support.tar.zst" }).click();
        setTimeout(() => URL.revokeObjectURL(address), 60000);
        say("The support bundle was saved to your downloads.");
    } else {
        say(body?.error ?? "The support bundle could not be made.");
    }
    button.disabled = false;
    button.textContent = words;
    button.focus();
}

export function begin() {
    find("bundle").addEventListener("click", download);
    repeat(1000, () => shown() === "box" && find("log").open, showLog);
    // Opening is no event that `repeat` knows.
    find("log").addEventListener("toggle", () => { if (find("log").open) showLog(); });
}
