/// The symbols of the interface, drawn rather than taken from a font. Time runs to the right in all languages: symbols are never
/// mirrored.
enum Sign: Sendable, Hashable {
    case play, pause, forward, rewind, skipForward, skipBack, tick, warning, replay
    case moon, bell, lock, speaker, muted, delete, download, star

    /// Draws the symbol in a square around a centre.
    func draw(on canvas: Canvas, x: Double, y: Double, size: Double, _ colour: Tint) {
        let half = size / 2
        switch self {
        case .play:
            canvas.polygon(
                [(x - half * 0.62, y - half * 0.82), (x + half * 0.86, y), (x - half * 0.62, y + half * 0.82)],
                rounding: size * 0.08,
                colour)
        case .pause:
            for side in [-1.0, 1.0] {
                canvas.fill(
                    Rect(x: x + side * half * 0.46 - half * 0.24, y: y - half * 0.84, width: half * 0.48, height: half * 1.68),
                    radius: half * 0.12, colour)
            }
        case .forward, .rewind:
            let direction = self == .forward ? 1.0 : -1.0
            for part in [-1.0, 0.0] {
                let left = x + direction * (part * half * 0.92 + half * 0.04)
                canvas.polygon(
                    [(left, y - half * 0.6), (left + direction * half * 0.84, y), (left, y + half * 0.6)], rounding: size * 0.05,
                    colour)
            }
        case .skipForward, .skipBack:
            let direction = self == .skipForward ? 1.0 : -1.0
            canvas.arcArrow(x, y, radius: half * 0.86, direction: direction, width: size * 0.09, colour)
        case .tick:
            canvas.line(
                [(x - half * 0.6, y + half * 0.02), (x - half * 0.14, y + half * 0.48), (x + half * 0.64, y - half * 0.48)],
                width: size * 0.13, colour)
        case .warning:
            canvas.line(
                [
                    (x, y - half * 0.8), (x + half * 0.92, y + half * 0.76), (x - half * 0.92, y + half * 0.76),
                    (x, y - half * 0.8),
                ],
                width: size * 0.09, colour)
            canvas.line([(x, y - half * 0.22), (x, y + half * 0.22)], width: size * 0.1, colour)
            canvas.disc(x, y + half * 0.5, radius: size * 0.06, colour)
        case .replay:
            canvas.arcArrow(x, y, radius: half * 0.8, direction: -1, width: size * 0.11, colour)
        case .moon, .bell, .lock, .speaker, .muted, .delete, .download, .star:
            drawThing(on: canvas, x: x, y: y, size: size, colour)
        }
    }

    /// Draws the symbols that are not playback controls.
    private func drawThing(on canvas: Canvas, x: Double, y: Double, size: Double, _ colour: Tint) {
        let half = size / 2
        switch self {
        case .moon:
            canvas.crescent(x, y, radius: half * 0.9, colour)
        case .bell:
            // The dome runs into a rim that is wider; the clapper is below.
            canvas.disc(x, y - half * 0.26, radius: half * 0.5, colour)
            canvas.polygon(
                [
                    (x - half * 0.5, y - half * 0.26), (x + half * 0.5, y - half * 0.26), (x + half * 0.5, y + half * 0.2),
                    (x + half * 0.78, y + half * 0.52), (x - half * 0.78, y + half * 0.52), (x - half * 0.5, y + half * 0.2),
                ], rounding: size * 0.04, colour)
            canvas.line([(x, y - half * 0.9), (x, y - half * 0.7)], width: size * 0.11, colour)
            canvas.disc(x, y + half * 0.74, radius: half * 0.18, colour)
        case .lock:
            canvas.fill(
                Rect(x: x - half * 0.66, y: y - half * 0.1, width: half * 1.32, height: half * 1.04), radius: half * 0.18, colour)
            canvas.arc(x, y - half * 0.2, radius: half * 0.44, from: -0.25, to: 0.25, width: size * 0.11, colour)
            for side in [-1.0, 1.0] {
                canvas.line(
                    [(x + side * half * 0.44, y - half * 0.2), (x + side * half * 0.44, y)], width: size * 0.11, colour)
            }
        case .speaker, .muted:
            canvas.polygon(
                [
                    (x - half * 0.9, y - half * 0.3), (x - half * 0.5, y - half * 0.3), (x - half * 0.02, y - half * 0.74),
                    (x - half * 0.02, y + half * 0.74), (x - half * 0.5, y + half * 0.3), (x - half * 0.9, y + half * 0.3),
                ], rounding: size * 0.05, colour)
            if self == .speaker {
                for radius in [0.36, 0.72] {
                    canvas.arc(x + half * 0.12, y, radius: half * radius, from: 0.12, to: 0.38, width: size * 0.08, colour)
                }
            } else {
                for side in [-1.0, 1.0] {
                    canvas.line(
                        [(x + half * 0.3, y - side * half * 0.3), (x + half * 0.9, y + side * half * 0.3)], width: size * 0.09,
                        colour)
                }
            }
        case .delete:
            canvas.line(
                [
                    (x - half * 0.86, y), (x - half * 0.3, y - half * 0.58), (x + half * 0.86, y - half * 0.58),
                    (x + half * 0.86, y + half * 0.58), (x - half * 0.3, y + half * 0.58), (x - half * 0.86, y),
                ], width: size * 0.09, colour)
            for side in [-1.0, 1.0] {
                canvas.line(
                    [(x + half * 0.06, y - side * half * 0.22), (x + half * 0.5, y + side * half * 0.22)], width: size * 0.09,
                    colour)
            }
        case .download:
            canvas.line([(x, y - half * 0.9), (x, y + half * 0.4)], width: size * 0.13, colour)
            canvas.line(
                [(x - half * 0.5, y - half * 0.06), (x, y + half * 0.44), (x + half * 0.5, y - half * 0.06)], width: size * 0.13,
                colour)
            canvas.line([(x - half * 0.66, y + half * 0.9), (x + half * 0.66, y + half * 0.9)], width: size * 0.13, colour)
        case .star:
            // The points of a regular pentagram, without trigonometry: the same on every machine.
            let outer = [(0.0, -1.0), (0.951, -0.309), (0.588, 0.809), (-0.588, 0.809), (-0.951, -0.309)]
            let inner = [(0.235, -0.324), (0.38, 0.124), (0.0, 0.4), (-0.38, 0.124), (-0.235, -0.324)]
            let points = zip(outer, inner).flatMap { [$0, $1] }
            canvas.polygon(
                points.map { (x + half * 0.92 * $0.0, y + half * (0.06 + 0.92 * $0.1)) }, rounding: size * 0.06, colour)
        case .play, .pause, .forward, .rewind, .skipForward, .skipBack, .tick, .warning, .replay: break
        }
    }
}
