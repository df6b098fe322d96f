import Appliance
import BoxModel
import LinuxSupport
import MediaTime
import Screens
import TestSupport
import Testing

/// Checks the dump of a playback. scripts/check-box checks from outside that pictures and sound agree with the dump.
@Suite(
    "The demo channel plays as its schedule says", .serialized,
    .enabled(if: DemoContent.isPresent, Comment(rawValue: DemoContent.absence)))
@MainActor
struct ChannelPlaybackTests {
    private typealias Channel = DemoChannel
    private static let blank = DemoChannel.blank

    /// Frames are consecutive: none is lost, repeated or shown at a wrong time.
    private func expectContiguous(
        _ frames: [DemoChannel.Frame], from first: Double? = nil, to last: Double? = nil, _ name: String
    ) throws {
        if let first { #expect(abs(try #require(frames.first).asset - first) < 0.0005, "\(name) begins with \(frames[0])") }
        if let last { #expect(abs(try #require(frames.last).asset - last) < 0.0005, "\(name) ends with \(frames.last!)") }
        for (before, after) in zip(frames, frames.dropFirst()) {
            try #require(
                abs(after.asset - before.asset - 1 / Channel.rate) < 0.0005, "\(name): \(before) is followed by \(after)")
            let shown = after.flip - before.flip
            try #require(
                shown > 2 * Self.blank - 0.001 && shown < 3 * Self.blank + 0.001, "\(name): \(before) is shown for \(shown) s")
        }
        // Rate 1: no frame deviates from its instant by more than a blank. The first is on the screen before the clock starts.
        for frame in frames.dropFirst() {
            let late = (frame.flip - frames[1].flip) - (frame.asset - frames[1].asset)
            try #require(abs(late) <= Self.blank + 0.002, "\(name): \(frame) is \(late) s away from rate 1")
        }
    }

