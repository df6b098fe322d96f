// The text that the television asks for: what is typed here appears there letter by letter, and what is typed there appears here.

import { allows, askJSON, order, pause, repeat } from "./box.js";
import { find, setText } from "./elements.js";
import { say } from "./notice.js";

const form = find("typing"), input = find("typing-text");
/** The asking that is shown, 0 for none; the last text that the box has told; and the greatest serial that it has told or that was sent. */
let field = 0, told = 0, serial = 0;

/** Shows what the television asks for. Its letters are those of the box, unless something newer was typed here. */
function show(asked) {
    const isNew = (asked.field ?? 0) !== field;
    told = asked.serial ?? 0;
    if (isNew) {
        field = asked.field ?? 0;
        form.hidden = field === 0;
        setText(find("typing-title"), asked.title ?? "");
        input.type = asked.secret ? "password" : "text";
        input.maxLength = asked.longest ?? 0;
    }
    if (isNew || told > serial) {
        serial = told;
        input.value = asked.text ?? "";
    }
}

async function send() {
    serial += 1;
    const mine = serial;
    // Nothing waits for the answer to an earlier letter: the box keeps the text with the greatest serial.
    const refusal = await order("v1/text", { field, serial, text: input.value });
    if (refusal === null || mine !== serial) return;
    say(refusal);
    const asked = await askJSON("v1/text");
    if (asked === null || mine !== serial) return;
    field = 0;
    show(asked);
}

/**
 * @param {function} isWanted whether the text is needed now
 * @param {function} onChange called with whether the television asks for a text
 */
export function begin(isWanted, onChange = () => {}) {
    input.addEventListener("input", send);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        input.blur();
    });
    repeat(0, isWanted, async () => {
        const asked = allows("steer") ? await askJSON(`v1/text?field=${field}&serial=${told}`) : null;
        if (asked === null) return pause(1000);
        show(asked);
        onChange(field !== 0);
    });
}
