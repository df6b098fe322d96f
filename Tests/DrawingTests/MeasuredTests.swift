import MediaModel
import Screens
import Testing

@testable import Drawing

/// Measures screens as they are drawn: what a person would see at once, and a picture compared with itself would not.
@Suite("Screens, measured", .serialized)
@MainActor
struct MeasuredTests {
    nonisolated private static let variants: [(language: String, appearance: Appearance)] = [
        ("en", Appearance()), ("ar", Appearance(language: "ar", isRightToLeft: true)), ("ja", Appearance(language: "ja")),
        ("en", Appearance(hasLargerText: true)), ("en-XA", Appearance(hasLargerText: true)),
    ]

    /// A text, with its ink on the screen in design pixels.
    private struct Ink {
        var layer: String
        var text: String
        var rect: Rect
    }

    /// The texts of a state and their places.
    private func inks(_ state: PresentationState, _ kit: Kit) -> [Ink] {
        let plans = InterfacePlan(state: state, kit: kit, shelf: ImageShelf(byteLimit: 1 << 20), spinnerPhase: 0).layers()
        let result = LayerPainter(fonts: kit.fonts).paint(plans, scale: kit.scale, theme: kit.theme, allocator: MemoryAllocator())
        return plans.flatMap { plan in
            (result.texts[plan.id] ?? []).map { text in
                Ink(
                    layer: plan.id, text: text.text,
                    rect: Rect(x: text.x, y: text.y + plan.offsetY, width: text.width, height: text.height))
            }
        }
    }

    /// The pairs of texts that overlap.
    private func overlaps(_ state: PresentationState, _ kit: Kit) -> [String] {
        // A hair less than the ink: letters that touch a neighbour's margin are not drawn on it.
        let inks = inks(state, kit).filter { !$0.text.allSatisfy(\.isWhitespace) && $0.rect.width > 2 }
        var found: [String] = []
        for (index, one) in inks.enumerated() {
            for other in inks[(index + 1)...] where one.rect.inset(1).intersects(other.rect.inset(1)) {
                found.append("“\(one.text)” (\(one.layer)) and “\(other.text)” (\(other.layer)) at \(other.rect)")
            }
        }
        return found
    }

    private func kit(_ appearance: Appearance) throws -> Kit {
        Kit(fonts: try FontSet(), theme: InterfaceTheme(appearance), scale: Scale(width: 1920, height: 1080))
    }

    @Test("no text lies on another one", arguments: variants.indices)
    func everyScreen(variant: Int) throws {
        let (language, appearance) = Self.variants[variant]
        let kit = try kit(appearance)
        var count = 0
        for (name, state) in Samples.screens(appearance, in: language) {
            var state = state
            state.appearance = appearance
            count += inks(state, kit).count
            #expect(overlaps(state, kit) == [], "\(name)")
        }
        #expect(count > 500)
    }

    // MARK: Size

    /// A line of the smallest type on a screen of 720 lines, in its pixels.
    private static let smallestLine = 20.0

    /// The texts of a state whose lines are lower, with their heights.
    private func smallTexts(_ state: PresentationState, _ kit: Kit) -> [String] {
        let plans = InterfacePlan(state: state, kit: kit, shelf: ImageShelf(byteLimit: 1 << 20), spinnerPhase: 0).layers()
        let result = LayerPainter(fonts: kit.fonts).paint(plans, scale: kit.scale, theme: kit.theme, allocator: MemoryAllocator())
        return plans.flatMap { plan in
            (result.texts[plan.id] ?? []).compactMap { text in
                // The box of a line is 1.2 of the size in every script (`TextTests`).
                let height = text.size * 1.2 * kit.scale.factor
                return height < Self.smallestLine - 0.01 ? "“\(text.text)” (\(plan.id)): \(height)" : nil
            }
        }
    }

    @Test("on a screen of 720 lines no line of text has less than 20 pixels", arguments: variants.indices)
    func lines(variant: Int) throws {
        let (language, appearance) = Self.variants[variant]
        let kit = Kit(fonts: try FontSet(), theme: InterfaceTheme(appearance), scale: Scale(width: 1280, height: 720))
        var states = Samples.screens(appearance, in: language)
        for (name, view) in [
            ("setup", BoxScreenSamples.setUp), ("safe", BoxScreenSamples.safe), ("reset", BoxScreenSamples.reset),
        ] {
            states.append((name, BoxScreenSamples.state(view, BoxScreenSamples.verdict)))
        }
        for (name, state) in states {
            var state = state
            state.appearance = appearance
            #expect(smallTexts(state, kit) == [], "\(name)")
        }
        // The check finds what is smaller.
        let small = Kit(fonts: kit.fonts, theme: kit.theme, scale: Scale(width: 1138, height: 640))
        #expect(!smallTexts(BoxScreenSamples.state(nil, BoxScreenSamples.verdict), small).isEmpty || appearance.hasLargerText)
    }

    // MARK: Focus

    @Test("the focus ring has 3:1 to what is beside it over white, black and every grey", arguments: [false, true])
    func ring(hasHighContrast: Bool) throws {
        let tints = InterfaceTheme(Appearance(hasHighContrast: hasHighContrast)).tints
        for level in 0...255 {
            let ground = Tint.white(Double(level) / 255)
            let edge = tints.focusEdge.over(ground)
            #expect(Mixer.contrast(tints.focusRing, edge) >= 3, "over \(level)")
        }
    }

    @Test("and a text on another one is found")
    func broken() throws {
        let kit = try kit(Appearance())
        var state = Samples.playing
        #expect(overlaps(state, kit) == [])
        state.bar?.start = "20:00"
        state.bar?.playhead = .start
        state.bar?.trailing = String(repeating: "long ", count: 80)
        #expect(!overlaps(state, kit).isEmpty)
    }
}
