"use strict";

// The page has four independent parts: the screen, the remote, what is playing, and the log. All of them communicate with
// the box through `ask` and `order`, which also track whether the box answers.

const token = document.querySelector('meta[name="marquee-token"]').content;
const find = (id) => document.getElementById(id);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// ---- The box ----

let isAway = false;

function setAway(away) {
    if (isAway && !away) location.reload(); // A restarted box has another token.
    if (away && !isAway) {
        showState("away", "Not connected");
        closeCurtain("The box does not answer. Trying again…");
    }
    isAway = away;
}

async function ask(path) {
    try {
        const answer = await fetch(path, { cache: "no-store" });
        setAway(false);
        return answer;
    } catch {
        setAway(true);
        await pause(1000);
        return null;
    }
}

async function order(path, body) {
    try {
        const answer = await fetch(path, {
            method: "POST",
            headers: { "Content-Type": "application/json", "X-Marquee-Token": token },
            body: JSON.stringify(body),
            keepalive: true,
        });
        if (answer.status === 403) location.reload();
        return answer.ok ? await answer.json() : null;
    } catch {
        setAway(true);
        return null;
    }
}

// Resolves when the page is visible, so that a page in the background sends no requests.
function visible() {
    if (!document.hidden) return Promise.resolve();
    return new Promise((resolve) => {
        document.addEventListener("visibilitychange", function seen() {
            if (document.hidden) return;
            document.removeEventListener("visibilitychange", seen);
            resolve();
        });
    });
}

// ---- The screen ----

const canvas = find("picture");
const brush = canvas.getContext("2d", { alpha: false });

function closeCurtain(words) {
    find("curtain").textContent = words;
    find("curtain").classList.remove("open");
}

// The server answers when the picture differs from the one with this serial. So pictures arrive as fast as they are drawn, and none while nothing moves.
async function watchScreen() {
    let serial = null;
    for (;;) {
        await visible();
        const answer = await ask(serial === null ? "v1/screen" : `v1/screen?after=${serial}`);
        if (answer === null || answer.status === 204) continue;
        if (answer.status !== 200) {
            closeCurtain(answer.status === 503 ? (await answer.json()).error : "The screen cannot be shown.");
            serial = null;
            await pause(1000);
            continue;
        }
        try {
            const picture = await createImageBitmap(await answer.blob());
            if (canvas.width !== picture.width || canvas.height !== picture.height) {
                canvas.width = picture.width;
                canvas.height = picture.height;
            }
            brush.drawImage(picture, 0, 0);
            picture.close();
            serial = answer.headers.get("X-Marquee-Serial");
            find("curtain").classList.add("open");
        } catch {
            // An incomplete picture; request the next one.
            await pause(200);
        }
    }
}

find("full").addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else find("screen").requestFullscreen();
});

// ---- The remote ----

const keyboard = {
    ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "ok", Backspace: "back", Escape: "back",
    " ": "playpause", Home: "home", PageUp: "ch+", PageDown: "ch-", ContextMenu: "menu", "+": "vol+", "-": "vol-",
    f: "ff", r: "rw", n: "next", p: "prev", i: "info", m: "mute", s: "subtitle", a: "audio", g: "guide", l: "last",
    MediaPlayPause: "playpause", MediaPlay: "play", MediaPause: "pause", MediaStop: "stop", MediaTrackNext: "next",
    MediaTrackPrevious: "prev", AudioVolumeUp: "vol+", AudioVolumeDown: "vol-", AudioVolumeMute: "mute",
};
for (let digit = 0; digit <= 9; digit++) keyboard[digit] = String(digit);

const refusals = {
    linear: "Not during this part",
    noItem: "Nothing is playing",
    unknownID: "There is no such programme",
    notReady: "Not ready yet",
};
const repeatDelay = 400, repeatPeriod = 120;
const held = new Map(); // key -> timer of its repeats
let queue = Promise.resolve(); // events are sent one after another, so that their order is kept
let queued = 0;
let noticeTimer = 0, lightTimer = 0;

function send(key, phase) {
    queued += 1;
    queue = queue.then(async () => {
        const answer = await order("v1/key", { key, phase });
        queued -= 1;
        if (phase === "press" && answer && answer.result === "failed" && refusals[answer.reason]) notice(refusals[answer.reason]);
    });
}

function notice(words) {
    find("notice").textContent = words;
    find("notice").hidden = false;
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => { find("notice").hidden = true; }, 1800);
}

function button(key) {
    return document.querySelector(`.remote [data-key="${key}"]`);
}

function press(key) {
    if (held.has(key)) return;
    send(key, "press");
    const again = () => {
        if (queued === 0) send(key, "repeat");
        held.set(key, setTimeout(again, repeatPeriod));
    };
    held.set(key, setTimeout(again, repeatDelay));
    button(key)?.classList.add("down");
    find("light").classList.add("on");
    clearTimeout(lightTimer);
    lightTimer = setTimeout(() => find("light").classList.remove("on"), 150);
}

