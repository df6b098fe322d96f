import Screens

extension InterfacePlan {
    /// The layers of a screen of the box itself.
    func setUpLayers(_ view: SetUpView) -> [LayerPlan] {
        var plans = [LayerPlan(id: "setup", z: 90, content: SetUpWords(view: view))]
        if let code = view.code.flatMap({ QRCode($0) }) {
            plans.append(
                LayerPlan(id: "setup.code", z: 91, content: SetUpCode(code: code, caption: view.codeCaption, facts: view.facts)))
        }
        if let countdown = view.countdown {
            plans.append(LayerPlan(id: "setup.countdown", z: 91, content: SetUpCountdown(seconds: countdown)))
        } else if view.isWaiting {
            // Below the words, at their side.
            let words = Rect.safeArea.inset(0, 60)
            let x = kit.theme.isRightToLeft ? words.maxX - 56 : words.x + 56
            plans.append(
                LayerPlan(
                    id: "setup.spinner", variant: spinnerPhase, z: 91, content: Spinner(phase: spinnerPhase, x: x, y: 620)))
        }
        return plans
    }

    /// The layer with the problems in the settings.
    var verdictLayers: [LayerPlan] { state.verdict.map { [LayerPlan(id: "verdict", z: 120, content: Verdict(view: $0))] } ?? [] }
}

/// The text of a screen of the box itself: on the leading side, with the code on the other.
struct SetUpWords: LayerContent {
    var view: SetUpView

    func bounds(_ kit: Kit) -> Rect { kit.scale.screen }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        canvas.fill(kit.scale.screen, Tint(Palette.background))
        var area = Rect.safeArea.inset(0, 60)
        if view.code != nil || view.countdown != nil { area.width = area.width - SetUpCode.width - 80 }
        area = kit.place(area, in: Rect.safeArea.inset(0, 60))
        var y = area.y
        func write(_ words: String, _ style: TextStyle, _ tint: Tint, after: Double) {
            var rest = area
            rest.y = y
            y += canvas.write(words, style, in: rest, tint) + after
        }
        if view.kind == .safe || view.kind == .reset || view.kind == .emergency {
            Sign.warning.draw(
                on: canvas, x: kit.theme.isRightToLeft ? area.maxX - 30 : area.x + 30, y: y + 30, size: 60, tints.text)
            y += 84
        }
        write(view.title, kit.style(.title2, .bold, lines: 3), tints.text, after: 30)
        let body = view.kind == .emergency ? kit.style(.title3, lines: 10) : kit.style(.body, lines: 4)
        for paragraph in view.paragraphs { write(paragraph, body, tints.text, after: 20) }
        if !view.example.isEmpty {
            y += 8
            var style = kit.style(.body, alignment: .left)
            style.family = .monospaced
            let height = Double(view.example.count) * style.size * 1.35 + 44
            let box = Rect(x: area.x, y: y, width: area.width, height: height)
            canvas.fill(box, radius: Radius.cell, tints.panel)
            canvas.stroke(box, radius: Radius.cell, width: 2, tints.edge)
            var line = box.inset(Grid.panelInset, 22)
            for words in view.example {
                canvas.write(words, style, in: line, tints.text)
                line.y += style.size * 1.35
            }
            y = box.maxY + 28
        }
        if view.code == nil {
            for fact in view.facts {
                write("\(fact.label): \(fact.value)", kit.style(.callout, .bold), tints.secondaryText, after: 10)
            }
        }
        if let button = view.button {
            let faces =
                [ButtonFace(title: button, isFocused: !view.isSecondFocused)]
                + (view.secondButton.map { [ButtonFace(title: $0, isFocused: view.isSecondFocused)] } ?? [])
            let row = kit.row(faces, in: Rect(x: area.x, y: y + 20, width: area.width, height: kit.rowHeight))
            for (face, place) in zip(faces, row) { canvas.button(face, place, kit) }
        }
    }
}

