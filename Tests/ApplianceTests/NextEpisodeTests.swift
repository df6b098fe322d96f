import BoxModel
import ChannelFeed
import Cryptography
import LinuxSupport
import MediaTime
import Screens
import TestSupport
import Testing

@testable import Appliance

@Suite("The next episode, with the keys of a remote", .serialized)
@MainActor
struct NextEpisodeTests {
    private static let film = FakeMedia(frameCount: 750, soundDuration: nil)
    /// Episodes without proposals, under a row with their series.
    private static func members(_ more: [String: String] = [:], _ ids: [String] = ["e1", "e2", "e3"]) -> String {
        let items = ids.map {
            #"{"id": "\#($0)", "type": "episode", "title": "\#($0)", "description": "What happens in it.", "proposal": null, "#
                + #""streams": [{"url": "\#($0).mp4"}]\#(more[$0] ?? "")}"#
        }
        let episodes = ids.map { "\"\($0)\"" }.joined(separator: ", ")
        return #""items": [\#(items.joined(separator: ", "))], "rows": [{"title": "Series", "items": ["hh"]}], "#
            + #""series": [{"id": "hh", "title": "Happy", "seasons": [{"number": 1, "episodes": [\#(episodes)]}]}]"#
    }

    /// - Parameter missing: the episode that its server does not have.
    private func rig(_ viewer: ViewerParts = ViewerParts(), _ more: [String: String] = [:], missing: String? = nil) throws
        -> BoxRig
    {
        let rig = try BoxRig(viewer: viewer)
        for id in ["e1", "e2", "e3"] where id != missing { rig.put(["\(id).mp4": Self.film]) }
        rig.box.apply(try feed(Self.members(more)))
        return rig
    }

    private func row(_ rig: BoxRig) -> [HomeContent.Entry]? {
        rig.state.home?.content.rows.first { $0.id == "continue" }?.entries
    }

    /// Plays an episode until its end card, or until a place.
    private func watch(_ id: String, to place: Int64? = nil, _ rig: BoxRig) {
        rig.forget()
        rig.box.open(id: id)
        if let place {
            #expect(rig.run(until: { rig.nowPlaying.id == id && rig.frames.contains { $0 >= place } }))
        } else {
            #expect(rig.run(until: { rig.nowPlaying.id == id && rig.state.card?.kind == .end }))
        }
    }

    /// Moves focus to the first entry of a row of Home.
    private func focus(row: Int, _ rig: BoxRig) {
        for _ in 0..<8 where rig.state.home?.focus != .entry(row: row, column: 0) {
            if case .entry(let current, _)? = rig.state.home?.focus, current > row { rig.press(.up) } else { rig.press(.down) }
        }
        #expect(rig.state.home?.focus == .entry(row: row, column: 0))
    }

    private enum Way: CaseIterable {
        case panel, endCard, continueWatching, seriesPage, begun, errorCard

        /// The keys from what is on the screen then.
        var keys: [RemoteKey] {
            switch self {
            case .panel: [.down, .down, .ok]
            case .endCard: [.ok]
            case .errorCard: [.right, .ok]
            case .continueWatching, .seriesPage, .begun: [.ok, .ok]
            }
        }
    }

    /// What the viewer does before: the second episode is the next one then.
    private func prepare(_ way: Way, _ rig: BoxRig) {
        switch way {
        case .panel: watch("e1", to: 10_000, rig)
        case .endCard: watch("e1", rig)
        case .continueWatching, .seriesPage:
            watch("e1", rig)
            rig.press(.back)
            focus(row: way == .seriesPage ? 1 : 0, rig)
        case .begun: stop("e2", at: 5_000, rig)
        case .errorCard:
            rig.box.open(id: "e1")
            #expect(rig.run(until: { rig.state.card?.code != nil }))
        }
    }

    /// Plays an episode to a place and leaves it. Its poster in Continue Watching has focus then.
    private func stop(_ id: String, at place: Int64, _ rig: BoxRig) {
        watch(id, to: place, rig)
        _ = rig.box.perform(.stop, from: "web")
        focus(row: 0, rig)
    }

    @Test("each way to the next episode is three presses at most", arguments: Way.allCases)
    private func presses(way: Way) throws {
        let rig = try rig(missing: way == .errorCard ? "e1" : nil)
        defer { rig.close() }
        prepare(way, rig)
        rig.forget()
        var presses = 0
        for key in way.keys {
            #expect(rig.opened.isEmpty && rig.press(key) == .success, "\(way): \(key)")
            presses += 1
        }
        #expect(rig.run(until: { rig.nowPlaying.id == "e2" && rig.frames.count > 10 }), "\(way)")
        #expect(presses <= 3 && rig.opened == ["e2"])
    }

