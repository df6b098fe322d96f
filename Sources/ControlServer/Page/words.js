// Numbers and dates as words for people.

const two = (number) => String(number).padStart(2, "0");

/** A position in a programme: 1:02:03 or 2:03. */
export function clockTime(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
    return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A length of time, with at most two units: 3 days 4 h, 12 min. */
export function length(seconds) {
    const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24, minutes = Math.floor(seconds / 60) % 60;
    if (days > 0) return `${count(days, "day", "days")} ${hours} h`;
    if (hours > 0) return `${hours} h ${minutes} min`;
    return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}

export function count(number, one, many) {
    return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Bytes in decimal units, as disks are sold and as the television shows them. */
export function bytes(number) { return scaled(number, ["B", "kB", "MB", "GB", "TB", "PB"]); }

export function bitRate(number) { return scaled(number, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"]); }

function scaled(number, units) {
    let place = 0;
    while (number >= 999.5 && place < units.length - 1) {
        number /= 1000;
        place += 1;
    }
    return `${number < 9.95 && place > 0 ? number.toFixed(1) : Math.round(number)} ${units[place]}`;
}

export function percent(part) { return `${Math.floor(part * 100)} %`; }

/** A date of ISO 8601 in the time zone of the browser. */
export function date(text) {
    const parsed = new Date(text);
    return Number.isNaN(parsed.getTime()) ? text : parsed.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
