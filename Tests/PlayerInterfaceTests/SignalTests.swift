import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

@Suite struct SignalTests {
    private static let facts = SignalFacts(
        picture: .init(width: 3840, height: 2160, rate: Ratio(24000, 1001), range: .hlg, codec: "HEVC"),
        screen: .init(width: 1920, height: 1080, rate: Ratio(50), range: .standard),
        sound: .init(format: "AC-3", channels: 6, sampleRate: 44_100),
        output: .init(format: "PCM", channels: 2, sampleRate: 48_000))

    @Test func thePanelAsksForThemAndShowsThem() {
        var viewer = Viewer(watching: Items.plain, at: 20)
        viewer.press(.down)
        #expect(viewer.effects.contains(.readSignal))
        viewer.send(.signalChanged(Self.facts))
        viewer.press(.back)
        viewer.openTab(.picture)
        viewer.choose("Signal")
        #expect(
            viewer.menu?.rows.map { [$0.title, $0.value ?? ""] } == [
                ["Picture", "3840×2160 · 23.98 fps · HLG · HEVC"], ["Screen", "1920×1080 · 50 Hz · SDR"],
                ["Audio", "AC-3 · 5.1 · 44.1 kHz"], ["Audio Output", "PCM · 2.0 · 48 kHz"],
            ])
        viewer.press(.back)
        #expect(viewer.menu?.rows.contains { $0.title == "Signal" } == true)
    }

    @Test func theyAreAbsentWhileNothingIsKnown() {
        var viewer = Viewer(watching: Items.plain, at: 20)
        viewer.openTab(.picture)
        #expect(viewer.menu?.rows.contains { $0.title == "Signal" } == false)
    }

    @Test func aDecimalHasTheSeparatorOfTheLanguage() {
        let german = StringCatalogue.best(for: ["de"])
        #expect(german.words(Self.facts.picture!, rate: .framesPerSecond).contains("23,98"))
    }
}
