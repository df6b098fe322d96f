/// The symbols that are not playback controls.
extension Sign {
    /// Draws the symbol in a square around a centre.
    func drawThing(on canvas: Canvas, x: Double, y: Double, size: Double, _ colour: Tint) {
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

extension Canvas {
    /// A chevron that points right (1) or left (-1).
    func chevron(_ x: Double, _ y: Double, size: Double, direction: Double, _ colour: Tint) {
        line(
            [
                (x - direction * size * 0.25, y - size * 0.5), (x + direction * size * 0.25, y),
                (x - direction * size * 0.25, y + size * 0.5),
            ],
            width: max(size * 0.2, 3), colour)
    }

    /// A chevron that points down (1) or up (-1), for more content.
    func more(_ x: Double, _ y: Double, direction: Double, _ colour: Tint) {
        line([(x - 14, y - direction * 5), (x, y + direction * 6), (x + 14, y - direction * 5)], width: 4, colour)
    }

    /// A switch. The position of its knob and a tick show whether it is on, so that no colour is needed.
    func toggle(_ rect: Rect, isOn: Bool, isMirrored: Bool, ground: Tint, knob: Tint) {
        let radius = rect.height / 2
        if isOn {
            fill(rect, radius: radius, ground)
        } else {
            stroke(rect, radius: radius, width: 3, ground)
        }
        let onRight = isOn != isMirrored
        let x = onRight ? rect.maxX - radius : rect.x + radius
        disc(x, rect.midY, radius: radius - (isOn ? 4 : 8), isOn ? knob : ground)
        if isOn { Sign.tick.draw(on: self, x: x, y: rect.midY, size: radius * 1.0, ground) }
    }
}
