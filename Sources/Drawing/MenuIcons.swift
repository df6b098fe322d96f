import Screens

extension MenuIcon {
    /// Draws the picture of what a row of Settings is about, in a square around a centre. They are never mirrored.
    func draw(on canvas: Canvas, x: Double, y: Double, size: Double, _ colour: Tint) {
        let half = size / 2, width = max(size * 0.09, 2.5)
        switch self {
        case .language:
            canvas.arc(x, y, radius: half * 0.88, from: 0, to: 1, width: width, colour)
            canvas.ellipse(x, y, width: half * 0.8, height: half * 1.76, line: width, colour)
            canvas.line([(x - half * 0.84, y), (x + half * 0.84, y)], width: width, colour)
        case .captions:
            canvas.stroke(
                Rect(x: x - half, y: y - half * 0.76, width: size, height: half * 1.52), radius: half * 0.3, width: width, colour)
            canvas.line([(x - half * 0.6, y + half * 0.08), (x + half * 0.6, y + half * 0.08)], width: width, colour)
            canvas.line([(x - half * 0.34, y + half * 0.42), (x + half * 0.34, y + half * 0.42)], width: width, colour)
        case .sound: Sign.speaker.draw(on: canvas, x: x, y: y, size: size, colour)
        case .picture:
            canvas.stroke(
                Rect(x: x - half, y: y - half * 0.8, width: size, height: half * 1.3), radius: half * 0.2, width: width, colour)
            canvas.line([(x - half * 0.5, y + half * 0.84), (x + half * 0.5, y + half * 0.84)], width: width, colour)
        case .accessibility:
            canvas.arc(x, y, radius: half * 0.92, from: 0, to: 1, width: width, colour)
            canvas.disc(x, y - half * 0.46, radius: half * 0.15, colour)
            canvas.line([(x - half * 0.46, y - half * 0.14), (x + half * 0.46, y - half * 0.14)], width: width, colour)
            canvas.line(
                [(x - half * 0.28, y + half * 0.6), (x, y + half * 0.04), (x + half * 0.28, y + half * 0.6)], width: width, colour
            )
            canvas.line([(x, y - half * 0.14), (x, y + half * 0.04)], width: width, colour)
        case .parental: Sign.lock.draw(on: canvas, x: x, y: y, size: size * 0.94, colour)
        case .sleepTimer: Sign.moon.draw(on: canvas, x: x, y: y, size: size, colour)
        case .network, .signal1, .signal2, .signal3, .signal4:
            // One arc more for each step: the number of arcs shows the strength without colours.
            let arcs = self == .signal1 ? 0 : self == .signal2 ? 1 : self == .signal3 ? 2 : 3
            for radius in [0.56, 1.0, 1.44].prefix(arcs) {
                canvas.arc(x, y + half * 0.7, radius: half * radius, from: -0.125, to: 0.125, width: width, colour)
            }
            canvas.disc(x, y + half * 0.64, radius: half * 0.18, colour)
        case .storage:
            canvas.stroke(
                Rect(x: x - half * 0.94, y: y - half * 0.7, width: half * 1.88, height: half * 1.4), radius: half * 0.24,
                width: width, colour)
            canvas.line([(x - half * 0.86, y + half * 0.14), (x + half * 0.86, y + half * 0.14)], width: width, colour)
            canvas.disc(x + half * 0.54, y + half * 0.41, radius: half * 0.11, colour)
        case .about:
            canvas.arc(x, y, radius: half * 0.9, from: 0, to: 1, width: width, colour)
            canvas.disc(x, y - half * 0.4, radius: half * 0.12, colour)
            canvas.line([(x, y - half * 0.06), (x, y + half * 0.44)], width: width * 1.15, colour)
        case .channels:
            for row in [-0.62, 0, 0.62] {
                canvas.disc(x - half * 0.78, y + half * row, radius: half * 0.16, colour)
                canvas.line([(x - half * 0.34, y + half * row), (x + half * 0.9, y + half * row)], width: width, colour)
            }
        case .reset: Sign.replay.draw(on: canvas, x: x, y: y, size: size, colour)
        }
    }
}
