import MediaModel
import Screens
import Testing

@testable import Appliance

@Suite("The names of states, by which tours and tests wait for the screen")
struct StateNamesTests {
    private func names(
        _ screen: PresentationState.Screen = .player, video: VideoPlacement = .full, isLinear: Bool = false,
        _ build: (inout PresentationState) -> Void = { _ in }
    ) -> [String] {
        StateNames.names(of: PresentationState(screen: screen, video: video, build), isLinear: isLinear)
    }

    private func bar(_ change: (inout TransportBarView) -> Void = { _ in }) -> TransportBarView {
        TransportBarView {
            $0.totalTime = .seconds(60)
            change(&$0)
        }
    }

    @Test("each screen has a name, and Home another with the video in its corner")
    func screens() {
        #expect(names(.standby, video: .hidden) == ["standby"])
        #expect(names(.home, video: .hidden) == ["home"])
        #expect(names(.home) == ["corner"])
        #expect(names() == ["playing"])
        #expect(names { $0.poster = PosterView() } == ["loading"])
    }

    @Test("a wait with a text is another state than one without")
    func waits() {
        #expect(names { $0.spinner = SpinnerView() } == ["spinner", "playing"])
        #expect(names { $0.spinner = SpinnerView(words: "Slow") } == ["waiting", "playing"])
    }

    @Test("the bar is named last, after what it shows")
    func bars() {
        #expect(names { $0.bar = bar() } == ["bar"])
        #expect(names { $0.bar = bar { $0.glyph = .pause } } == ["paused", "bar"])
        #expect(names { $0.bar = bar { ($0.glyph, $0.focus) = (.pause, .action(1)) } } == ["actions-row", "paused", "bar"])
        #expect(names { $0.bar = bar { $0.glyph = .scanForward(level: 2) } } == ["scanning", "bar"])
        let scrub = TransportBarView.Scrub(time: "0:10", origin: .start, contentTime: .seconds(10))
        #expect(names { $0.bar = bar { ($0.glyph, $0.scrub) = (.pause, scrub) } } == ["scrubbing", "bar"])
        #expect(names { $0.bar = bar { $0.hint = "Back" } } == ["undo", "bar"])
        #expect(names { $0.bar = bar { $0.totalTime = nil } } == ["live", "bar"])
        let dimmed = VideoPlacement(frame: Metrics.screen, dimPercent: 40)
        #expect(names(video: dimmed) { $0.bar = bar() } == ["dimmed", "bar"])
    }

    @Test("the outermost layers come first, then what the item forbids")
    func layers() {
        let names = names(isLinear: true) {
            $0.toast = "Saved"
            $0.notice = NoticeView(words: "Paused")
            $0.card = CardView(kind: .end, title: "The End", buttons: [])
            $0.longText = LongTextView(text: "Long.")
            $0.action = ContextualActionView(kind: .skipIntro, title: "Skip", isFocused: true)
        }
        #expect(names == ["toast", "notice", "card-end", "long-text", "linear", "action-skipIntro", "playing"])
    }
}
