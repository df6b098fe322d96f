import Screens

/// The banner after a channel change: number, name, current and next programme.
struct ChannelBanner: LayerContent {
    var view: ChannelBannerView
    var picture: LayerPicture?
    /// Whether it is at the top, because the bar is at the bottom.
    var isAtTop: Bool

    private func frame(_ kit: Kit) -> Rect {
        let height = 196 + (kit.theme.typeScale - 1) * 200
        return Rect(
            x: Rect.safeArea.x, y: isAtTop ? Rect.safeArea.y : Rect.safeArea.maxY - height, width: Rect.safeArea.width,
            height: height)
    }

    func bounds(_ kit: Kit) -> Rect { frame(kit) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = self.frame(kit)
        let tints = kit.theme.tints
        canvas.panel(frame, isOverPicture: true)
        let inner = frame.inset(Grid.panelInset, 24)
        var left = inner.x
        if let number = view.number {
            let layout = kit.layout("\(number)", kit.style(.title1, .bold, alignment: .left, tabularDigits: true))
            let width = max(layout.bounds.width, 96)
            canvas.text(
                layout, centredIn: kit.place(Rect(x: left, y: inner.y, width: width, height: inner.height), in: inner), tints.text
            )
            left += width + 36
        }
        if picture?.pixels != nil {
            let side = 120.0
            let place = kit.place(Rect(x: left, y: inner.midY - side / 2, width: side, height: side), in: inner)
            canvas.picture(picture?.pixels, in: place, radius: Radius.badge, .fit)
            left += side + 36
        }
        let column = kit.place(Rect(x: left, y: inner.y, width: inner.maxX - left, height: inner.height), in: inner)
        let title = kit.style(.headline, .bold), body = kit.style(.body)
        let now = String.facts([view.now, view.nowTimes].compactMap { $0 }, isRightToLeft: kit.theme.isRightToLeft)
        var height = title.size * 1.2
        if !now.isEmpty { height += 4 + body.size * 1.2 }
        if view.progressPercent != nil { height += 24 }
        // As a whole it is in the middle, also where there is only a name.
        let top = (inner.midY - height / 2).rounded()
        var rest = column
        rest.y = top
        let next = view.next.map { kit.layout($0, kit.style(.caption1, width: column.width * 0.42)) }
        if let next {
            let place = kit.place(
                Rect(x: column.maxX - next.bounds.width - 2, y: top, width: next.bounds.width + 2, height: 40), in: column)
            canvas.text(next, x: place.x - next.bounds.x, y: top + 8, tints.secondaryText)
            let room = column.width - next.bounds.width - 48
            rest = kit.place(Rect(x: column.x, y: top, width: room, height: column.height), in: column)
        }
        rest.y += canvas.write(view.title, title, in: rest, tints.text) + 4
        rest.x = column.x
        rest.width = column.width
        rest.y += canvas.write(now, body, in: rest, tints.secondaryText)
        guard let percent = view.progressPercent else { return }
        let bar = Rect(x: column.x, y: min(rest.y + 16, inner.maxY - 8), width: column.width, height: 8)
        canvas.progress(percent, in: bar, least: 0.01, on: .panel, kit)
    }
}

/// A channel's number as it is typed, in the top trailing corner.
struct NumberEntry: LayerContent {
    var digits: String
    var title: String?
    /// Its upper edge.
    var top = Rect.safeArea.y

    private func layouts(_ kit: Kit) -> (digits: TextLayout, title: TextLayout?) {
        (
            kit.layout(digits + "–", kit.style(.title1, .bold, alignment: .left, tabularDigits: true)),
            title.map { kit.layout($0, kit.style(.body, width: VolumeLevel.width - 72, lines: 2)) }
        )
    }

    func bounds(_ kit: Kit) -> Rect {
        let (digits, title) = layouts(kit)
        let width = max(digits.bounds.width, title?.bounds.width ?? 0, 160) + 72
        let height = digits.bounds.height + (title?.bounds.height ?? 0) + 32
        return kit.place(
            Rect(x: Rect.safeArea.maxX - width, y: top, width: width, height: height), in: .safeArea)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let rect = bounds(kit)
        let (digits, title) = layouts(kit)
        canvas.panel(rect, isOverPicture: true)
        canvas.text(digits, x: rect.midX - digits.bounds.width / 2 - digits.bounds.x, y: rect.y + 14, kit.theme.tints.text)
        guard let title else { return }
        canvas.text(
            title, x: rect.midX - title.bounds.width / 2 - title.bounds.x, y: rect.y + 16 + digits.bounds.height,
            kit.theme.tints.secondaryText)
    }
}

/// The volume: a symbol, a bar and a number, in the top trailing corner.
struct VolumeLevel: LayerContent {
    var percent: Int
    var isMuted: Bool
    var top: Double

    /// That of the corner video of Home, so that it does not reach the buttons beside it.
    static let width = Double(Metrics.Video.cornerFrame(isRightToLeft: false).width)

