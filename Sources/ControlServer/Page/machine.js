// The box itself: whether it is healthy, its network, its software and its machine. It also learns what this visitor may do.

import { ask, askJSON, onAway, repeat, setRight } from "./box.js";
import { element, find, setText, showFacts, showList } from "./elements.js";
import { outputName, showOutputs } from "./outputs.js";
import { shown } from "./views.js";
import { bitRate, bytes, length, percent } from "./words.js";

const healthWords = {
    ok: ["Everything works", "good"], standby: ["The box is in standby", "quiet"], degraded: ["It plays, but look at this", "warning"], failing: ["A viewer cannot watch", "bad"],
};
const kinds = { wired: "Cable", wireless: "Radio", mobile: "Mobile network" };

const updateWaits = {
    noNetwork: "a network", metered: "a network that is not metered", lowSpace: "space on the disk", heat: "the machine to cool down",
    dateUnknown: "the date", outsideWindow: "the hours in which updates are allowed", watched: "a time when no one watches", retry: "another try",
};

function updateSentence(update) {
    const offered = update.offered ?? "a new version", waits = updateWaits[update.waitsFor];
    switch (update.state) {
    case "idle": return "none is offered to this box";
    case "waiting": return waits ? `${offered} waits for ${waits}` : `${offered} waits`;
    case "installing": return `${offered} is being installed${update.progress === undefined ? "" : `, ${percent(update.progress)}`}`;
    case "installed": return waits ? `${offered} is installed; its start waits for ${waits}` : `${offered} is installed and starts next`;
    default: return "this machine has no installer";
    }
}

const settingsWaits = {
    watched: "a time when no one watches", updating: "an update", storage: "the disk", restart: "a restart of the player",
    network: "the network", feed: "the feed", settings: "the server of the settings", broker: "the broker",
};

function settingsSentence(settings) {
    const used = settings.revision === undefined ? "those of the box" : `revision ${settings.revision} from afar`;
    const waits = settings.waitsFor.map((word) => settingsWaits[word] ?? word).join(", ");
    const next = settings.offered === undefined ? "a restart" : `revision ${settings.offered}`;
    switch (settings.state) {
    case "waiting": return `${used}; ${next} waits${waits ? ` for ${waits}` : ""}`;
    case "trying": return `${next} is on trial${waits ? ` and waits for ${waits}` : ""}`;
    default: return used;
    }
}

async function showHealth() {
    const answer = await ask("healthz");
    const health = await answer?.json().catch(() => null);
    // Too many requests at once have the same status as a box that fails.
    if (!health?.status) return;
    const [words, mood] = healthWords[health.status] ?? [health.status, "quiet"];
    setText(find("health-verdict"), words);
    find("health-verdict").dataset.mood = mood;
    showList(find("health-reasons"), health.reasons, (reason) => reason, (reason) => element("li", { text: reason }));
    find("box-link").dataset.mood = mood;
    setText(find("box-link-mood"), health.status === "ok" ? "" : `, ${words}`);
}

function linkWords(link) {
    if (!link.carrier) return "not connected";
    return [link.speed === undefined ? "connected" : bitRate(link.speed), ...link.addresses].join(", ");
}

function showNetwork(network) {
    setText(find("network-verdict"), network.trouble ? "Not usable" : "Connected");
    find("network-verdict").dataset.mood = network.trouble ? "bad" : "good";
    find("network-trouble").hidden = !network.trouble;
    setText(find("network-trouble"), network.trouble ?? "");
    showFacts(find("network-facts"), [
        ["Address", network.address], ...network.links.map((link) => [`${kinds[link.kind] ?? link.kind} ${link.name}`, linkWords(link)]),
        ["Measured rate", network.throughput === undefined ? "not measured yet" : bitRate(network.throughput)],
        ["Metered", network.metered ? "yes: only what the operator allows is loaded" : "no"],
    ]);
}

function showMachine(box) {
    const { machine } = box;
    showFacts(find("software-facts"), [
        ["Version", box.version], ["Build", box.build], ["Slot", box.slot],
        ["System", box.update?.running === undefined ? null : `${box.update.running}${box.update.trial ? ", on trial" : ""}`],
        ["Update", box.update ? updateSentence(box.update) : null], ["Last update", box.update?.trouble],
        ["Settings", box.settings ? settingsSentence(box.settings) : null],
        ["Settings given up", box.settings?.givenUp === undefined ? null : `revision ${box.settings.givenUp}`],
        ["Trouble with settings", box.settings?.trouble], ["Last refused settings", box.settings?.refusal],
        ["Refused settings", box.settings?.refusals ? String(box.settings.refusals) : null],
        ["Player uptime", box.uptime === undefined ? null : length(box.uptime)],
    ]);
    showFacts(find("machine-facts"), [
        ["Name", box.name], ["Screen", box.screen], ["Sound", box.sound === "none" ? "no device could be opened" : box.sound],
        ["Sound goes to", box.outputs?.currentRoute ? outputName(box.outputs.currentRoute) : null],
        ["Sound output", box.outputs?.fixed ? `${outputName(box.outputs.fixed)}, set in marquee.toml` : null],
        ["Uptime", machine.uptime === undefined ? null : length(machine.uptime)],
        ["Memory", machine.memory ? `${bytes(machine.memory.free)} of ${bytes(machine.memory.size)} free` : null],
        ["Temperature", machine.temperature === undefined ? null : `${machine.temperature.toFixed(1)} °C`],
        ["Crash records", String(machine.crashes)],
    ]);
}

async function showBox() {
    const box = await askJSON("v1/box");
    if (box === null) return;
    setRight(box.right);
    setText(find("box-name"), box.name ?? "");
    if (shown() !== "box") return;
    showNetwork(box.network);
    showMachine(box);
    showOutputs(box.outputs);
}

export function begin() {
    onAway((away) => { if (!away) showBox(); });
    repeat(5000, () => true, async () => {
        await showBox();
        await showHealth();
    });
    addEventListener("hashchange", showBox);
}
