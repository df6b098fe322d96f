import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Testing

@testable import Drawing

/// Every combination of the viewer's appearance settings.
private let themes = [
    Appearance(), Appearance(hasLargerText: true), Appearance(isRightToLeft: true),
    Appearance(isRightToLeft: true, hasLargerText: true, hasHighContrast: true),
]

@Suite("Rules for every screen", .serialized)
@MainActor
struct LayoutTests {
    @Test("text stays in the safe area, has at least the smallest size, and has no empty boxes", arguments: themes)
    func words(appearance: Appearance) throws {
        let easel = try Easel(appearance: appearance)
        defer { easel.stop() }
        for (name, state) in Samples.screens(appearance) {
            easel.show(state)
            var count = 0
            for (layer, texts) in easel.renderer.drawnTexts {
                for text in texts {
                    count += 1
                    let ink = Rect(x: text.x, y: text.y, width: text.width, height: text.height)
                    #expect(Rect.safeArea.inset(-1).contains(ink), "\(name), \(layer): “\(text.text)” at \(ink)")
                    #expect(text.size >= Double(Metrics.TypeSize.caption2.pixels), "\(name), \(layer): “\(text.text)”")
                    #expect(text.missingGlyphs == 0, "\(name), \(layer): “\(text.text)”")
                }
            }
            #expect(count > 0, "\(name)")
        }
    }

