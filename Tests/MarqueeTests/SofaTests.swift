import BoxModel
import ChannelFeed
import Cryptography
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import TestSupport
import Testing

@testable import BoxAssembly

/// Live television with a window of twenty minutes, and its guide.
extension EveningBox {
    /// - Parameter start: seconds since midnight at the start of simulated time.
    func putChannel(start: Int) {
        @Sendable nonisolated func clock(_ seconds: Int) -> String {
            [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        }
        let window = 120
        script.put(at: "\(Self.cdn)news/main.m3u8") { elapsed in
            let first = Int(elapsed.components.seconds) / 10
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            for number in first..<first + window {
                text +=
                    "#EXT-X-PROGRAM-DATE-TIME:2026-11-23T\(clock(start + (number - window) * 10))Z\n#EXTINF:10,\n\(number).ts\n"
            }
            return Array(text.utf8)
        }
        for number in 0..<window + 120 {
            script.put(at: "\(Self.cdn)news/\(number).ts") { _ in
                FakeSegment.bytes(kinds: "va", start: Int64(900_000 + number * 900_000), count: 250)
            }
        }
        script.put(
            """
            <tv><channel id="news"><display-name>News</display-name></channel>
            <programme start="20261123195000 +0000" stop="20261123203000 +0000" channel="news"><title>Evening News</title></programme>
            <programme start="20261123203000 +0000" stop="20261123210000 +0000" channel="news"><title>Weather</title></programme></tv>
            """, at: "\(Self.cdn)epg.xml")
    }

    /// A series of two seasons with a film that is on the air, one that is locked, and one that is not begun.
    func putFeed() {
        // What has no rating needs the PIN too.
        func item(_ id: String, _ more: String = "", rating: String = "G") -> String {
            put(film: id)
            return #"{"id": "\#(id)", "title": "\#(id)", "streams": [{"url": "\#(id)/all.m3u8"}], "#
                + #""artwork": {"poster": "\#(id).jpg"}, "rating": {"system": "MPA", "value": "\#(rating)"}\#(more)}"#
        }
        let episode = #", "type": "episode""#
        let items = [
            item("e1", episode), item("e2", episode), item("e3", episode + #", "proposal": null"#), item("e4", episode),
            item("strong", #", "proposal": null"#, rating: "R"),
            item("late", #", "proposal": null"#),
        ]
        script.put(
            #"""
            {"feedVersion": 1, "id": "f", "items": [\#(items.joined(separator: ","))],
             "channels": [{"id": "news", "number": 1, "title": "News", "kind": "live", "streams": [{"url": "news/main.m3u8"}],
               "guide": {"xmltv": "epg.xml", "id": "news"}, "rating": {"system": "TVPG", "value": "TV-G"}}],
             "series": [{"id": "hh", "title": "Happy", "seasons": [
               {"number": 1, "episodes": ["e1", "e2", "e3"]}, {"number": 2, "episodes": ["e4"]}]}],
             "rows": [{"title": "Series", "items": ["hh"]}, {"title": "Films", "items": ["strong", "late"]}]}
            """#, at: "\(Self.cdn)feed.json")
    }

    /// Presses the keys of a script without times.
    func play(_ keys: String) {
        for key in keys.split(separator: " ") {
            #expect(press(RemoteKey(rawValue: String(key))!) == .success, "\(key) of \(keys)")
            run(for: .milliseconds(300))
        }
    }

    /// Presses Back until nothing plays and Home has no page over it.
    func leave() {
        for _ in 0..<6 where box.appliance.nowPlaying.id != nil || shown.page != nil { play("back") }
    }

    /// Moves focus on Home to a poster, with arrows.
    func focus(_ id: String) throws {
        let rows = try #require(home).content.rows
        let row = try #require(rows.firstIndex { $0.entries.contains { $0.id == id } })
        let column = try #require(rows[row].entries.firstIndex { $0.id == id })
        for _ in 0..<12 {
            switch home?.focus {
            case .entry(row, column): return
            case .entry(row, let current): press(current < column ? .right : .left)
            case .entry(let current, _): press(current < row ? .down : .up)
            default: press(.down)
            }
        }
        #expect(home?.focus == .entry(row: row, column: column))
    }

    /// Whether something plays beyond a place within two minutes.
    func plays(_ id: String, beyond place: MediaTime) -> Bool {
        run(within: .seconds(120)) { [box] in
            box.appliance.nowPlaying.id == id && box.appliance.nowPlaying.state == .playing && box.player.currentTime >= place
        }
    }

    /// What Home has: its rows with the ids and pictures of their posters, and how much of each was watched.
    var whole: [[String]]? {
        home?.content.rows.map { row in
            // Of a channel that is the progress of what is on.
            let isWatched = row.style != .channels
            return [row.id]
                + row.entries.map { "\($0.id) \($0.artwork ?? "") \(isWatched ? $0.watchedPercent ?? 0 : 0) \($0.isWatched)" }
        }
    }
}

/// A whole evening with the keys of a remote: a series, the news, a locked film, a server that fails, a power cut.
@Suite("An evening on the sofa", .serialized)
@MainActor
struct SofaTests {
    private static let start = FeedDate("2026-11-23T19:55:00Z")!

    private func evening() throws -> EveningBox {
        let evening = try EveningBox(start: Self.start, change)
        evening.putFeed()
        evening.putChannel(start: (19 * 60 + 55) * 60)
        #expect(evening.run { evening.home?.content.rows.isEmpty == false })
        evening.run(for: .seconds(10))
        return evening
    }

    private func change(_ plan: inout BoxPlan) {
        plan.viewer.pinDigest = SHA256.hexadecimal(of: "2468")
        plan.viewer.parentalLimit = ParentalLimit(value: "PG-13")
    }

    private func button(_ evening: EveningBox) -> String? {
        switch evening.shown.page {
        case .series(let page)?: page.next?.title
        case .programme(let page)?: page.buttons.first?.title
        default: nil
        }
    }

    @Test("each way to the next episode, live from its start, a locked film, a server that is down, and a restart without it")
    func wholeEvening() throws {
        let evening = try evening()
        try series(evening)
        try news(evening)
        try lockedFilm(evening)
        try serverIsDown(evening)
        // The power goes, and comes back before the server does.
        let before = try #require(evening.whole)
        evening.script.fail("\(EveningBox.cdn)*", with: .refusal)
        evening.close()
        let again = try EveningBox(start: FeedDate("2026-11-23T20:20:00Z")!, after: evening, change)
        defer { again.close() }
        #expect(again.run { again.home?.content.rows.isEmpty == false })
        again.run(for: .seconds(30))
        #expect(again.whole == before, "Home is whole")
        try again.focus("e4")
        again.play("ok")
        #expect(button(again) == "Resume at 0:08")
        // It is there again.
        again.script.heal()
        again.play("ok")
        #expect(again.plays("e4", beyond: .seconds(9)))
    }

    private func series(_ evening: EveningBox) throws {
        try evening.focus("hh")
        evening.play("ok")
        #expect(button(evening) == "Play S1 E1")
        evening.play("ok")
        #expect(evening.plays("e1", beyond: .seconds(5)))
        // The panel.
        evening.play("down down ok")
        #expect(evening.plays("e2", beyond: .seconds(5)))
        // The proposal.
        #expect(evening.run { evening.shown.proposal != nil })
        evening.play("ok")
        #expect(evening.plays("e3", beyond: .seconds(5)))
        // The card at the end.
        #expect(evening.run { evening.shown.card?.kind == .end })
        #expect(evening.shown.card?.buttons.first?.title == "Next Episode")
        evening.play("ok")
        #expect(evening.plays("e4", beyond: .milliseconds(8500)))
        evening.play("back")
        #expect(button(evening) == "Continue S2 E1" && evening.box.appliance.nowPlaying.id == nil)
        evening.play("back")
        let first = try #require(evening.home?.content.rows.first)
        #expect(first.id == "continue" && first.entries.map(\.id) == ["e4"])
        #expect(first.entries.first?.watchedPercent.map { (40...43).contains($0) } == true)
    }

    private func news(_ evening: EveningBox) throws {
        try evening.focus("news")
        evening.play("ok")
        #expect(evening.plays("news", beyond: .zero))
        evening.run(for: .seconds(6))
        let edge = evening.box.player.currentTime
        evening.play("down")
        guard case .info(let info)? = evening.shown.panel?.content else { return #expect(Bool(false), "no panel") }
        #expect(info.title == "Evening News" && info.actions.first?.title == "Start Over" && info.next == "Next: 20:30 Weather")
        evening.play("down ok")
        #expect(evening.run { edge - evening.box.player.currentTime > .seconds(300) })
        #expect(evening.shown.bar?.elapsed.hasPrefix("19:50:0") == true, "\(evening.shown.bar?.elapsed ?? "")")
        #expect(evening.plays("news", beyond: .zero))
        // The first Back undoes Start Over, or hides the bar; then it goes to the corner, and is stopped when that was asked.
        for _ in 0..<4 where evening.home == nil { evening.play("back") }
        #expect(evening.home?.focus == .video && evening.box.appliance.nowPlaying.id == "news")
        evening.play("back")
        #expect(evening.shown.toast == "Press Back again to stop" && evening.box.appliance.nowPlaying.id == "news")
        evening.play("back")
        #expect(evening.box.appliance.nowPlaying.id == nil)
    }

    private func lockedFilm(_ evening: EveningBox) throws {
        try evening.focus("strong")
        evening.play("ok ok")
        #expect(evening.shown.pin != nil && evening.box.appliance.nowPlaying.id == nil)
        evening.play("2 4 6 8")
        #expect(evening.plays("strong", beyond: .seconds(6)))
        evening.leave()
        #expect(evening.run { evening.home?.content.rows.first?.entries.map(\.id) == ["strong", "e4"] })
    }

    private func serverIsDown(_ evening: EveningBox) throws {
        evening.script.fail("\(EveningBox.cdn)*", with: .status(503))
        try evening.focus("late")
        evening.play("ok ok")
        #expect(evening.run(within: .seconds(120)) { evening.shown.card?.kind == .error })
        let card = try #require(evening.shown.card)
        #expect(card.artwork == "\(EveningBox.cdn)late.jpg" && card.code != "SRC-404")
        #expect(card.buttons.first?.title.hasPrefix("Try Again") == true && card.title.isEmpty == false)
        // It is tried again by itself.
        evening.script.heal()
        #expect(evening.plays("late", beyond: .seconds(6)))
        evening.leave()
        #expect(evening.run { evening.home?.content.rows.first?.entries.map(\.id) == ["late", "strong", "e4"] })
    }
}
