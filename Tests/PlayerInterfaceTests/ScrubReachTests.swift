import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// How far a held key leads: any place of what plays in eight seconds, however long it is.
@Suite struct ScrubReachTests {
    private static let most = Duration.seconds(8)

    enum Kind: CaseIterable { case film, withAdvertisements, live }

    /// What plays, of a drawn length, and where in it a viewer is.
    private struct Drawn {
        let item: ItemPresentation
        let seekable: [TimeRange]
        let place: MediaTime
        let lower: MediaTime
        let upper: MediaTime

        init(_ kind: Kind, _ random: inout SeededRandom) {
            // As many short ones as long ones: from ten seconds to a day.
            let decade = [10, 60, 600, 3600, 14_400][random.next(upTo: 5)]
            var length = Int64(decade + random.next(upTo: decade * 5))
            var item = Items.episode(interstitials: [], markers: [], duration: min(length, 86_400))
            switch kind {
            case .film: break
            case .withAdvertisements:
                length = max(length, 120)
                item.interstitials = [Items.ad("a1", length / 4, 20), Items.ad("a2", length / 2, 15)]
                item.watchedInterstitials = ["a1", "a2"]
                item.duration = .seconds(length)
            case .live:
                length = max(length, 60)
                item = Items.live()
            }
            let whole = item.duration ?? .seconds(length)
            self.item = item
            seekable = kind == .live ? [TimeRange(start: .seconds(100), duration: whole)] : []
            place = (kind == .live ? .seconds(100) : .zero) + whole * (1 + random.next(upTo: 8)) / 10
            let clock = ContentClock(item, duration: item.duration)
            lower = seekable.first?.start ?? .zero
            upper = seekable.first?.end ?? clock.total ?? whole
        }
    }

    private func viewer(_ drawn: Drawn, language: String) -> Viewer {
        var viewer = Viewer()
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.language", language)])))
        viewer.open(drawn.item)
        viewer.run(.milliseconds(200))
        viewer.seekable = drawn.seekable
        // Not in an advertisement, in which nothing can be sought.
        let isInside = drawn.item.interstitials.contains { $0.range.contains(drawn.place) }
        viewer.place(isInside ? drawn.item.interstitials[0].range.end : drawn.place)
        viewer.run(.milliseconds(400))
        return viewer
    }