    @Test(
        "on a portrait screen the interface is whole, across its width: the same words in the safe area, none cut off that is not elsewhere"
    )
    func portrait() throws {
        let (wide, tall) = (try Easel(width: 1920, height: 1080), try Easel(width: 1080, height: 1920))
        defer {
            wide.stop()
            tall.stop()
        }
        let scale = Scale(width: 1080, height: 1920)
        #expect(scale.pixels(Rect(Metrics.screen)) == PixelRect(x: 0, y: 656, width: 1080, height: 608))
        for (name, state) in Samples.screens(Appearance()) {
            wide.show(state)
            let layers = tall.show(state)
            #expect(
                layers.allSatisfy {
                    PixelRect(x: 0, y: 0, width: 1080, height: 1920).intersection($0.destination) == $0.destination
                },
                "\(name)")
            #expect(Set(wide.renderer.drawnTexts.keys) == Set(tall.renderer.drawnTexts.keys), "\(name)")
            for (layer, texts) in tall.renderer.drawnTexts {
                #expect(texts.map(\.text) == wide.renderer.drawnTexts[layer]?.map(\.text), "\(name), \(layer)")
                #expect(texts.map(\.isEllipsized) == wide.renderer.drawnTexts[layer]?.map(\.isEllipsized), "\(name), \(layer)")
                for text in texts {
                    let ink = Rect(x: text.x, y: text.y, width: text.width, height: text.height)
                    #expect(Rect.safeArea.inset(-2).contains(ink), "\(name), \(layer): “\(text.text)” at \(ink)")
                }
            }
        }
    }

    @Test("text in Arabic and Japanese stays in the safe area and has no empty boxes", arguments: ["ar", "ja"])
    func languages(language: String) throws {
        let easel = try Easel(appearance: Appearance(language: language, isRightToLeft: language == "ar"))
        defer { easel.stop() }
        for (name, state) in Samples.$language.withValue(language, operation: { Samples.all }) {
            easel.show(state)
            for (layer, texts) in easel.renderer.drawnTexts {
                for text in texts {
                    let ink = Rect(x: text.x, y: text.y, width: text.width, height: text.height)
                    #expect(Rect.safeArea.inset(-1).contains(ink), "\(name), \(layer): “\(text.text)” at \(ink)")
                    #expect(text.missingGlyphs == 0, "\(name), \(layer): “\(text.text)”")
                }
            }
        }
    }

    @Test("interface text that is 40 % longer is not cut off, also in larger type", arguments: [false, true])
    func longerWords(isLarge: Bool) throws {
        let appearance = Appearance(hasLargerText: isLarge)
        let easel = try Easel(appearance: appearance)
        defer { easel.stop() }
        var count = 0
        for (name, state) in Samples.screens(appearance, in: "en-XA") {
            easel.show(state)
            for (layer, texts) in easel.renderer.drawnTexts {
                for text in texts where Samples.isPseudo(text.text) {
                    count += 1
                    #expect(!text.isEllipsized, "\(name), \(layer): “\(text.text)”")
                    let ink = Rect(x: text.x, y: text.y, width: text.width, height: text.height)
                    #expect(Rect.safeArea.inset(-1).contains(ink), "\(name), \(layer): “\(text.text)” at \(ink)")
                }
            }
        }
        #expect(count > 100)
    }

    @Test("text lies inside its layer, and layers inside the screen", arguments: themes)
    func insideLayers(appearance: Appearance) throws {
        let easel = try Easel(width: 1920, height: 1080, appearance: appearance)
        defer { easel.stop() }
        for (name, state) in Samples.screens(appearance) {
            for layer in easel.show(state) {
                let place = layer.destination
                #expect(
                    place.x >= 0 && place.y >= 0 && place.x + place.width <= 1920 && place.y + place.height <= 1080,
                    "\(name), \(layer.id)")
                let moved = try #require(easel.renderer.drawnTexts[layer.id])
                // Texts are recorded at the position at which they were drawn; a layer that was only moved since is offset from
                // it.
                guard name != "ad-with-bar", name != "ad", name != "live", name != "behind-live", name != "volume",
                    name != "skip-ad",
                    !layer.id.hasPrefix("home.row"), !layer.id.hasPrefix("home.focus")
                else { continue }
                for text in moved {
                    let ink = Rect(x: text.x, y: text.y, width: text.width, height: text.height)
                    #expect(Rect(place).inset(-1).contains(ink), "\(name), \(layer.id): “\(text.text)” at \(ink) in \(place)")
                }
            }
        }
    }

    @Test("the buttons of a proposal stay where they are when its countdown stops", arguments: themes)
    func proposalButtons(appearance: Appearance) throws {
        let easel = try Easel(width: 1920, height: 1080, appearance: appearance)
        defer { easel.stop() }
        func middles(_ state: PresentationState) -> [String: Double] {
            easel.show(state)
            return (easel.renderer.drawnTexts["proposal.buttons"] ?? []).reduce(into: [:]) { $0[$1.text] = $1.x + $1.width / 2 }
        }
        let running = middles(Samples.proposal())
        let stopped = middles(Samples.proposalStopped)
        let others = running.filter { stopped[$0.key] != nil }
        #expect(others.count == 2, "\(running) and \(stopped)")
        for (words, middle) in others { #expect(abs(stopped[words]! - middle) <= 2, "\(words)") }
    }

    @Test("layers are tight: something is drawn near each edge")
    func tight() throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        let tightOnes: Set<String> = [
            "bar", "bar.bubble", "bar.hint", "bar.actions", "bar.keys", "label", "skip", "action", "refusal", "toast", "spinner",
            "spinner.words",
            "title", "card", "card.buttons", "proposal.buttons", "panel",
        ]
        var seen: Set<String> = []
        for (name, state) in Samples.all {
            for layer in easel.show(state) where tightOnes.contains(layer.id) {
                seen.insert(layer.id)
                let ink = try #require(layer.pixels.inkBounds(), "\(name), \(layer.id)")
                let margins = [
                    ink.x, ink.y, layer.pixels.width - ink.x - ink.width, layer.pixels.height - ink.y - ink.height,
                ]
                #expect(margins.max()! <= 24, "\(name), \(layer.id): \(margins)")
            }
        }
        #expect(seen == tightOnes)
    }

    @Test("elements above the bar never overlap", arguments: themes)
    func overlaps(appearance: Appearance) throws {
        let easel = try Easel(width: 1920, height: 1080, appearance: appearance)
        defer { easel.stop() }
        let words = [
            "title", "bar", "bar.bubble", "bar.hint", "bar.actions", "bar.keys", "label", "skip", "action", "refusal", "toast",
        ]
        var crowded = Samples.adWithBar
        crowded.toast = "Muted"
        crowded.bar?.actions = ["From Beginning", "Info"]
        var hinted = Samples.adWithBar
        hinted.bar?.hint = "Press Back to undo"
        hinted.skipCountdown = nil
        hinted.action = ContextualActionView(kind: .skipInterstitial, title: "Skip Ad", isFocused: true)
        for (name, state) in Samples.screens(appearance) + [("crowded", crowded), ("hinted", hinted)] {
            let layers = easel.show(state).filter { words.contains($0.id) }
            for (index, one) in layers.enumerated() {
                for other in layers[(index + 1)...] {
                    let gap = Rect(one.destination).inset(8).intersects(Rect(other.destination).inset(8))
                    #expect(!gap, "\(name): \(one.id) \(one.destination) and \(other.id) \(other.destination)")
                }
            }
        }
    }

    @Test("the focus ring is at least 4 px wide and stays in the safe area")
    func focusRing() throws {
        #expect(Metrics.focusRing >= 4)
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        // The first poster touches one edge of the safe area, the last column the other.
        for column in [0, 4] {
            let layers = easel.show(Samples.home(column: column, corner: false))
            let row = try #require(layers.first { $0.id == "home.row.continue" })
            let safe = Metrics.safeArea
            let white = row.pixels.bounds { blue, green, red, alpha in alpha == 255 && red == 255 && green == 255 && blue == 255 }
            let ring = try #require(white)
            #expect(row.destination.x + ring.x >= safe.x)
            #expect(row.destination.x + ring.x + ring.width <= safe.x + safe.width)
        }
    }

    @Test("the time bar is not mirrored from right to left")
    func mirroring() throws {
        let plain = try Easel(), mirrored = try Easel(appearance: Appearance(isRightToLeft: true))
        defer {
            plain.stop()
            mirrored.stop()
        }
        let one = try #require(plain.show(Samples.scanning).first { $0.id == "bar" })
        let other = try #require(mirrored.show(Samples.scanning).first { $0.id == "bar" })
        #expect(one.destination == other.destination)
        #expect(one.pixels.rows() == other.pixels.rows())
        let left = try #require(plain.show(Samples.infoAction).first { $0.id == "panel.content" })
        let right = try #require(mirrored.show(Samples.infoAction).first { $0.id == "panel.content" })
        #expect(left.pixels.rows() != right.pixels.rows())
    }

    @Test("time in the guide runs in the direction of the language, with its line for now")
    func guideDirection() throws {
        let plain = try Easel(), mirrored = try Easel(appearance: Appearance(isRightToLeft: true))
        defer {
            plain.stop()
            mirrored.stop()
        }
        let one = plain.show(Samples.guide), other = mirrored.show(Samples.guide)
        func places(_ easel: Easel) -> [Double] { (easel.renderer.drawnTexts["guide.times"] ?? []).map(\.x) }
        #expect(places(plain).count > 3 && places(plain) == places(plain).sorted())
        #expect(places(mirrored).count == places(plain).count && places(mirrored) == places(mirrored).sorted().reversed())
        let left = try #require(one.first { $0.id == "guide.now" }).destination
        let right = try #require(other.first { $0.id == "guide.now" }).destination
        #expect(abs(left.x + right.x + right.width - 1280) <= 1)
        #expect(left.x != right.x)
    }

    @Test(
        "no word of a channel's name is broken in the guide: the picture makes way for it, or the name is cut",
        arguments: [false, true])
    func guideNames(hasLargerText: Bool) throws {
        let easel = try Easel(appearance: Appearance(hasLargerText: hasLargerText))
        defer { easel.stop() }
        var state = Samples.guide
        guard case .guide(var view)? = state.page else {
            Issue.record("no guide")
            return
        }
        for (index, name) in ["Harbour", "Harbour One", "Donaudampfschifffahrtsgesellschaft One"].enumerated() {
            view.rows[index].title = name
            view.rows[index].artwork = index == 0 ? nil : "cover"
        }
        state.page = .guide(view)
        _ = easel.show(state)
        let names = try (0..<3).map { index in
            try #require(easel.renderer.drawnTexts["guide.row\(index)"]?.first { $0.text == view.rows[index].title })
        }
        #expect(!names[0].isEllipsized && !names[1].isEllipsized)
        #expect(names[1].width >= names[0].width - 1, "its first word is whole")
        #expect(names[2].isEllipsized && names[2].height < names[2].size * 1.3, "one line")
    }

    @Test(
        "while scrubbing the time is drawn once, and the title is one line beside the bubble, also at the ends of the bar",
        arguments: themes)
    func scrubbing(appearance: Appearance) throws {
        let easel = try Easel(width: 1920, height: 1080, appearance: appearance)
        defer { easel.stop() }
        for pixels in [0, 300, 864, 1400, 1728] {
            var state = Samples.thumbnail
            state.bar?.playhead = BarPosition(pixels: pixels)
            let scrub = try #require(state.bar?.scrub)
            let layers = easel.show(state)
            let drawn = easel.renderer.drawnTexts.values.joined().map(\.text)
            #expect(
                drawn.count { $0 == scrub.time } == 1 && drawn.contains { $0 == scrub.offset }
                    && drawn.contains { $0 == scrub.chapter })
            let title = try #require(layers.first { $0.id == "title" }).destination
            let bubble = try #require(layers.first { $0.id == "bar.bubble" }).destination
            #expect(title.height <= 64 && title.y + title.height <= 920)
            #expect(title.x >= bubble.x + bubble.width || title.x + title.width <= bubble.x)
            #expect(easel.renderer.drawnTexts["title"]?.map(\.text) == [state.title?.title ?? ""])
        }
    }

    @Test("a description that is cut off has the word for more, and a short one has not", arguments: themes)
    func more(appearance: Appearance) throws {
        let easel = try Easel(appearance: appearance)
        defer { easel.stop() }
        func words(_ summary: String) throws -> [DrawnText] {
            var state = Samples.infoPanel
            guard case .info(var info)? = state.panel?.content else { throw Missing() }
            info.summary = summary
            state.panel?.content = .info(info)
            easel.show(state)
            return easel.renderer.drawnTexts["panel.content"] ?? []
        }
        let long = try words(String(repeating: "The lamp burns. ", count: 60))
        let more = try #require(long.first { $0.text == "More" })
        let cut = try #require(long.first { $0.isEllipsized })
        #expect(more.y >= cut.y + cut.height - 4 && more.y < Rect(Metrics.Panel.frame).maxY + 80)
        #expect(try !words("The lamp burns.").contains { $0.text == "More" })
    }

    @Test("a line of a long text has at most 75 characters")
    func lineLength() throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        var state = Samples.longText
        state.longText?.text = (0..<4).map { _ in Samples.summary }.joined(separator: " ")
        easel.show(state)
        let text = try #require(easel.renderer.drawnTexts["page.text"]?.max { $0.text.count < $1.text.count })
        let characters = Double(text.text.count) / (text.height / (text.size * 1.25))
        #expect(characters > 40 && characters < 75, "\(characters)")
        #expect(!text.isEllipsized)
    }

    @Test("channels' names begin in one column, with an icon or without")
    func channelNames() throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        let state = Samples.channels
        easel.show(state)
        guard case .channels(let list)? = state.page else { throw Missing() }
        #expect(Set(list.rows.map { $0.artwork == nil }).count == 2)
        let titles = Set(list.rows.map(\.title))
        let places = (easel.renderer.drawnTexts["channels.rows"] ?? []).filter { titles.contains($0.text) && $0.isBold }.map(\.x)
        #expect(places.count == list.rows.count)
        #expect(places.max()! - places.min()! < 8, "\(places): the ink of letters begins a little after its column")
    }

    private struct Missing: Error {}

    @Test("the label of an advertisement, its countdown and its button are on one line and of one height")
    func advertisementLine() throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        for state in [Samples.ad, Samples.adWithBar] {
            let layers = easel.show(state)
            let label = try #require(layers.first { $0.id == "label" }).destination
            let skip = try #require(layers.first { $0.id == "skip" }).destination
            #expect(label.y == skip.y && label.height == skip.height)
        }
        let layers = easel.show(Samples.skipAd)
        let label = try #require(layers.first { $0.id == "label" }).destination
        let button = try #require(layers.first { $0.id == "action" }).destination
        // The button's layer has room for its ring.
        #expect(abs(2 * label.y + label.height - 2 * button.y - button.height) <= 2)
        #expect(label.height == 66)
    }

    @Test("screens that are not 16:9 show the whole interface in the middle, and full-bleed layers reach their edges")
    func otherShapes() throws {
        let easel = try Easel(width: 1024, height: 768)
        defer { easel.stop() }
        let layers = easel.show(Samples.playing)
        let scrim = try #require(layers.first { $0.id == "scrim" }), bar = try #require(layers.first { $0.id == "bar" })
        #expect(scrim.destination.x == 0 && scrim.destination.width == 1024)
        #expect(scrim.destination.y + scrim.destination.height == 768)
        #expect(bar.destination.x > 40 && bar.destination.x + bar.destination.width < 984)
    }

    @Test("dots, notches and the playhead are at their times")
    func marks() throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        var state = Samples.playing
        state.bar = TransportBarView {
            $0.playhead = BarPosition(pixels: 600)
            $0.elapsed = "1:00"
            $0.buffered = [.init(start: .start, end: BarPosition(pixels: 900))]
            $0.dots = [.init(position: BarPosition(pixels: 1200), isWatched: false)]
            $0.chapterTicks = [BarPosition(pixels: 300)]
        }
        let strip = try #require(easel.show(state).first { $0.id == "bar" })
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { strip.pixels.pixel(96 + x - strip.destination.x, y - strip.destination.y) }
        #expect(pixel(200, 944) == [255, 255, 255, 255])
        #expect(pixel(600, 932) == [255, 255, 255, 255])
        // What is loaded is filled, and the rest is hollow in a line.
        #expect(abs(Int(pixel(750, 944)[3]) - 107) <= 1)
        #expect(pixel(1600, 944)[3] == 0 && (936..<952).contains { pixel(1600, $0)[3] > 90 })
        let dot = pixel(1200, 944)
        #expect(dot[3] == 255 && dot[2] > 240 && dot[1] > 190 && dot[0] < 20)
        #expect(pixel(300, 944)[2] < 20 && pixel(300, 944)[3] > 150)
    }
}

extension PixelBuffer {
    /// Blue, green, red, alpha.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        withBytes { bytes in
            let start = planes[0].offset + y * planes[0].stride + x * 4
            return Array(bytes[start..<start + 4])
        }
    }

    /// The smallest rectangle that holds all matching pixels; nil when there are none.
    func bounds(where isWanted: (_ blue: UInt8, _ green: UInt8, _ red: UInt8, _ alpha: UInt8) -> Bool) -> PixelRect? {
        let rows = self.rows()
        var left = width, top = height, right = -1, bottom = -1
        for y in 0..<height {
            for x in 0..<width {
                let offset = (y * width + x) * 4
                guard isWanted(rows[offset], rows[offset + 1], rows[offset + 2], rows[offset + 3]) else { continue }
                left = min(left, x)
                right = max(right, x)
                top = min(top, y)
                bottom = max(bottom, y)
            }
        }
        return right < 0 ? nil : PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    /// The smallest rectangle that holds everything that is drawn.
    func inkBounds() -> PixelRect? { bounds { $3 > 8 } }
}