    /// The episode, where it was left if it was, the keys, and the place in seconds at which it plays then.
    @Test(
        "resuming is two presses, and starting over three",
        arguments: [
            ("e2", 12, [.ok, .ok], 12), ("e2", 12, [.ok, .down, .ok], 0), ("e2", nil, [.ok, .up, .ok], 0),
            ("e3", nil, [.ok, .up, .ok], 0), ("e3", nil, [.down, .down, .ok], 0),
        ] as [(String, Int64?, [RemoteKey], Int64)])
    func resuming(id: String, left: Int64?, keys: [RemoteKey], place: Int64) throws {
        let rig = try rig()
        defer { rig.close() }
        if let left { stop(id, at: left * 1000, rig) } else { watch(id, to: 12_000, rig) }
        rig.forget()
        for key in keys { #expect(rig.press(key) == .success, "\(keys)") }
        let frames = rig.frames.count
        #expect(rig.run(until: { rig.frames.count > frames + 25 }))
        #expect(
            rig.nowPlaying.id == id && rig.frames.last.map { ($0 - place * 1000).magnitude < 2500 } == true,
            "\(rig.frames.suffix(3))")
    }

    // MARK: Back

    private func series(_ rig: BoxRig) -> ButtonView? { if case .series(let view)? = rig.state.page { view.next } else { nil } }

    @Test("Back returns to the page of the series, which goes on with what is next then")
    func backToTheSeries() throws {
        let rig = try rig()
        defer { rig.close() }
        focus(row: 0, rig)
        rig.press(.ok)
        #expect(series(rig) == ButtonView(title: "Play S1 E1", isFocused: true))
        rig.press(.ok)
        #expect(rig.run(until: { rig.state.card?.kind == .end }))
        rig.press(.back)
        #expect(series(rig) == ButtonView(title: "Continue S1 E2", isFocused: true) && rig.nowPlaying.id == nil)
        // The panel leads to the third one, and Back from it to the same page.
        rig.forget()
        rig.press(.ok)
        #expect(rig.run(until: { rig.nowPlaying.id == "e2" && rig.frames.last ?? 0 > 6000 }))
        for key in [RemoteKey.down, .down, .ok] { rig.press(key) }
        rig.forget()
        #expect(rig.run(until: { rig.nowPlaying.id == "e3" && rig.frames.last ?? 0 > 6000 }))
        rig.press(.back)
        #expect(series(rig) == ButtonView(title: "Continue S1 E3", isFocused: true))
        rig.press(.back)
        #expect(rig.state.page == nil && row(rig)?.map(\.id) == ["e3"])
    }

