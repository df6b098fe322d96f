// Every command of the box, from its own table: what it does, and a field for each of its members.

import { allows, askJSON, onRight, order } from "./box.js";
import { element, find, setText } from "./elements.js";
import { say } from "./notice.js";
import { shown } from "./views.js";

let commands = [];

const chosen = () => commands.find((command) => command.name === find("command-name").value);
const plain = (words) => words.replaceAll("`", "").replace(", see below", "");

function field(member) {
    const id = `command-member-${member.name}`, required = member.required;
    const kinds = { number: { type: "number", step: "any" }, boolean: { type: "checkbox" }, string: { type: "text" } };
    // A text may be empty where that has a meaning; the box says so where it has none.
    const input = element("input", { id, name: member.name, ...kinds[member.type], required: required && member.type === "number" });
    return element("p", {}, element("label", { for: id, text: `${member.name} (${plain(member.meaning)}) ` }), input);
}

function showRight() {
    const command = chosen(), mayNot = command !== undefined && !allows(command.right);
    find("command-send").disabled = command === undefined || mayNot;
    find("command-refusal").hidden = !mayNot;
}

function showChosen() {
    const command = chosen();
    setText(find("command-does"), command ? `${plain(command.does)}.` : "");
    find("command-members").replaceChildren(...(command?.members ?? []).map(field));
    showRight();
}

/** The body of the command; what is left empty and need not be there is left out. */
function body(command) {
    const made = { command: command.name };
    for (const { name, type, required } of command.members) {
        const input = find(`command-member-${name}`);
        if (type === "boolean") made[name] = input.checked;
        else if (input.value !== "" || required) made[name] = type === "number" ? Number(input.value) : input.value;
    }
    return made;
}

async function send(event) {
    event.preventDefault();
    const command = chosen();
    if (!command || !allows(command.right)) return;
    say(await order("v1/command", body(command)) ?? `Done: ${command.name}.`);
}

async function load() {
    if (shown() !== "box" || commands.length > 0) return;
    commands = (await askJSON("v1/commands"))?.commands ?? [];
    find("command-name").replaceChildren(...commands.map(({ name }) => element("option", { value: name, text: name })));
    showChosen();
}

export function begin() {
    find("command").addEventListener("submit", send);
    find("command-name").addEventListener("change", showChosen);
    onRight(showRight);
    addEventListener("hashchange", load);
    load();
}
