// The texts of the page whose contrast with what is behind them is too small, as a list of sentences.
(() => {
    const parse = (colour) => {
        const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
        return { red, green, blue, alpha };
    };
    const over = (top, below) => {
        const mix = (name) => top[name] * top.alpha + below[name] * (1 - top.alpha);
        return { red: mix("red"), green: mix("green"), blue: mix("blue"), alpha: 1 };
    };
    const luminance = ({ red, green, blue }) => {
        const [r, g, b] = [red, green, blue].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
        const layers = [];
        for (let place = element; place; place = place.parentElement) {
            const colour = parse(getComputedStyle(place).backgroundColor);
            if (colour.alpha > 0) layers.push(colour);
            if (colour.alpha === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), { red: 255, green: 255, blue: 255, alpha: 1 });
    };
    const poor = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement, words = walker.currentNode.textContent.trim();
        if (!words || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        // Text for screen readers alone, text over a picture, and what cannot be used.
        if (element.closest(".unseen, .curtain, :disabled") || element.closest(".poster")?.querySelector("img")) continue;
        const style = getComputedStyle(element), size = parseFloat(style.fontSize), behind = ground(element);
        const [one, other] = [luminance(over(parse(style.color), behind)), luminance(behind)];
        const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        const least = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700 ? 3 : 4.5;
        if (contrast < least) poor.push(`“${words.slice(0, 40)}” has ${contrast.toFixed(2)} and needs ${least}`);
    }
    return poor;
})()