    @Test("Back returns to the page of the episode that was chosen in Continue Watching, which says where it resumes")
    func backToTheEpisode() throws {
        let rig = try rig()
        defer { rig.close() }
        stop("e2", at: 5_000, rig)
        rig.forget()
        for key in [RemoteKey.ok, .ok] { rig.press(key) }
        #expect(rig.run(until: { rig.frames.last ?? 0 > 14_000 }))
        rig.press(.back)
        guard case .programme(let page)? = rig.state.page else { return #expect(Bool(false), "no page") }
        #expect(page.title == "e2" && page.buttons.first == ButtonView(title: "Resume at 0:14", isFocused: true))
    }

    // MARK: What changes meanwhile

    @Test(
        "a new feed decides at once what follows what plays",
        arguments: [(["e1", "e2", "e3"], "e2"), (["e1", "e3"], "e3"), (["e1"], nil), (["e2", "e3"], nil)] as [([String], String?)]
    )
    func newFeed(ids: [String], next: String?) throws {
        let rig = try rig()
        defer { rig.close() }
        watch("e1", to: 5_000, rig)
        rig.box.apply(try feed(Self.members([:], ids)))
        for key in [RemoteKey.down, .down] { rig.press(key) }
        guard case .info(let info)? = rig.state.panel?.content else { return #expect(Bool(false), "no panel") }
        #expect(info.actions.map(\.title) == (next == nil ? [] : ["Next Episode"]) + ["From Beginning"])
        rig.forget()
        if let next {
            rig.press(.ok)
            #expect(rig.run(until: { rig.nowPlaying.id == next && rig.frames.count > 10 }) && rig.opened == [next])
        } else {
            rig.press(.back)
            #expect(rig.run(until: { rig.state.card?.kind == .end }))
            #expect(rig.state.card?.buttons.map(\.title) == ["Replay", "Home"])
        }
    }

    @Test("the speed of an episode of several series is that of the series in which the viewer is")
    func shared() throws {
        var viewer = ViewerParts()
        let choices = MemoryChoiceStore()
        viewer.choices = choices
        choices.setChoice("5/4", "speed.t")
        choices.setChoice("watched o", "episode.t")
        let rig = try BoxRig(viewer: viewer)
        defer { rig.close() }
        rig.places.markWatched("o")
        rig.put(["p.mp4": Self.film])
        let items = ["o", "p"].map {
            #"{"id": "\#($0)", "type": "episode", "title": "\#($0)", "streams": [{"url": "\#($0).mp4"}]}"#
        }
        let series = [("s", #""p""#), ("t", #""o", "p""#)].map {
            #"{"id": "\#($0)", "title": "\#($0)", "seasons": [{"episodes": [\#($1)]}]}"#
        }
        try rig.apply(items: "[\(items.joined(separator: ", "))]", series: "[\(series.joined(separator: ", "))]")
        watch("p", to: 2_000, rig)
        #expect(rig.box.machine.chosenSpeed == Ratio(5, 4))
    }

    @Test(
        "Continue Watching is the first row; it has the next episode after a watched one, and is without the series after the last"
    )
    func continueWatching() throws {
        let rig = try rig()
        defer { rig.close() }
        for (id, next) in [("e1", "e2"), ("e2", "e3"), ("e3", nil)] as [(String, String?)] {
            watch(id, rig)
            rig.press(.back)
            #expect(row(rig).map { $0.map(\.id) } == next.map { [$0] })
            if next != nil { #expect(rig.state.home?.content.rows.first?.id == "continue") }
        }
        #expect(rig.state.home?.content.rows.map(\.id) == ["row-0"])
    }

    @Test("a begun episode has its progress and the time that is left, by the length that the player learned")
    func timeLeft() throws {
        let rig = try rig()
        defer { rig.close() }
        watch("e2", to: 12_000, rig)
        _ = rig.box.perform(.stop, from: "web")
        let entry = try #require(row(rig)?.first)
        #expect(entry.title == "Happy" && entry.watchedPercent == 40)
        #expect(entry.subtitle == "S1 E2 · 18\u{A0}s left" || entry.subtitle == "S1 E2 · 17\u{A0}s left")
    }

    @Test("the bar, the panel and the card at the end name the series")
    func names() throws {
        let rig = try rig()
        defer { rig.close() }
        watch("e1", to: 2_000, rig)
        rig.press(.down)
        guard case .info(let info)? = rig.state.panel?.content else { return #expect(Bool(false), "no panel") }
        #expect(info.title == "e1" && info.subtitle == "Happy · S1 E1")
        for key in [RemoteKey.back, .up] { rig.press(key) }
        #expect(rig.state.title?.subtitle == "Happy · S1 E1")
        #expect(rig.run(until: { rig.state.card?.kind == .end }))
        #expect(rig.state.card?.message == "Happy · S1 E1")
        #expect(rig.state.card?.buttons.map(\.title) == ["Next Episode", "Replay", "Home"])
    }

    @Test("a program's Next goes to the next episode, and after the last one nowhere")
    func program() throws {
        let rig = try rig()
        defer { rig.close() }
        watch("e2", to: 2_000, rig)
        #expect(rig.box.perform(.key(.next), from: "web") == .success)
        #expect(rig.run(until: { rig.nowPlaying.id == "e3" && rig.frames.last ?? 0 > 1000 }))
        #expect(rig.box.perform(.key(.next), from: "web") != .success)
        #expect(rig.nowPlaying.id == "e3")
    }

    @Test("a locked next episode asks for the PIN, and Back from there loses nothing")
    func locked() throws {
        let viewer = ViewerParts(pinDigest: SHA256.hexadecimal(of: "2468"), parentalLimit: ParentalLimit(value: "PG-13"))
        let mild = #", "rating": {"system": "MPA", "value": "G"}"#, strong = #", "rating": {"system": "MPA", "value": "R"}"#
        let rig = try rig(viewer, ["e1": mild, "e2": strong, "e3": mild])
        defer { rig.close() }
        watch("e1", rig)
        rig.press(.ok)
        #expect(rig.state.pin != nil && rig.opened == ["e1"])
        rig.press(.back)
        #expect(rig.state.pin == nil && row(rig)?.map(\.id) == ["e2"] && row(rig)?.first?.isLocked == true)
        watch("e1", rig)
        rig.press(.ok)
        for digit in [RemoteKey.digit2, .digit4, .digit6, .digit8] { rig.press(digit) }
        #expect(rig.run(until: { rig.nowPlaying.id == "e2" }))
    }
}