function release(key) {
    if (!held.has(key)) return;
    clearTimeout(held.get(key));
    held.delete(key);
    send(key, "release");
    button(key)?.classList.remove("down");
}

function releaseAll() {
    for (const key of [...held.keys()]) release(key);
}

for (const element of document.querySelectorAll(".remote [data-key]")) {
    const key = element.dataset.key;
    element.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault(); // Keeps the focus, so that Enter and Space still mean OK and play.
        element.setPointerCapture(event.pointerId);
        press(key);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(end, () => release(key));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    // A click without a pointer: from the keyboard or a screen reader.
    element.addEventListener("click", (event) => {
        if (event.detail !== 0) return;
        press(key);
        release(key);
    });
}

function keyOf(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
    return keyboard[event.key.length === 1 ? event.key.toLowerCase() : event.key];
}

// Enter and Space activate a button focused with Tab, and arrows scroll a focused log.
function belongsToPage(event) {
    const focused = document.activeElement;
    if (event.key === "Enter" || event.key === " ") return focused !== null && focused.matches("button:focus-visible, summary:focus-visible");
    return event.key.startsWith("Arrow") && focused === find("lines");
}

const byKeyboard = new Map(); // physical key -> key of the remote, so that the pressed key is released even if Shift changes in between

addEventListener("keydown", (event) => {
    const key = keyOf(event);
    if (key === undefined || belongsToPage(event)) return;
    event.preventDefault();
    if (event.repeat) return;
    byKeyboard.set(event.code, key);
    press(key);
});
addEventListener("keyup", (event) => {
    const key = byKeyboard.get(event.code);
    if (key === undefined) return;
    event.preventDefault();
    byKeyboard.delete(event.code);
    release(key);
});
addEventListener("blur", releaseAll);
addEventListener("pagehide", releaseAll);
document.addEventListener("visibilitychange", () => { if (document.hidden) releaseAll(); });

// ---- What is playing ----

const stateWords = {
    home: "Home", loading: "Loading…", playing: "Playing", paused: "Paused", buffering: "Waiting for data…", ended: "Ended", failed: "Cannot play",
};
let playing = null; // the last answer, and when it arrived

function showState(state, words) {
    find("state").dataset.state = state;
    setText("state", words);
}

function setText(id, words) {
    if (find(id).textContent !== words) find(id).textContent = words;
}

function clockTime(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    const two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
    return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function showNow(now) {
    let words = stateWords[now.state] ?? now.state;
    if (now.state === "playing" && now.rate !== 1) words += ` at ${now.rate}×`;
    showState(now.state, words);
    setText("title", now.title ?? (now.state === "home" ? "Home" : "Nothing is playing"));
    setText("subtitle-line", now.subtitle ?? "");
    document.title = now.title ? `${now.title} · Marquee` : "Marquee";
    find("ad").hidden = !now.interstitialLabel;
    setText("ad", now.interstitialLabel ?? "");
    find("error").hidden = !now.error;
    setText("error", now.error ? `${now.error.sentence} (${now.error.code})` : "");
    find("times").hidden = now.elapsed === undefined;
    showTimes();
}

// Between answers the time advances at the reported rate. In an advertisement content time does not advance.
function showTimes() {
    if (playing === null || playing.now.elapsed === undefined) return;
    const { now, at } = playing;
    const since = now.age + (performance.now() - at) / 1000;
    const rate = now.state === "playing" && !now.interstitialLabel && !now.requiresLinearPlayback ? now.rate : 0;
    const end = now.duration ?? Infinity;
    const elapsed = Math.min(Math.max(0, now.elapsed + rate * since), end);
    setText("elapsed", clockTime(elapsed));
    setText("duration", now.duration === undefined ? "Live" : clockTime(end));
    find("fill").style.transform = `scaleX(${now.duration > 0 ? elapsed / end : 0})`;
}

async function watchNow() {
    for (;;) {
        await visible();
        const answer = await ask("v1/now");
        if (answer?.ok) {
            playing = { now: await answer.json(), at: performance.now() };
            showNow(playing.now);
        }
        await pause(500);
    }
}

// ---- The log ----

async function watchLog() {
    const lines = find("lines");
    for (;;) {
        await visible();
        if (find("log").open) {
            const answer = await ask("v1/log?lines=200");
            if (answer?.ok) {
                const words = (await answer.json()).lines.join("\n");
                const isAtEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
                if (lines.textContent !== words) {
                    lines.textContent = words;
                    if (isAtEnd) lines.scrollTop = lines.scrollHeight;
                }
            }
        }
        await pause(1000);
    }
}

watchScreen();
watchNow();
watchLog();
setInterval(showTimes, 200);
