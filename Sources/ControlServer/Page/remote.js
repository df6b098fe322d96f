// The remote: its buttons, and the keys of the keyboard while the remote or, where there is one, the screen has the focus.

import { allows, onAway, onRight, order } from "./box.js";
import { find } from "./elements.js";
import { say } from "./notice.js";

const keyboard = {
    ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "ok", Backspace: "back", Escape: "back",
    " ": "playpause", Home: "home", PageUp: "ch+", PageDown: "ch-", ContextMenu: "menu", "+": "vol+", "-": "vol-",
    f: "ff", r: "rw", n: "next", p: "prev", i: "info", m: "mute", s: "subtitle", a: "audio", g: "guide", l: "last",
    MediaPlayPause: "playpause", MediaPlay: "play", MediaPause: "pause", MediaStop: "stop", MediaTrackNext: "next",
    MediaTrackPrevious: "prev", AudioVolumeUp: "vol+", AudioVolumeDown: "vol-", AudioVolumeMute: "mute",
};
for (let digit = 0; digit <= 9; digit++) keyboard[digit] = String(digit);

const repeatDelay = 400, repeatPeriod = 120;
const remote = find("remote"), screen = find("screen");
const buttons = [...remote.querySelectorAll("[data-key]")];
const held = new Map(); // key -> timer of its repeats
const byKeyboard = new Map(); // physical key -> key of the remote, so that the pressed key is released even if Shift changes in between
let queue = Promise.resolve(); // events are sent one after another, so that their order is kept
let queued = 0;
let lightTimer = 0;

function send(key, phase) {
    queued += 1;
    queue = queue.then(async () => {
        const refusal = await order("v1/key", { key, phase });
        queued -= 1;
        if (phase === "press" && refusal) say(refusal);
    });
}

function press(key) {
    if (held.has(key) || !allows("steer")) return;
    send(key, "press");
    const again = () => {
        if (queued === 0) send(key, "repeat");
        held.set(key, setTimeout(again, repeatPeriod));
    };
    held.set(key, setTimeout(again, repeatDelay));
    buttons.find((button) => button.dataset.key === key)?.classList.add("down");
    find("light").classList.add("on");
    clearTimeout(lightTimer);
    lightTimer = setTimeout(() => find("light").classList.remove("on"), 150);
}

function release(key) {
    if (!held.has(key)) return;
    clearTimeout(held.get(key));
    held.delete(key);
    send(key, "release");
    buttons.find((button) => button.dataset.key === key)?.classList.remove("down");
}

function releaseAll() {
    for (const key of [...held.keys()]) release(key);
}

function listenToButton(button) {
    const key = button.dataset.key;
    button.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        // The remote gets the focus, not its button, so that Enter and Space still mean OK and play.
        event.preventDefault();
        remote.focus({ preventScroll: true });
        button.setPointerCapture(event.pointerId);
        press(key);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, () => release(key));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    // A click without a pointer: from the keyboard or a screen reader.
    button.addEventListener("click", (event) => {
        if (event.detail !== 0) return;
        press(key);
        release(key);
    });
}

function keyDown(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // Enter and Space press the button that has the focus.
    if ((event.key === "Enter" || event.key === " ") && event.target.matches("button")) return;
    const key = keyboard[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (key === undefined) return;
    event.preventDefault();
    if (event.repeat) return;
    byKeyboard.set(event.code, key);
    press(key);
}

function keyUp(event) {
    const key = byKeyboard.get(event.code);
    if (key === undefined) return;
    event.preventDefault();
    byKeyboard.delete(event.code);
    release(key);
}

function showRight() {
    const mayNot = !allows("steer");
    for (const button of buttons) button.disabled = mayNot;
    find("remote-refusal").hidden = !mayNot;
    find("remote-hint").hidden = mayNot;
}

export function begin() {
    for (const button of buttons) listenToButton(button);
    for (const part of screen ? [remote, screen] : [remote]) {
        part.addEventListener("keydown", keyDown);
        // The focus may have left since the key went down.
        part.addEventListener("focusout", (event) => {
            if (!remote.contains(event.relatedTarget) && !screen?.contains(event.relatedTarget)) releaseAll();
        });
    }
    addEventListener("keyup", keyUp);
    addEventListener("blur", releaseAll);
    addEventListener("pagehide", releaseAll);
    document.addEventListener("visibilitychange", () => { if (document.hidden) releaseAll(); });
    onAway((away) => { if (away) releaseAll(); });
    onRight(showRight);
}