    /// How long a key is down until the bubble is at a place; nil if it does not get there in time. It goes only in one direction on its way.
    private func time(
        to end: MediaTime, holding key: RemoteKey, _ viewer: inout Viewer, sendsReleases: Bool = true
    ) -> Duration? {
        let start = viewer.now
        var last = viewer.machine.searchContent
        viewer.down(key, sendsReleases: sendsReleases)
        while viewer.now - start < Self.most {
            viewer.run(.milliseconds(50))
            if !sendsReleases, (viewer.now - start).wholeNanoseconds % 250_000_000 == 0 { viewer.down(key, sendsReleases: false) }
            let place = viewer.machine.searchContent
            if let place, let last { #expect(key == .right ? place >= last : place <= last) }
            last = place
            if let place, key == .right ? place >= end : place <= end { return viewer.now - start }
        }
        return nil
    }

    /// Each kind of what may play, of a length that the seed draws, in both directions and a drawn language.
    private func eachDrawn(_ seed: Int, _ body: (Drawn, RemoteKey, inout Viewer, Comment) -> Void) {
        var random = SeededRandom(seed: UInt64(seed))
        for kind in Kind.allCases {
            let drawn = Drawn(kind, &random)
            for key in [RemoteKey.left, .right] {
                let language = ["en", "ar", "he"][random.next(upTo: 3)]
                var viewer = viewer(drawn, language: language)
                body(drawn, key, &viewer, "\(kind) of \(drawn.upper - drawn.lower) from \(drawn.place), \(key), \(language)")
            }
        }
    }

    @Test(
        "in a pause both ends are reached in eight seconds, of whatever plays, in every direction of writing", arguments: 0..<12)
    func fromAPause(_ seed: Int) {
        eachDrawn(seed + 4200) { drawn, key, viewer, comment in
            viewer.press(.pause)
            viewer.run(.milliseconds(200))
            let end = key == .right ? drawn.upper : drawn.lower
            let reached = time(to: end, holding: key, &viewer)
            #expect(reached != nil, comment)
            viewer.up(key)
            #expect(viewer.machine.searchContent == end && !viewer.isPlaying, "it stays there until OK")
        }
    }

    @Test("from playback both ends are reached in eight seconds too, and the release plays there", arguments: 0..<12)
    func fromPlayback(_ seed: Int) {
        eachDrawn(seed + 8400) { drawn, key, viewer, comment in
            let stop = viewer.machine.stage.viewing.played.scanEnd(drawn.upper)
            let reached = time(to: key == .right ? stop : drawn.lower, holding: key, &viewer)
            // Of what is short the scan gets there before it becomes a scrub, and has stopped there.
            #expect(reached != nil || viewer.machine.searchContent == nil, comment)
            viewer.up(key)
            viewer.run(.milliseconds(200))
            #expect(viewer.isPlaying && viewer.machine.searchContent == nil)
        }
    }

    @Test(
        "a device without releases reaches them with its presses, and where these end it stands still",
        arguments: [RemoteKey.left, .right])
    func withoutReleases(_ key: RemoteKey) {
        var viewer = Viewer(watching: Items.episode(interstitials: [], markers: [], duration: 10_800), at: 5400)
        viewer.press(.pause)
        viewer.run(.seconds(1))
        let reached = time(to: key == .right ? .seconds(10_800) : .zero, holding: key, &viewer, sendsReleases: false)
        #expect(reached != nil)
        // Halfway, it does not run on until the box knows that no more presses come.
        viewer = Viewer(watching: Items.episode(interstitials: [], markers: [], duration: 10_800), at: 5400)
        viewer.press(.pause)
        viewer.run(.seconds(1))
        for _ in 0..<12 {
            viewer.down(key, sendsReleases: false)
            viewer.run(.milliseconds(250))
        }
        let place = viewer.machine.searchContent
        viewer.run(.seconds(2))
        #expect(place != nil && viewer.machine.searchContent == place)
    }

    @Test("the first second is slow, and the pace is steady in the end")
    func pace() {
        var item = Items.plain
        item.duration = .seconds(7200)
        var viewer = Viewer(watching: item, at: 60)
        viewer.press(.pause)
        viewer.run(.seconds(1))
        let start = viewer.position!
        viewer.down(.right)
        viewer.run(Timing.hold)
        var places: [Int64] = []
        for _ in 0..<7 {
            viewer.run(.seconds(1))
            places.append((viewer.machine.searchContent! - start).wholeSeconds)
        }
        // A part of the length of two hours: 125/44 u³ of the first two fifths of 7.2 s, then (15 u - 4) / 11.
        #expect(places[0] == 54, "\(places)")
        let steps = zip(places.dropFirst(), places).map { $0 - $1 }
        #expect(zip(steps.dropFirst(), steps).allSatisfy { $0 >= $1 - 1 }, "it never becomes slower: \(places)")
        #expect(steps.suffix(3).allSatisfy { (1350...1380).contains($0) }, "\(steps)")
    }

    @Test("at the end nothing more is sought while the key stays down")
    func atTheEnd() {
        var viewer = Viewer(watching: Items.plain, at: 90)
        viewer.press(.pause)
        viewer.down(.right)
        viewer.run(Self.most)
        viewer.effects = []
        viewer.run(.seconds(2))
        #expect(viewer.machine.searchContent == .seconds(110))
        #expect(!viewer.effects.contains { if case .seek = $0 { true } else { false } })
    }

    @Test("the bubble stays where the key is released, and OK plays exactly there")
    func release() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], markers: [], duration: 7200), at: 600)
        viewer.press(.pause)
        viewer.run(.milliseconds(500))
        viewer.press(.right, for: .milliseconds(3333))
        let place = viewer.machine.searchContent
        let bubble = viewer.state.bar?.scrub?.contentTime
        viewer.run(.seconds(3))
        #expect(viewer.machine.searchContent == place && viewer.state.bar?.scrub?.contentTime == bubble)
        viewer.effects = []
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [place].compactMap { $0 })
    }

    @Test("from playback the release plays exactly where the bubble is, and Back undoes it")
    func releaseFromPlayback() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], markers: [], duration: 7200), at: 600)
        let origin = viewer.position!
        viewer.down(.right)
        viewer.run(.milliseconds(1999))
        #expect(viewer.state.bar?.glyph == .scanForward(level: 1))
        viewer.run(.milliseconds(1501))
        #expect(viewer.state.bar?.glyph == .scanForward(level: 4) && !viewer.isPlaying)
        let place = viewer.machine.searchContent
        viewer.effects = []
        viewer.up(.right)
        viewer.run(.milliseconds(500))
        #expect(viewer.exactSeeks == [place].compactMap { $0 } && viewer.isPlaying && viewer.state.bar?.scrub == nil)
        viewer.press(.back)
        viewer.run(.milliseconds(200))
        #expect((viewer.exactSeeks.last! - origin).magnitude < .seconds(1))
    }

    @Test("another key while one is held ends the hold first")
    func otherKey() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], markers: [], duration: 7200), at: 600)
        viewer.down(.left)
        viewer.run(.seconds(3))
        viewer.effects = []
        viewer.press(.back)
        viewer.run(.milliseconds(300))
        #expect(viewer.exactSeeks.count == 2 && viewer.isPlaying && viewer.state.screen == .player)
        #expect(abs((viewer.exactSeeks.last! - .seconds(600)).wholeSeconds) < 3, "Back undoes where the hold had led")
        viewer.up(.left)
        #expect(viewer.state.bar?.scrub == nil)
    }

    @Test("an advertisement on the way is owed where a hold from playback ends")
    func advertisement() {
        let item = Items.episode(interstitials: [Items.ad("a1", 1200)], markers: [], duration: 7210)
        var viewer = Viewer(watching: item, at: 900)
        viewer.press(.right, for: .seconds(5))
        #expect(viewer.exactSeeks == [.seconds(1200)])
        #expect(!viewer.shown.contains { $0.position >= .seconds(1200) && $0.position < .seconds(1210) })
    }
}

