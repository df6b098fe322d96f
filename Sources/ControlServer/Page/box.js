// The connection to the box: requests, what this visitor may do, and whether the box answers.

import { find } from "./elements.js";

const token = document.querySelector('meta[name="marquee-token"]').content;
const rights = ["look", "steer", "configure"];
/** A request that has taken this long never ends. The longest answer is a picture that waits for a change. */
const patience = 20000;

let right = null;
/** The token of a paired phone; null on the page that the operator's token opens. */
let bearer = null;
let refused = () => {};
let isAway = false;
const rightListeners = [], awayListeners = [];

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Whether this visitor may `look`, `steer` or `configure`. Nothing is allowed before the box has told it. */
export function allows(wanted) { return right !== null && rights.indexOf(right) >= rights.indexOf(wanted); }

export function setRight(name) {
    if (name === right) return;
    right = name;
    for (const listener of rightListeners) listener();
}

/** Calls a function when `allows` may have another answer. */
export function onRight(listener) { rightListeners.push(listener); }

/** Calls a function with true when the box no longer answers, and with false when it does again. */
export function onAway(listener) { awayListeners.push(listener); }

function setAway(away) {
    if (away === isAway) return;
    isAway = away;
    find("away").hidden = !away;
    for (const listener of awayListeners) listener(away);
    if (!away) reloadIfRestarted();
}

/** Sends the token of a paired phone with each request. */
export function setBearer(text) { bearer = text; }

/** Calls a function when that token is worth nothing any more. */
export function onRefused(listener) { refused = listener; }

/** A restarted box has another token, and may have another page. */
async function reloadIfRestarted() {
    if (token === "") return;
    const page = await fetchOnce("./").then((answer) => answer.text(), () => null);
    if (page !== null && !page.includes(token)) location.reload();
}

async function fetchOnce(path, { headers = {}, ...options } = {}) {
    const all = bearer === null ? headers : { ...headers, Authorization: `Bearer ${bearer}` };
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(patience), headers: all, ...options });
    if (answer.status === 401 && bearer !== null) refused();
    return answer;
}

/** Asks the box. Returns its answer, or null after a while if it does not answer. */
export async function ask(path) {
    try {
        // A connection that waited may have ended to make room for another one.
        const answer = await fetchOnce(path).catch(() => fetchOnce(path));
        setAway(false);
        return answer;
    } catch {
        setAway(true);
        await pause(1000);
        return null;
    }
}

/** Asks the box for JSON. Returns the value, or null if there is none. */
export async function askJSON(path) {
    const answer = await ask(path);
    if (!answer?.ok) return null;
    return answer.json().catch(() => null);
}

const reasons = {
    linear: "This part cannot be skipped.",
    noItem: "Nothing is playing.",
    unknownID: "There is no such programme.",
    notSupported: "This is not possible now.",
    notReady: "The box is not ready for this yet; try again in a moment.",
    standby: "The box is in standby.",
    emergency: "An emergency message is on the screen; end it first.",
    outOfRange: "The stream does not have this time.",
};

/**
 * Gives the box an order.
 * @param {function} onDone called with what the box has answered, if it was carried out
 * @returns {Promise<string|null>} null if it was carried out or changes nothing, otherwise one sentence that says why not.
 */
export async function order(path, body, onDone = () => {}) {
    let answer;
    try {
        answer = await fetchOnce(path, {
            method: "POST",
            headers: { "Content-Type": "application/json", "X-Marquee-Token": token },
            body: JSON.stringify(body),
            keepalive: true,
        });
    } catch {
        setAway(true);
        return "The box isn’t responding.";
    }
    if (answer.status === 403) reloadIfRestarted();
    const content = await answer.json().catch(() => ({}));
    if (answer.ok) onDone(content);
    if (!answer.ok && (answer.status !== 409 || content.result === undefined)) return content.error ?? `The box refused this (status ${answer.status}).`;
    if (content.result !== "failed" || content.reason === "noChange") return null;
    return reasons[content.reason] ?? content.error ?? "The box refused this.";
}

/** Resolves when a condition holds and the page is visible, so that what no one sees is not asked for. */
function needed(isWanted) {
    if (!document.hidden && isWanted()) return Promise.resolve();
    return new Promise((resolve) => {
        const look = () => {
            if (document.hidden || !isWanted()) return;
            document.removeEventListener("visibilitychange", look);
            removeEventListener("hashchange", look);
            resolve();
        };
        document.addEventListener("visibilitychange", look);
        addEventListener("hashchange", look);
    });
}

/**
 * Repeats work as long as the page exists.
 * @param {number} interval milliseconds between the end and the next start
 * @param {function} isWanted whether it is needed now
 * @param {function} work may be asynchronous
 */
export async function repeat(interval, isWanted, work) {
    for (;;) {
        await needed(isWanted);
        try {
            await work();
        } catch (error) {
            // The next answer is asked for all the same.
            console.error(error);
            await pause(1000);
        }
        if (interval > 0) await pause(interval);
    }
}