    @Test(
        "the whole channel: every frame once and at its time, both advertisements in full, each proposal leads to the next programme"
    )
    func whole() throws {
        let channel = try DemoChannel()
        for (item, seconds) in Channel.programmes {
            let frames = channel.frames.filter { $0.item == item }
            let count = seconds * Int(Channel.rate)
            #expect(frames.count == count, "\(item)")
            try expectContiguous(frames, from: 0, to: Double(count - 1) / Channel.rate, item)
        }
        for (name, start) in Channel.advertisements {
            #expect(channel.frames(of: "e1", from: start, to: start + 10).count == 250, "\(name)")
        }
        #expect(channel.facts(.willPresent).map(\.fact) == Channel.advertisements.map { .willPresent(id: $0.0) })
        #expect(channel.facts(.didPresent).map(\.fact) == Channel.advertisements.map { .didPresent(id: $0.0, how: .completed) })
        #expect(channel.facts(.open).map(\.fact) == Channel.programmes.map { .open(id: $0.0) })
        #expect(
            channel.facts(.next).map(\.fact) == [.next(id: "e2", isAutomatic: true), .next(id: "film", isAutomatic: true)])
        for (item, title, second) in [("e1", "Low Tide", 94.0), ("e2", "Orchard in Winter", 24.0)] {
            let begins = try #require(channel.frames(of: item, from: second, to: .infinity).first)
            let shown = channel.facts(.interface).first {
                if case .interface(.proposal, let value) = $0.fact { value["title"] == .text(title) } else { false }
            }
            #expect(abs(try #require(shown).at - begins.flip) <= 2 * Self.blank, "the proposal of \(title)")
        }
        #expect(channel.facts(.end).count == 1)
    }

    /// The label above the bar, from each change on: the line of the dump, the second of the box's clock, and the words.
    private func labels(of channel: DemoChannel) -> [(line: Int, at: Double, words: String?)] {
        channel.facts(.interface).compactMap { line, at, fact in
            guard case .interface(.interstitialLabel, let value) = fact else { return nil }
            if case .text(let words) = value { return (line, at, words) }
            return (line, at, nil)
        }
    }

    @Test("the words of an advertisement are there before its first picture, and go with its last")
    func wordsBeforeTheFirstPicture() throws {
        let channel = try DemoChannel(until: 34)
        let labels = labels(of: channel)
        let first = try #require(channel.frames(of: "e1", from: 20, to: 30).first)
        let shown = try #require(labels.first { $0.words != nil })
        #expect(shown.words == "Ad · 0:10")
        #expect(shown.line < first.line)
        // Drawn and committed before the picture, and at most three pictures of the film before it.
        #expect(first.flip - shown.at >= Self.blank - 0.001 && first.flip - shown.at < 0.121)
        let after = try #require(channel.frames(of: "e1", from: 30, to: 31).first)
        let gone = try #require(labels.first { $0.line > shown.line && $0.words == nil })
        #expect(abs(gone.at - after.flip) < Self.blank)
        #expect(channel.facts(.willPresent).count == 1 && channel.facts(.didPresent).count == 1)
    }

    @Test("two advertisements that touch: both are counted, and no key moves time at any moment of them")
    func touchingAdvertisements() throws {
        // A key every 120 ms around the joint, each held for 100 ms.
        var script = "20.2 right\n25 right\n"
        for instant in stride(from: 29_160, to: 30_960, by: 120) { script += "\(instant / 1000).\(instant % 1000) ff\n" }
        script += "35 right\n39.8 right\n"
        let channel = try DemoChannel(keys: script, until: 44) { $0.replacing(#""start": 60"#, with: #""start": 30"#) }
        #expect(channel.facts(.seek).isEmpty)
        let presentations = channel.lines.compactMap { line -> String? in
            switch line.fact {
            case .willPresent(let id): "will \(id)"
            case .didPresent(let id, let how): "did \(id) \(how.rawValue)"
            default: nil
            }
        }
        #expect(presentations == ["will a1", "did a1 completed", "will a2", "did a2 completed"])
        #expect(channel.facts(.answer).count { $0.fact == .answer(.failed(.linear)) } == 19)
        let labels = labels(of: channel)
        #expect(labels.first { $0.words != nil }?.words == "Ad 1 of 2 · 0:10")
        let second = try #require(labels.first { $0.words?.hasPrefix("Ad 2 of 2") == true })
        let picture = try #require(channel.frames(of: "e1", from: 30, to: 31).first)
        #expect(second.words == "Ad 2 of 2 · 0:10" && second.line < picture.line)
        // The words stay from the first picture of one to the last of the other.
        let gone = try #require(labels.first { $0.line > second.line && $0.words == nil })
        #expect(!labels.contains { $0.words == nil && $0.at > 20 && $0.at < gone.at })
        let after = try #require(channel.frames(of: "e1", from: 40, to: 41).first)
        #expect(abs(gone.at - after.flip) < Self.blank)
        try expectContiguous(channel.frames(of: "e1", from: 19, to: 42), "from before to after them")
    }

    private static let refusedKeys = [RemoteKey.right, .left, .ff, .rw, .next, .prev]

    @Test("in an advertisement nothing but pause moves time")
    func keysInAdvertisement() throws {
        var script = ""
        for (number, key) in Self.refusedKeys.enumerated() { script += "\(21 + Double(number) * 0.5) \(key.rawValue)\n" }
        script += "24.5 right hold 1\n26 left hold 0.8\n27.5 down\n28 back\n28.2 pause\n29.2 play\n"
        let channel = try DemoChannel(keys: script, until: 34)
        var pressed = 0
        for (line, at, fact) in channel.facts(.key) {
            guard case .key(let key, .press, _) = fact else { continue }
            pressed += 1
            let answer = channel.lines[line...].first { if case .answer = $0.fact { true } else { false } }?.fact
            #expect(answer == .answer(Self.refusedKeys.contains(key) ? .failed(.linear) : .success), "\(key) at \(at)")
        }
        #expect(pressed == Self.refusedKeys.count + 6)
        #expect(channel.facts(.seek).isEmpty)
        let shown = channel.frames(of: "e1", from: 20, to: 30)
        #expect(shown.count == 250)
        // The pause at 28.2 s holds one frame for a second; before and after it time advances at rate 1.
        let gap = try #require(shown.indices.dropFirst().first { shown[$0].flip - shown[$0 - 1].flip > 0.5 })
        try expectContiguous(Array(shown[..<gap]), from: 20, "before the pause")
        try expectContiguous(Array(shown[gap...]), to: 29.96, "after the pause")
        #expect(abs(shown[gap].flip - shown[gap - 1].flip - 1) < 0.1)
        #expect(abs(shown[gap].asset - shown[gap - 1].asset - 0.04) < 0.001)
    }

    /// A navigation over the first advertisement plays all of it, and then seeks directly to its target.
    private func expectSnapBack(_ channel: DemoChannel, after navigation: Double, to target: Double) throws {
        let (name, start) = Channel.advertisements[0]
        let seeks = channel.facts(.seek, since: navigation).compactMap { line, _, fact -> (line: Int, to: MediaTime)? in
            if case .seek(let time, .zero) = fact { (line, time) } else { nil }
        }
        try #require(seeks.count >= 2)
        #expect(seeks[0].to == .seconds(20), "the first exact seek goes to the advertisement")
        let saved = seeks[1].to.inSeconds
        #expect(abs(saved - target) <= 0.15, "the second goes to the target")
        let owed = channel.facts(.place, since: navigation).compactMap { _, _, fact -> SavedPlace? in
            if case .place(let place?) = fact, place.owedInterstitial != nil { place } else { nil }
        }
        let place = try #require(owed.first)
        #expect(
            abs(place.time.inSeconds - saved) < 0.0005 && place.owedInterstitial == name,
            "the target is saved with the owed interstitial")
        let shown = channel.frames.filter { $0.line > seeks[0].line }
        try #require(shown.count > 260)
        let (advertisement, rest) = (Array(shown[..<250]), Array(shown[250..<260]))
        try expectContiguous(advertisement, from: start, to: start + 9.96, "the advertisement")
        try expectContiguous(rest, from: (saved * Channel.rate + 0.001).rounded(.down) / Channel.rate, "after it")
        // When the seek lands, the frame is on the screen within a few blanks of the last frame of the advertisement.
        #expect(rest[0].flip - advertisement[249].flip < 0.15)
        #expect(channel.facts(.willPresent, since: navigation).map(\.fact) == [.willPresent(id: name)])
        #expect(channel.facts(.didPresent, since: navigation).map(\.fact) == [.didPresent(id: name, how: .completed)])
    }

    @Test("a skip over an advertisement plays it and returns to the target")
    func skip() throws {
        // The tap ends at 12.1 s; ten seconds of content later, after the advertisement, is 32.1 s.
        let channel = try DemoChannel(keys: "12 right\n12.2 left\n14 right\n", until: 28)
        try expectSnapBack(channel, after: 12, to: 32.1)
    }

    @Test("a scan over an advertisement plays it and returns to the picture at which the viewer stopped")
    func scan() throws {
        let channel = try DemoChannel(keys: "10 right hold 1.5\n15 ok\n", until: 40)
        let stop = channel.facts(.key).first { if case .key(.ok, .press, _) = $0.fact { true } else { false } }
        #expect(stop?.at == 15)
        // It has run at 4x since 12.9 s at 30 s; pictures pass at the start of each group, every 4 s, and the viewer stops at the visible one.
        let passed = try #require(channel.frames.last { $0.flip < 15 })
        #expect(38.3 - passed.asset >= 0 && 38.3 - passed.asset < 4, "the last picture that passed is \(passed)")
        try expectSnapBack(channel, after: 15, to: passed.asset)
    }
}
