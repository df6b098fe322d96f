// Short sentences about what was asked for, for eyes and for screen readers.

import { find, setText } from "./elements.js";

let timer = 0;

/** Shows a sentence for a moment. */
export function say(sentence) {
    const notice = find("notice");
    // The same sentence again is news as well.
    notice.textContent = "";
    notice.textContent = sentence;
    notice.classList.add("open");
    clearTimeout(timer);
    timer = setTimeout(() => {
        notice.classList.remove("open");
        notice.textContent = "";
    }, Math.max(2500, sentence.length * 70));
}

let spoken = "";
let speakTimer = 0;

/** Tells screen readers what plays, once things have settled: a start goes through several states in a second. */
export function tell(sentence) {
    if (sentence === spoken) return;
    spoken = sentence;
    clearTimeout(speakTimer);
    speakTimer = setTimeout(() => setText(find("spoken"), sentence), 1500);
}
