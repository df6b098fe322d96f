// The live screen.

import { ask, onAway, pause, repeat } from "./box.js";
import { find } from "./elements.js";
import { isShown } from "./views.js";

const canvas = find("picture");
const brush = canvas.getContext("2d", { alpha: false });
/** The serial of the picture that is drawn; null for none. */
let serial = null;

function closeCurtain(sentence) {
    find("curtain").textContent = sentence;
    find("curtain").classList.remove("open");
}

// The server answers when the picture differs from the one with this serial. So pictures arrive as fast as they are drawn, and none
// while nothing moves.
async function drawNext() {
    const answer = await ask(serial === null ? "v1/screen" : `v1/screen?after=${serial}`);
    if (answer === null || answer.status === 204) return;
    if (answer.status !== 200) {
        const content = await answer.json().catch(() => ({}));
        closeCurtain(content.error ?? "The screen cannot be shown.");
        serial = null;
        await pause(1000);
        return;
    }
    try {
        const picture = await createImageBitmap(await answer.blob());
        if (canvas.width !== picture.width || canvas.height !== picture.height) {
            canvas.width = picture.width;
            canvas.height = picture.height;
        }
        brush.drawImage(picture, 0, 0);
        picture.close();
        serial = answer.headers.get("X-Marquee-Serial");
        find("curtain").classList.add("open");
    } catch {
        // An incomplete picture; the next one is asked for.
        await pause(200);
    }
}

export function begin() {
    onAway((away) => {
        if (!away) return;
        serial = null;
        closeCurtain("The box isn’t responding. Reconnecting…");
    });
    find("full").addEventListener("click", () => {
        if (document.fullscreenElement) document.exitFullscreen();
        else find("screen").requestFullscreen();
    });
    repeat(0, isShown("television"), drawNext);
}