/// The QR code for a phone, and under it facts about the box.
struct SetUpCode: LayerContent {
    var code: QRCode
    var caption: String?
    var facts: [SetUpView.Fact]

    static let width = 480.0

    static func area(_ kit: Kit) -> Rect {
        let safe = Rect.safeArea.inset(0, 60)
        return kit.place(Rect(x: safe.maxX - Self.width, y: safe.y, width: width, height: safe.height), in: safe)
    }

    func bounds(_ kit: Kit) -> Rect { Self.area(kit) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = Self.area(kit)
        var rest = area
        rest.y = canvas.code(code, caption, in: area, kit) + 20
        for fact in facts {
            rest.y +=
                canvas.write(fact.label, kit.style(.caption1, alignment: .centre), in: rest, kit.theme.tints.secondaryText) + 2
            rest.y +=
                canvas.write(fact.value, style(for: fact.value, width: rest.width, kit), in: rest, kit.theme.tints.text) + 22
        }
    }

    /// The largest type in which a value fits in one line, otherwise the smallest in several lines: a truncated address is
    /// useless.
    private func style(for value: String, width: Double, _ kit: Kit) -> TextStyle {
        let sizes: [Metrics.TypeSize] =
            value.count > 20 ? [.body, .caption1, .caption2] : [.headline, .body, .caption1, .caption2]
        let styles = sizes.map { kit.style($0, .bold, alignment: .centre) }
        if let whole = styles.first(where: { kit.layout(value, $0).bounds.width <= width }) { return whole }
        // No larger than necessary, whatever the type size of the rest, so that everything fits.
        var smallest = kit.style(.caption2, .bold, lines: 4, alignment: .centre)
        smallest.size = Double(Metrics.TypeSize.caption2.pixels)
        return smallest
    }
}

/// The seconds until something happens, in large type beside the words.
struct SetUpCountdown: LayerContent {
    var seconds: Int

    func bounds(_ kit: Kit) -> Rect {
        let area = SetUpCode.area(kit)
        return Rect(x: area.midX - 160, y: area.y, width: 320, height: 320)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit), tint = kit.theme.tints.text
        canvas.arc(area.midX, area.midY, radius: 140, from: 0, to: 1, width: 8, tint)
        var style = kit.style(.title1, .bold, alignment: .left, tabularDigits: true)
        style.size = 120
        canvas.text(kit.layout("\(seconds)", style), centredIn: area, tint)
    }
}

/// The problems in the settings, at the top of the screen.
struct Verdict: LayerContent {
    var view: VerdictView

    private static let frameWidth = 1400.0
    private static let padding = Grid.panelInset

    private func lines(_ kit: Kit) -> [(TextLayout, isHead: Bool)] {
        let width = Self.frameWidth - 2 * Self.padding
        let head = (kit.layout(view.title, kit.style(.callout, .bold, width: width, lines: 2)), true)
        let body = (view.lines + (view.rest.map { [$0] } ?? [])).map {
            (kit.layout($0, kit.style(.caption1, width: width, lines: 2)), false)
        }
        return [head] + body
    }

    private func frame(_ kit: Kit) -> Rect {
        let height = lines(kit).reduce(2 * Self.padding - 12) { $0 + $1.0.bounds.height + 12 }
        return Rect(x: 960 - Self.frameWidth / 2, y: Rect.safeArea.y, width: Self.frameWidth, height: height)
    }

    func bounds(_ kit: Kit) -> Rect { frame(kit).inset(-2) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = self.frame(kit)
        let tints = kit.theme.tints
        canvas.fill(frame, radius: Radius.field, tints.panel.faded(0.94))
        canvas.stroke(frame, radius: Radius.field, width: 2, tints.edge)
        var y = frame.y + Self.padding
        for (layout, isHead) in lines(kit) {
            canvas.text(layout, x: frame.x + Self.padding, y: y, isHead ? tints.text : tints.secondaryText)
            y += layout.bounds.height + 12
        }
    }
}