    func bounds(_ kit: Kit) -> Rect {
        let height = 84 * (1 + (kit.theme.typeScale - 1) * 0.6)
        return kit.place(
            Rect(x: Rect.safeArea.maxX - Self.width, y: top, width: Self.width, height: height), in: .safeArea)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let rect = bounds(kit)
        let tints = kit.theme.tints
        canvas.panel(rect, radius: rect.height / 2, isOverPicture: true)
        let inner = rect.inset(Grid.panelInset, 0)
        (isMuted ? Sign.muted : .speaker).draw(on: canvas, x: inner.x + 22, y: rect.midY, size: 44, tints.text)
        let layout = kit.layout("\(percent)", kit.style(.body, .bold, alignment: .left, tabularDigits: true))
        let room = max(layout.bounds.width, 56 * kit.theme.typeScale)
        canvas.text(layout, x: inner.maxX - layout.bounds.width, y: rect.midY - layout.opticalMiddle, tints.text)
        // Louder is to the right in every language, like later on the time bar.
        let bar = Rect(x: inner.x + 72, y: rect.midY - 5, width: inner.width - 72 - room - 20, height: 10)
        canvas.progress(percent, in: bar, on: .panel, runsRight: true, isHollow: isMuted, kit)
    }
}

/// Audio without a picture: artwork, title and progress, at changing positions on a dark screen.
struct AudioOnly: LayerContent {
    var view: AudioOnlyView
    var picture: LayerPicture?

    func bounds(_ kit: Kit) -> Rect { Rect(view.frame) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = Rect(view.frame)
        let tints = kit.theme.tints
        var text = frame
        if view.artwork != nil {
            let side = min(frame.height, frame.width * 0.45)
            let place = kit.place(Rect(x: frame.x, y: frame.midY - side / 2, width: side, height: side), in: frame)
            canvas.picture(picture?.pixels, in: place, radius: Radius.field)
            text = kit.place(
                Rect(x: frame.x + side + 48, y: frame.y, width: frame.width - side - 48, height: frame.height), in: frame)
        }
        let title = kit.layout(view.title, kit.style(.title3, .bold, width: text.width, lines: 2))
        let subtitle = view.subtitle.map { kit.layout($0, kit.style(.body, width: text.width, lines: 2)) }
        let elapsed = kit.layout(view.elapsed, kit.style(.body, .bold, tabularDigits: true))
        let hasBar = view.progressPercent != nil, hasTime = !view.elapsed.isEmpty
        let height =
            title.bounds.height + (subtitle.map { $0.bounds.height + 6 } ?? 0) + (hasBar ? 44 : 0)
            + (hasTime ? 20 + elapsed.bounds.height : 0)
        var y = text.midY - height / 2
        canvas.text(title, x: text.x, y: y, tints.text)
        y += title.bounds.height
        if let subtitle {
            canvas.text(subtitle, x: text.x, y: y + 6, tints.secondaryText)
            y += subtitle.bounds.height + 6
        }
        if let percent = view.progressPercent {
            let bar = Rect(x: text.x, y: y + 30, width: text.width, height: 8)
            canvas.progress(percent, in: bar, least: 0.01, on: .panel, runsRight: true, kit)
            y += 44
        }
        guard hasTime else { return }
        let place = kit.place(Rect(x: text.x, y: 0, width: elapsed.bounds.width, height: 0), in: text)
        canvas.text(elapsed, x: place.x - elapsed.bounds.x, y: y + 20, tints.secondaryText)
    }
}

/// A long pause: a sign, the title and the time, at changing positions over the picture.
struct LongPauseWords: LayerContent {
    var view: PausedView

    func bounds(_ kit: Kit) -> Rect { Rect(view.frame) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let whole = Rect(view.frame), frame = whole.inset(Grid.panelInset, 0)
        let tint = kit.theme.tints.text
        let size = 64 * kit.theme.typeScale
        let sign = kit.place(Rect(x: frame.x, y: frame.midY - size / 2, width: size, height: size), in: frame)
        let left = frame.x + size + 32
        let words = kit.place(Rect(x: left, y: frame.y, width: frame.maxX - left, height: frame.height), in: frame)
        let title = view.title.map { kit.layout($0, kit.style(.headline, .bold, width: words.width, lines: 2)) }
        let time = kit.layout(view.time, kit.style(.body, width: words.width, tabularDigits: true))
        let height = (title?.bounds.height ?? 0) + time.bounds.height
        let width = size + 32 + max(title?.bounds.width ?? 0, time.bounds.width) + 2 * Grid.panelInset
        let ground = Rect(x: whole.x, y: whole.midY - height / 2 - 20, width: width, height: height + 40)
        canvas.panel(kit.place(ground, in: whole), isOverPicture: true)
        Sign.pause.draw(on: canvas, x: sign.midX, y: sign.midY, size: size, tint)
        var y = words.midY - height / 2
        if let title {
            canvas.text(title, x: words.x, y: y, tint)
            y += title.bounds.height
        }
        canvas.text(time, x: words.x, y: y, tint)
    }
}
