import Screens

/// The moving part of the transport bar: the bar, its dots and notches, the playhead and the times. A tick of a second draws only
/// this strip.
struct TransportStrip: LayerContent {
    var isTall: Bool
    var playhead: BarPosition
    var elapsed: String
    var trailing: String?
    var start: String?
    var live: String?
    var behind: String?
    var buffered: [TransportBarView.Span]
    var dots: [TransportBarView.Dot]
    var ticks: [BarPosition]
    var glyph: TransportBarView.Glyph?
    var origin: BarPosition?

    init(_ bar: TransportBarView) {
        isTall = bar.focus == .bar || bar.scrub != nil
        playhead = bar.playhead
        // While scrubbing, the bubble above the playhead has the time.
        elapsed = bar.scrub == nil ? bar.elapsed : ""
        trailing = bar.trailing
        start = bar.start
        live = bar.live
        behind = bar.behind
        buffered = bar.buffered
        dots = bar.dots
        ticks = bar.chapterTicks
        glyph = bar.glyph
        origin = bar.scrub?.origin
    }

    private static let frame = Rect(Metrics.Bar.frame)
    /// The upper edge of the line of times.
    private static let timesTop = frame.maxY + Double(Metrics.Bar.timesGap)

    func bounds(_ kit: Kit) -> Rect {
        let dot = Double(Metrics.Bar.dotDiameter) / 2 + Double(Metrics.Bar.dotRing)
        let head = Double(Metrics.Bar.playheadHeight) / 2 + 2
        let top = Self.frame.midY - head
        let bottom = Self.timesTop + Double(Metrics.TypeSize.body.pixels) * kit.theme.typeScale * 1.25 + 2
        return Rect(x: Self.frame.x - dot, y: top, width: Self.frame.width + 2 * dot, height: bottom - top)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        drawTrack(canvas)
        drawMarks(canvas)
        drawTimes(canvas, kit)
    }

    private func x(_ position: BarPosition) -> Double { Self.frame.x + Double(position.pixels) }

    private var track: Rect {
        let height = isTall ? Double(Metrics.Bar.focusedHeight) : Self.frame.height
        return Rect(x: Self.frame.x, y: Self.frame.midY - height / 2, width: Self.frame.width, height: height)
    }

    private func drawTrack(_ canvas: Canvas) {
        let track = self.track, tint = canvas.theme.tints.barBuffered
        canvas.clipped(to: track, radius: track.height / 2) {
            // What is not loaded is hollow: from black to white there is no room for a third step of 3:1.
            canvas.stroke(track, radius: track.height / 2, width: Double(Metrics.Bar.lineWidth), tint)
            for span in buffered {
                canvas.replace(
                    Rect(x: x(span.start), y: track.y, width: x(span.end) - x(span.start), height: track.height), tint)
            }
            canvas.replace(Rect(x: track.x, y: track.y, width: x(playhead) - track.x, height: track.height), Tint(Palette.played))
            for tick in ticks where tick > .start && tick < .end {
                let width = Double(Metrics.Bar.chapterTickWidth)
                // A notch in what is filled, a line across what is hollow.
                canvas.replace(
                    Rect(x: x(tick) - width / 2, y: track.y, width: width, height: track.height),
                    isFilled(tick) ? Tint(Palette.chapterTick) : tint)
            }
        }
    }

    private func isFilled(_ position: BarPosition) -> Bool {
        position <= playhead || buffered.contains { $0.start <= position && position <= $0.end }
    }

    private func drawMarks(_ canvas: Canvas) {
        let middle = Self.frame.midY
        if let origin {
            // The position that Back returns to.
            canvas.fill(
                Rect(x: x(origin) - 2, y: middle - 11, width: 4, height: 22), radius: 2, canvas.theme.tints.text.faded(0.6))
        }
        for dot in dots {
            let radius = Double(Metrics.Bar.dotDiameter) / 2
            canvas.disc(x(dot.position), middle, radius: radius + Double(Metrics.Bar.dotRing), Tint(Palette.dotRing))
            if dot.isWatched {
                // Hollow: a grey disc differs from a yellow one by its colour only.
                let width = radius / 2
                canvas.arc(
                    x(dot.position), middle, radius: radius - width / 2, from: 0, to: 1, width: width, Tint(Palette.watchedDot))
            } else {
                canvas.disc(x(dot.position), middle, radius: radius, Tint(Palette.dot))
            }
        }
        let width = Double(Metrics.Bar.playheadWidth), height = Double(Metrics.Bar.playheadHeight)
        let head = Rect(x: x(playhead) - width / 2, y: middle - height / 2, width: width, height: height)
        canvas.fill(head.inset(-2), radius: width / 2 + 2, .white(0, 0.45))
        canvas.fill(head, radius: width / 2, Tint(Palette.played))
    }

