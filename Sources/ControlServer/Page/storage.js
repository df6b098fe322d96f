// The programmes that are stored on the box, and the space that is left.

import { allows, askJSON, onRight, order, repeat } from "./box.js";
import { element, find, setText, showFacts, showList } from "./elements.js";
import { say } from "./notice.js";
import { isShown } from "./views.js";
import { bytes, count, percent } from "./words.js";

const shownAtOnce = 50;
let limit = shownAtOnce;
let shownDownloads = [];
let wasMayChange = false;

const waits = {
    window: "waits for the hours in which downloads are allowed",
    untrustedClock: "waits until the date is known",
    metered: "waits for a network that is not metered",
    playback: "waits while playback needs the network",
    space: "waits for space on the disk",
    queue: "waits for its turn",
    network: "waits for a network",
};
const verifications = {
    running: "Being checked…", intact: "Checked: intact.", damaged: "Checked: damaged; the damaged part is loaded again.",
    failed: "Not checked: the disk did not answer.",
};
const troubles = {
    full: "There is too little room for a programme that must be stored. Delete another one.",
    unusable: "The disk cannot be used: programmes can be neither stored nor read.",
};

function stateSentence(download) {
    const size = download.expectedBytes > download.bytes ? `${bytes(download.bytes)} of ${bytes(download.expectedBytes)}` : bytes(download.bytes);
    switch (download.state) {
    case "saved": return `Downloaded, ${bytes(download.bytes)}`;
    case "downloading": return `${percent(download.progress)}, ${size}`;
    case "failed": return `Not downloaded: ${download.error ? `${download.error.sentence} (${download.error.code})` : "it can’t be stored."}`;
    default: {
        const reason = waits[download.waitsFor] ?? "waits";
        return download.bytes > 0 ? `${percent(download.progress)}, ${size}; ${reason}` : reason[0].toUpperCase() + reason.slice(1);
    }
    }
}

async function change(path, body, done) {
    say(await order(path, body) ?? done);
    await showStorage();
}

/** Asks before something is deleted. Resolves to whether it shall be. */
function confirmDeletion(title) {
    const dialog = find("confirm");
    setText(find("confirm-text"), `${title} must be downloaded again before it plays without a network.`);
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => resolve(dialog.returnValue === "delete"), { once: true });
    });
}

function action(words, title, act) {
    return element("button", { type: "button", class: "plain", "aria-label": `${words} ${title}`, text: words, on: { click: act } });
}

function actions(download) {
    const title = download.title ?? download.id, made = [];
    if (allows("steer") && download.state === "saved" && download.verification !== "running") {
        made.push(action("Check", title, () => change("v1/downloads/verify", { id: download.id }, `${title} is being checked.`)));
    }
    if (!allows("configure")) return made;
    if (!download.required) {
        made.push(action("Keep", title, () => change(
            "v1/downloads/add", { id: download.id, required: true }, `${title} is kept: it is never removed to make room.`)));
    }
    made.push(action("Delete", title, async () => {
        if (await confirmDeletion(title)) await change("v1/downloads/remove", { id: download.id }, `${title} was deleted.`);
    }));
    return made;
}

function makeDownload(download) {
    const made = element(
        "li", { class: "download" },
        element("div", { class: "download-words" }, element("h4", { dir: "auto" }), element("p", { class: "quiet" })),
        element("div", { class: "actions" }),
        element("div", { class: "bar", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100 }, element("div", { class: "fill" })));
    updateDownload(made, download);
    return made;
}

function updateDownload(made, download) {
    const title = download.title ?? download.id;
    made.dataset.state = download.state;
    setText(made.querySelector("h4"), title);
    const remarks = [stateSentence(download), download.required ? "Kept: never removed to make room" : null, verifications[download.verification] ?? null];
    setText(made.querySelector("p"), remarks.filter((remark) => remark).join(" · "));
    const bar = made.querySelector(".bar");
    bar.hidden = download.state === "saved" || download.progress === 0 && download.state !== "downloading";
    bar.setAttribute("aria-valuenow", Math.floor(download.progress * 100));
    bar.setAttribute("aria-label", `Progress of ${title}`);
    bar.firstElementChild.style.transform = `scaleX(${download.progress})`;
    // Buttons that stay keep the focus.
    const wanted = actions(download), place = made.querySelector(".actions");
    const names = (list) => list.map((button) => button.textContent).join();
    if (names([...place.children]) === names(wanted)) return;
    const hadFocus = place.contains(document.activeElement);
    place.replaceChildren(...wanted);
    if (hadFocus) place.lastElementChild?.focus();
}

function showSpace(storage, free) {
    find("space").hidden = !storage;
    if (storage) {
        const used = storage.size - storage.free;
        const sentence = `${bytes(used)} of ${bytes(storage.size)} are used`;
        find("space-bar").setAttribute("aria-label", sentence);
        find("space-bar").firstElementChild.style.transform = `scaleX(${storage.size > 0 ? used / storage.size : 0})`;
        setText(find("space-words"), `${sentence}, ${bytes(storage.free)} are free.`);
    } else if (free !== undefined) {
        find("space").hidden = false;
        setText(find("space-words"), `${bytes(free)} are free.`);
    }
}

async function showStorage() {
    const [answer, box] = await Promise.all([askJSON(`v1/downloads?limit=${limit}`), askJSON("v1/box")]);
    if (answer === null) return;
    showSpace(box?.machine.storage, answer.freeBytes);
    const states = (name) => answer.downloads.filter((download) => download.state === name).length;
    showFacts(find("storage-facts"), answer.total > answer.downloads.length ? [["Programmes", String(answer.total)]] : [
        ["Downloaded", String(states("saved"))], ["Downloading", String(states("downloading"))], ["Waiting", String(states("queued"))],
        ["Not downloaded", states("failed") > 0 ? String(states("failed")) : null],
    ]);
    find("storage-trouble").hidden = !answer.trouble;
    setText(find("storage-trouble"), troubles[answer.trouble] ?? "");
    find("downloads-empty").hidden = answer.total > 0;
    find("downloads-more").hidden = answer.downloads.length >= answer.total || limit >= 200;
    setText(find("downloads-more"), `Show more of ${count(answer.total, "programme", "programmes")}`);
    shownDownloads = answer.downloads;
    showList(find("downloads"), answer.downloads, (download) => download.id, makeDownload, updateDownload);
}

export function begin() {
    find("downloads-more").addEventListener("click", () => {
        limit = Math.min(200, limit + shownAtOnce);
        showStorage();
    });
    onRight(() => {
        find("storage-refusal").hidden = allows("configure");
        if (allows("configure") === wasMayChange) return;
        wasMayChange = allows("configure");
        for (const [index, made] of [...find("downloads").children].entries()) updateDownload(made, shownDownloads[index]);
    });
    repeat(2000, isShown("storage"), showStorage);
}
