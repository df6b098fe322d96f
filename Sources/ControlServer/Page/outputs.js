// Where sound goes: the outputs of the box, and the choice of one.

import { allows, onRight, order } from "./box.js";
import { element, find, showList } from "./elements.js";
import { say } from "./notice.js";

const automatic = "automatic";
const kinds = { hdmi: "HDMI", headphones: "Headphones", lineOut: "Line out", digital: "Digital output", usb: "USB", bluetooth: "Bluetooth" };

/** What an output is called. */
export const outputName = (output) => output.name ?? kinds[output.kind] ?? output.id;

/** Shows the outputs; nothing where there is nothing to choose. */
export function showOutputs(outputs) {
    find("output-choice").hidden = outputs === undefined || outputs.fixed !== undefined;
    if (find("output-choice").hidden) return;
    const { available, chosen = automatic } = outputs, choice = find("output");
    const options = [{ id: automatic, name: "Automatic" }, ...available.map((output) => ({ id: output.id, name: outputName(output) }))];
    if (!options.some(({ id }) => id === chosen)) options.push({ id: chosen, name: "Chosen, not connected" });
    showList(choice, options, ({ id }) => id, ({ id, name }) => element("option", { value: id, text: name }));
    // What is being chosen is left alone.
    if (document.activeElement !== choice) choice.value = chosen;
}

async function choose() {
    const choice = find("output"), [option] = choice.selectedOptions;
    say(await order("v1/command", { command: "selectOutput", id: choice.value }) ?? `Sound output: ${option.textContent}.`);
}

export function begin() {
    find("output").addEventListener("change", choose);
    onRight(() => { find("output").disabled = !allows("steer"); });
}