    private func drawTimes(_ canvas: Canvas, _ kit: Kit) {
        let style = kit.style(.body, .bold, alignment: .left, tabularDigits: true)
        let tint = canvas.theme.tints.text
        var limit = Self.frame.maxX
        var floor = Self.frame.x
        if let start {
            let layout = kit.layout(start, style)
            canvas.text(layout, x: floor, y: Self.timesTop, tint)
            floor += layout.bounds.width + 32
        }
        if let trailing {
            let layout = kit.layout(trailing, style)
            canvas.text(layout, x: limit - layout.bounds.width, y: Self.timesTop, tint)
            limit -= layout.bounds.width + 32
        }
        if let live { limit = drawBadge(live, right: limit, style, canvas, kit) - 24 }
        if let behind {
            let layout = kit.layout(behind, style)
            canvas.text(layout, x: limit - layout.bounds.width, y: Self.timesTop, tint)
            limit -= layout.bounds.width + 32
        }
        // In an interstitial and while scrubbing there is no time, only the symbol.
        let layout = kit.layout(elapsed.isEmpty ? "0" : elapsed, style)
        let width = layout.bounds.width
        let room = glyph == nil ? 0 : glyphWidth(kit) + 14
        let left = max(min(x(playhead) - width / 2, limit - width), floor + room)
        if !elapsed.isEmpty { canvas.text(layout, x: left, y: Self.timesTop, tint) }
        drawGlyph(canvas, kit, x: elapsed.isEmpty ? left : left - room, y: Self.timesTop + layout.opticalMiddle)
    }

    /// The badge of what is live: filled at the live edge, hollow behind it.
    ///
    /// - Returns: its left edge.
    private func drawBadge(_ words: String, right: Double, _ style: TextStyle, _ canvas: Canvas, _ kit: Kit) -> Double {
        let layout = kit.layout(words, style)
        let left = right - 18 - layout.bounds.width
        let middle = Self.timesTop + layout.opticalMiddle, height = 21 * kit.theme.typeScale * 1.9
        let badge = Rect(x: left - 18, y: middle - height / 2, width: right - left + 18, height: height)
        if behind == nil {
            // White text on red marks what is live; the red is dark enough for it to be readable.
            canvas.fill(badge, radius: 9, Tint(Palette.live).over(.white(0)).darkened(kit.theme.hasHighContrast ? 0.7 : 0.86))
            canvas.stroke(badge, radius: 9, width: 2, canvas.theme.tints.edge)
        } else {
            canvas.stroke(badge, radius: 9, width: 2, canvas.theme.tints.text)
        }
        canvas.text(layout, x: left, y: Self.timesTop, canvas.theme.tints.text)
        return badge.x
    }

    private func glyphSize(_ kit: Kit) -> Double { 38 * kit.theme.typeScale }

    private func levelLayout(_ kit: Kit) -> TextLayout? {
        switch glyph {
        case .scanForward(let level), .scanBackward(let level):
            kit.layout("\(level)", kit.style(.body, .bold, alignment: .left, tabularDigits: true))
        case .pause, .skipForward, .skipBackward, .play, nil: nil
        }
    }

    private func glyphWidth(_ kit: Kit) -> Double { glyphSize(kit) + (levelLayout(kit).map { $0.bounds.width + 8 } ?? 0) }

    private func drawGlyph(_ canvas: Canvas, _ kit: Kit, x: Double, y: Double) {
        guard let glyph else { return }
        let size = glyphSize(kit)
        let tint = canvas.theme.tints.text
        let sign: Sign =
            switch glyph {
            case .pause: .pause
            case .play: .play
            case .skipForward: .skipForward
            case .skipBackward: .skipBack
            case .scanForward: .forward
            case .scanBackward: .rewind
            }
        sign.draw(on: canvas, x: x + size / 2, y: y, size: size, tint)
        if let level = levelLayout(kit) { canvas.text(level, x: x + size + 8, y: Self.timesTop, tint) }
    }
}
