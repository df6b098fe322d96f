// The page for phones: a remote, and a field for the text that the television asks for. The code on the screen leads here.

import { ask, onRefused, order, setBearer, setRight } from "./box.js";
import { find, setText } from "./elements.js";
import * as remote from "./remote.js";
import * as typing from "./typing.js";

const shelf = "marquee-phone";

/** What a viewer reads about this phone and the television; nothing while there is a text to type. */
function stand(sentence) {
    setText(find("standing"), sentence);
    find("standing").hidden = sentence === "";
}

/** Whether the token that this phone keeps still has its right. A box that doesn’t answer is told of by the page itself. */
async function isPaired() {
    const token = localStorage.getItem(shelf);
    if (token === null) return false;
    setBearer(token);
    const answer = await ask("v1/text");
    if (answer?.status !== 401) return true;
    localStorage.removeItem(shelf);
    setBearer(null);
    return false;
}

/** With the secret of a code the phone gets a token, which it keeps for this box. */
async function pair(secret) {
    const refusal = await order("v1/pair", { secret }, ({ token }) => {
        localStorage.setItem(shelf, token);
        setBearer(token);
    });
    if (refusal !== null) stand(refusal);
    return refusal === null;
}

async function begin() {
    const secret = location.hash.slice(1);
    // It is worth nothing a second time, and nobody is to find it in the history.
    history.replaceState(null, "", location.pathname);
    // A phone that scans a second code stays the phone that it is.
    if (!await isPaired()) {
        if (secret === "") return stand("Scan the code on the television, in Search for example.");
        if (!await pair(secret)) return;
    }
    onRefused(() => {
        localStorage.removeItem(shelf);
        setRight("look");
        stand("This phone is no longer paired. Scan the code on the television again.");
    });
    remote.begin();
    typing.begin(() => true, (isAsked) => stand(isAsked ? "" : "The television doesn’t ask for a text now."));
    setRight("steer");
}

// A code that is scanned while the page is open changes the fragment only.
addEventListener("hashchange", () => { if (location.hash.length > 1) location.reload(); });
begin();
