// Elements of the page. Every text from outside goes through `textContent` or an attribute, never through HTML.

export const find = (id) => document.getElementById(id);

/**
 * Makes an element.
 * @param {string} tag
 * @param {object} attributes `text` is its text, `on` its listeners by event; other values are attributes: true is an empty one, and
 *   false, null and undefined leave it out.
 * @param {...(Node|null)} children
 */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name === "text") made.textContent = value;
        else if (name === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
        else if (value === true) made.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
    }
    made.append(...children.filter((child) => child !== null));
    return made;
}

/** One of the drawings at the beginning of the page. */
export function symbol(name) {
    const space = "http://www.w3.org/2000/svg";
    const drawing = document.createElementNS(space, "svg"), use = document.createElementNS(space, "use");
    drawing.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `#i-${name}`);
    drawing.append(use);
    return drawing;
}

/** Sets a text only when it is another one, so that screen readers are not told twice. */
export function setText(target, text) {
    if (target.textContent !== text) target.textContent = text;
}

/**
 * Shows a list of values. Elements of values that stay are kept with their focus and scrolling.
 * @param {Element} parent
 * @param {Array} values
 * @param {function} key what a value is, as a text that occurs once
 * @param {function} make makes the element of a value
 * @param {function} update shows a changed value in its element; without it a changed value gets a new element
 */
export function showList(parent, values, key, make, update = null) {
    const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
    let place = parent.firstElementChild;
    for (const value of values) {
        const name = key(value), content = JSON.stringify(value);
        let shown = old.get(name);
        old.delete(name);
        if (shown && shown.dataset.content !== content) {
            if (update) update(shown, value);
            else {
                const changed = make(value);
                if (place === shown) place = changed;
                shown.replaceWith(changed);
                shown = changed;
            }
        }
        shown ??= make(value);
        shown.dataset.key = name;
        shown.dataset.content = content;
        if (shown === place) place = place.nextElementSibling;
        else parent.insertBefore(shown, place);
    }
    for (const rest of old.values()) rest.remove();
}

/** Shows names and values as the pairs of a description list; values that are null are left out. */
export function showFacts(list, facts) {
    showList(
        list, facts.filter(([, value]) => value !== null && value !== undefined && value !== ""), ([name]) => name,
        ([name, value]) => element("div", {}, element("dt", { text: name }), element("dd", { text: value })));
}
