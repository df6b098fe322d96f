// The four views of the page, of which the address names one: #television, #library, #storage, #box.

const views = [...document.querySelectorAll("main > .view")];
const links = [...document.querySelectorAll("nav a")];

/** The id of the view that is shown. */
export function shown() {
    const name = location.hash.slice(1);
    return views.some((view) => view.id === name) ? name : views[0].id;
}

/** Whether a view is shown, for `repeat`. */
export const isShown = (name) => () => shown() === name;

function show() {
    const name = shown();
    for (const view of views) view.hidden = view.id !== name;
    for (const link of links) {
        if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
}

export function begin() {
    // The address stays that of the view.
    document.getElementById("skip").addEventListener("click", (event) => {
        event.preventDefault();
        document.getElementById("main").focus();
    });
    addEventListener("hashchange", () => {
        show();
        // A screen reader goes on where the new content begins.
        scrollTo(0, 0);
        document.querySelector(`#${shown()} h2`).focus({ preventScroll: true });
    });
    show();
}