/// The picture in the bubble.
@Suite struct ScrubPictureTests {
    private static let track = ThumbnailTrack(reference: "t", times: (0..<60).map { .seconds(Int64($0) * 10) })

    @Test("the last picture at or before the place; none of an advertisement, but the next one behind it if that is near")
    func pictures() {
        let ads = [Items.ad("a1", 95, 20), Items.ad("a2", 115, 5)]
        func shown(_ second: Int64) -> String? { Self.track.reference(at: .seconds(second), outside: ads) }
        #expect(shown(0) == "t#0" && shown(94) == "t#90000")
        #expect(shown(120) == "t#120000")
        // 110 is in the advertisement, 120 is behind it.
        #expect(Self.track.reference(at: .seconds(119)) == "t#110000" && shown(119) == "t#120000")
        let long = [Items.ad("a1", 95, 100)]
        #expect(Self.track.reference(at: .seconds(196), outside: long) == "t#200000")
        #expect(Self.track.reference(at: .seconds(180), outside: long) == nil, "20 s away")
        #expect(ThumbnailTrack(reference: "t", times: [.seconds(50)]).reference(at: .seconds(40), outside: []) == nil)
        #expect(
            ThumbnailTrack(reference: "t", times: [.seconds(50)]).reference(at: .seconds(60), outside: [Items.ad("a", 50)]) == nil
        )
    }

    @Test(
        "while a key is held the bubble asks for a picture of its own place at every step", arguments: [RemoteKey.left, .right])
    func held(_ key: RemoteKey) throws {
        var item = Items.episode(interstitials: [Items.ad("a1", 195, 20)], watched: ["a1"], markers: [], duration: 600)
        item.thumbnails = Self.track
        var viewer = Viewer(watching: item, at: 300)
        viewer.press(.pause)
        viewer.run(.seconds(1))
        viewer.down(key)
        var asked: Set<String> = []
        for _ in 0..<75 {
            viewer.run(.milliseconds(100))
            guard let scrub = viewer.state.bar?.scrub, let content = viewer.machine.searchContent else { continue }
            let place = viewer.machine.stage.viewing.played.clock.asset(of: content)
            let picture = try #require(scrub.thumbnail.flatMap { ThumbnailTrack.place(of: $0)?.time })
            #expect((picture - place).magnitude <= .seconds(10), "\(picture) at \(place)")
            #expect(!item.interstitials[0].range.contains(picture))
            asked.insert(scrub.thumbnail ?? "")
        }
        #expect(asked.count > 20)
    }
}
