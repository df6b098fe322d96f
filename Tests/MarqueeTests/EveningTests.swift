import BoxModel
import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import TestSupport
import Testing

/// The operator marks films, the box stores them at night, and the next evening has no network.
@Suite("An evening without a network", .serialized)
@MainActor
struct EveningTests {
    /// Half past midnight.
    private static let start = FeedDate("2026-11-23T00:30:00Z")!

    @Test("everything saved plays with its sound and captions, Home leads to nothing else, and new episodes come at night")
    func evening() throws {
        let evening = try EveningBox(start: Self.start)
        defer { evening.close() }
        for name in ["saved-1", "saved-2", "streamed", "new"] { evening.put(film: name) }
        let marks = [("streamed", "none"), ("saved-1", "required"), ("saved-2", "opportunistic")]
        evening.put(feed: marks)

        // At night.
        evening.run(untilHour: 1)
        #expect(evening.loads(of: "saved-1").isEmpty && evening.savings == ["saved-1": .waiting, "saved-2": .waiting])
        evening.run(untilHour: 6)
        #expect(evening.savings == ["saved-1": .saved, "saved-2": .saved])
        for name in ["saved-1", "saved-2"] { try expectWithinRules(evening.loads(of: name), fromHour: 1, toHour: 6) }

        // At eight in the evening.
        evening.run(untilHour: 20)
        let count = evening.script.requests.count
        #expect(evening.loads(of: "streamed").isEmpty)
        evening.pullNetwork()
        evening.run(for: .seconds(60))
        try walkThroughHome(evening)
        for hour in [20.5, 21.5, 22.5] {
            evening.run(untilHour: hour)
            for name in ["saved-1", "saved-2"] { try play(name, evening) }
            try walkThroughHome(evening)
        }
        #expect(evening.captions == ["words of saved-1", "words of saved-2"])
        evening.run(untilHour: 23)
        #expect(evening.script.requests.count == count, "nothing was asked of a network")

        // The network is back, with a new episode.
        evening.put(feed: marks + [("new", "required")])
        evening.plugNetwork()
        evening.run(untilHour: 25)
        #expect(evening.savings["new"] == .waiting && evening.loads(of: "new").isEmpty)
        evening.run(untilHour: 30)
        #expect(evening.savings["new"] == .saved)
        try expectWithinRules(evening.loads(of: "new"), fromHour: 25, toHour: 30)
    }

    /// Plays a film, with the other sound and with captions.
    private func play(_ name: String, _ evening: EveningBox) throws {
        let player = evening.box.player
        let before = player.currentItem
        evening.box.appliance.open(id: name)
        // The film before may still play in the corner, and the options of the new one are known when its playlist is read.
        let hasBegun = evening.run {
            player.currentItem !== before && evening.tags(.audible) == ["en", "es"] && evening.tags(.legible) == ["en"]
        }
        #expect(hasBegun, "\(name): \(evening.tags(.audible)) \(evening.tags(.legible))")
        try evening.selectTag("en", .legible)
        try evening.selectTag("es", .audible)
        #expect(evening.run { player.currentTime >= .seconds(15) && evening.box.appliance.nowPlaying.state == .playing })
        #expect(player.currentItem?.selection.selectedOption(.audible)?.extendedLanguageTag == "es")
        #expect(evening.box.appliance.nowPlaying.error == nil)
        evening.press(.home)
        #expect(evening.run { evening.home != nil })
    }

    /// Presses arrows in a drawn order. Focus is only ever on what plays.
    private func walkThroughHome(_ evening: EveningBox) throws {
        var random = SeededGenerator(seed: UInt64(evening.time))
        let keys: [RemoteKey] = [.left, .right, .up, .down]
        var focused: Set<String> = []
        for _ in 0..<60 {
            evening.press(keys[Int(random.next() % 4)])
            let home = try #require(evening.home)
            guard case .entry(let row, let column) = home.focus else { continue }
            let entry = home.content.rows[row].entries[column]
            #expect(entry.playsOffline, "\(entry.id) has focus")
            focused.insert(entry.id)
        }
        #expect(focused == ["saved-1", "saved-2"])
        #expect(evening.home?.notice == "No network. Showing downloaded programmes.")
    }

    /// Whether parts of a film were loaded in the window, and not faster than the cap allows.
    private func expectWithinRules(_ loads: [(time: Double, bytes: Int)], fromHour: Double, toHour: Double) throws {
        let first = try #require(loads.first)
        #expect(loads.count >= 7 && loads.allSatisfy { $0.time >= fromHour * 3600 && $0.time < toHour * 3600 })
        var bytes = 0
        for (index, load) in loads.enumerated() {
            // At most four requests run at a time. What came before them was paid for.
            if index >= 4 { bytes += loads[index - 4].bytes }
            let seconds = load.time - first.time
            #expect(Double(bytes * 8) <= seconds * Double(EveningBox.cap) * 1000 + 1, "\(index): \(bytes) bytes in \(seconds) s")
        }
    }
}
