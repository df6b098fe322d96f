import MediaTime
import Synchronization
import Testing

@testable import Captions

@Suite("Cues of a track as they become known")
struct CueStoreTests {
    private func cue(_ text: String, _ start: Int64, _ end: Int64) -> CaptionCue {
        CaptionCue(start: .milliseconds(start), end: .milliseconds(end), nodes: [.text(text)])
    }

    @Test("cues that arrive twice are stored once; the next change is the nearest start or end")
    func insertion() {
        let store = CueStore()
        store.insert([cue("b", 100, 300), cue("a", 0, 200)])
        store.insert([cue("b", 100, 300), cue("never", 50, 50)])
        #expect(store.all.map(\.plainText) == ["a", "b"])
        let (shown, next) = store.cues(at: .milliseconds(150))
        #expect(shown.map(\.plainText) == ["a", "b"] && next == .milliseconds(200))
        #expect(store.cues(at: .milliseconds(300)).shown.isEmpty)
        #expect(store.cues(at: .milliseconds(300)).nextChange == nil)
    }

    @Test("whole files are merged in their order, whichever comes first, and each cue is there once")
    func merging() {
        let late = (0..<3000).map { cue("late \($0)", 100_000 + $0 / 2, 200_000) }
        let early = (0..<3000).map { cue("early \($0)", 50_000 + $0 * 20, 200_000) }
        for batches in [[late, early], [early, late], [late, Array(early.reversed()), late, early]] {
            let store = CueStore()
            for batch in batches { store.insert(batch) }
            let all = store.all
            #expect(all.count == 6000 && Set(all).count == 6000)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.start <= $1.start })
            let times = all.filter { $0.plainText.hasPrefix("late") }.map(\.plainText)
            #expect(times == late.map(\.plainText), "cues of one start keep the order of arrival")
        }
    }

    @Test("what is shown at a time is bounded")
    func shown() {
        let store = CueStore()
        store.insert((0..<5000).map { cue("\($0)", 0, 1000 + $0) })
        #expect(store.cues(at: .milliseconds(500)).shown.count == 1000)
    }

    @Test("for formats that report only changes, equal cues stay, others end, new ones begin")
    func screens() {
        let store = CueStore()
        store.show([cue("a", 0, 16_000), cue("b", 0, 16_000)], from: .zero)
        store.show([cue("b", 1000, 17_000), cue("c", 1000, 17_000)], from: .seconds(1))
        store.show([], from: .seconds(2))
        #expect(
            store.all.map { "\($0.plainText) \($0.start.milliseconds)-\($0.end.milliseconds)" } == [
                "a 0-1000", "b 0-2000", "c 1000-2000",
            ])
    }

    @Test("the store is bounded: cues that end first are dropped first")
    func bounds() {
        let store = CueStore(countLimit: 10)
        store.insert((0..<100).map { cue("\($0)", $0 * 10, $0 * 10 + 5) })
        #expect(store.all.map(\.plainText) == (90..<100).map(String.init))
    }

    @Test("a change is counted and reported once; a call that changes nothing is not reported")
    func changes() {
        let store = CueStore()
        let told = Mutex(0)
        store.setOnChange { told.withLock { $0 += 1 } }
        func counts(_ change: () -> Void) -> [Int] {
            let before = (store.version, told.withLock { $0 })
            change()
            return [store.version - before.0, told.withLock { $0 } - before.1]
        }
        #expect(counts { store.removeAll() } == [0, 0])
        #expect(counts { store.insert([cue("a", 0, 100), cue("b", 50, 200)]) } == [1, 1])
        #expect(counts { store.insert([cue("a", 0, 100), cue("none", 5, 5)]) } == [0, 0])
        #expect(counts { store.show([cue("c", 60, 300)], from: .milliseconds(60)) } == [1, 1])
        // The same picture again, and nothing on an empty screen.
        #expect(counts { store.show([cue("c", 70, 310)], from: .milliseconds(70)) } == [0, 0])
        #expect(counts { store.show([cue("d", 400, 500)], from: .milliseconds(400)) } == [1, 1])
        #expect(counts { store.show([], from: .milliseconds(450)) } == [1, 1])
        #expect(counts { store.show([], from: .milliseconds(450)) } == [0, 0])
        #expect(counts { store.removeAll() } == [1, 1] && store.all.isEmpty)
        #expect(counts { store.insert([cue("a", 0, 100)]) } == [1, 1] && store.all.count == 1)
    }

    @Test("of two changes at one instant only the last remains; a cue that ended may come again")
    func sameInstant() {
        let store = CueStore()
        store.show([cue("a", 0, 16_000)], from: .zero)
        store.show([cue("b", 1000, 17_000)], from: .seconds(1))
        store.show([cue("c", 1000, 17_000)], from: .seconds(1))
        #expect(
            store.all.map { "\($0.plainText) \($0.start.milliseconds)-\($0.end.milliseconds)" } == ["a 0-1000", "c 1000-17000"])
        // A shortened cue is known as it is now.
        store.insert([cue("a", 0, 1000)])
        #expect(store.all.count == 2)
        store.insert([cue("a", 0, 16_000)])
        #expect(store.all.count == 3)
    }

    @Test("pictures are bounded by their bytes, screens by their number")
    func pictureBounds() {
        func picture(_ start: Int64, bytes: Int) -> CaptionCue {
            var cue = cue("", start, start + 10)
            cue.image = CaptionImage(coding: .png, pixels: [UInt8](repeating: 0, count: bytes), width: 1, height: 1)
            return cue
        }
        let store = CueStore(countLimit: 100, imageByteLimit: 1000)
        store.insert([picture(0, bytes: 400), picture(100, bytes: 400)])
        #expect(store.all.count == 2)
        store.insert([picture(200, bytes: 200)])
        #expect(store.all.map(\.start.milliseconds) == [0, 100, 200])
        store.show([picture(300, bytes: 1)], from: .milliseconds(300))
        #expect(store.all.map(\.start.milliseconds) == [100, 200, 300])
        store.removeAll()
        store.insert([picture(0, bytes: 1000)])
        #expect(store.all.count == 1)
        let few = CueStore(countLimit: 2)
        for start in 0..<5 { few.show([cue("\(start)", Int64(start) * 100, 9000)], from: .milliseconds(Int64(start) * 100)) }
        #expect(few.all.map(\.plainText) == ["3", "4"])
    }

    @Test("random cues: a query matches a linear search, and nothing changes before the next change")
    func random() {
        var number: UInt64 = 5
        func next(_ limit: Int64) -> Int64 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(number >> 33) % limit
        }
        for _ in 0..<50 {
            let store = CueStore()
            let cues = (0..<40).map { index -> CaptionCue in
                let start = next(1000)
                return cue("\(index)", start, start + next(300))
            }
            store.insert(cues)
            for _ in 0..<40 {
                let time = MediaTime.milliseconds(next(1300))
                let (shown, change) = store.cues(at: time)
                #expect(Set(shown.map(\.plainText)) == Set(cues.filter { $0.isShown(at: time) }.map(\.plainText)))
                let end = change ?? .seconds(2)
                let middle = time + (end - time) / 2
                #expect(store.cues(at: middle).shown == shown)
            }
        }
    }
}

@Suite("Scripts, timed text and style sheets")
struct ScriptTests {
    @Test("ASS: times, styles, overrides, positions; drawings are omitted")
    func script() throws {
        let text = """
            [Script Info]
            PlayResX: 1000
            PlayResY: 500
            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Underline, StrikeOut, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV
            Style: Default,Arial,50,&H00FFFFFF,0,0,0,0,1,2,0,2,10,10,10
            Style: Top,Arial,50,&H0000FFFF,-1,0,0,0,1,2,0,8,10,10,10
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,One{\\i1} two{\\i0}\\Nthree, four
            Dialogue: 0,0:00:03.00,0:00:04.00,Top,,0,0,0,,Above
            Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\pos(250,100)\\an7}Placed
            Dialogue: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}
            """
        let cues = try CaptionDocument.read(Array(text.utf8)).cues
        #expect(cues.map(line) == ["1000-2500 One two/three, four", "3000-4000 Above", "5000-6000 Placed"])
        #expect(cues[0].box == nil && cues[1].box?.displayAlignment == .before)
        #expect(cues[2].box?.x == 0.25 && cues[2].box?.y == 0.2)
        #expect(cues[0].event?.fields == "0,0,Default,,0,0,0,,One{\\i1} two{\\i0}\\Nthree, four")
        #expect(cues[2].event?.head.contains("Style: Top") == true && cues[2].event?.head.contains("Dialogue") == false)
        #expect(cues.allSatisfy { $0.event?.isMoving == false })
        guard case .span(let span) = cues[1].nodes[0], case .style(let style) = span.kind else {
            Issue.record("no style in \(cues[1].nodes)")
            return
        }
        #expect(style.colour == CaptionColour(red: 255, green: 255, blue: 0) && style.isBold == true)
    }

    @Test(
        "a line that moves, fades, changes or has karaoke effects looks different at other times",
        arguments: [
            (#"{\move(0,0,10,10)}a"#, true), (#"{\b1\fad(200,200)}a"#, true), (#"a{\t(\fs40)}b"#, true),
            (#"{\k20}la{\k30}la"#, true),
            (#"{\b1}a{\i1}"#, false), ("move{no", false), (#"{\pos(1,2)}a"#, false),
        ])
    func moving(_ text: String, _ isMoving: Bool) {
        #expect(SubStationEvent(head: "", fields: "0,0,Default,,0,0,0,,\(text)").isMoving == isMoving)
        #expect(SubStationEvent(head: "", fields: "0,0,Default,,0,0,0,Banner;5,\(text)").isMoving)
    }

    @Test("timed text: styles by characters; an empty sample is no cue")
    func timedText() throws {
        #expect(TimedTextSample.cue([0, 0], start: .zero, end: .seconds(1)) == nil)
        let text = Array("Hé you".utf8)
        let style: [UInt8] = [0, 0, 0, 24] + Array("styl".utf8) + [0, 1, 0, 3, 0, 6, 0, 1, 2, 18, 255, 0, 0, 255]
        let bytes = [0, UInt8(text.count)] + text + style[0..<3] + [UInt8(style.count)] + style[4...]
        let cue = try #require(TimedTextSample.cue(bytes, start: .zero, end: .seconds(1)))
        #expect(cue.plainText == "Hé you")
        guard case .span(let span) = cue.nodes.last, case .style(let own) = span.kind else {
            Issue.record("no style in \(cue.nodes)")
            return
        }
        #expect(
            span.children == [.text("you")] && own.isItalic == true && own.colour == CaptionColour(red: 255, green: 0, blue: 0))
    }

    @Test("WebVTT style sheets apply to classes, tags and ids; regions become boxes")
    func styleSheet() throws {
        let text = """
            WEBVTT

            STYLE
            ::cue { color: yellow }
            ::cue(.loud) { font-weight: bold; background-color: rgba(0, 0, 255, 0.5) }

            REGION
            id:r
            width:40%
            lines:3
            regionanchor:0%,100%
            viewportanchor:10%,90%

            00:00.000 --> 00:01.000 region:r
            a <c.loud>b</c>
            """
        let cue = try #require(try CaptionDocument.read(Array(text.utf8)).resolved().first)
        #expect(cue.box?.width == 0.4 && cue.box?.x == 0.1)
        guard case .span(let whole) = cue.nodes[0], case .style(let style) = whole.kind, case .span(let c) = whole.children[1],
            case .span(let inner) = c.children[0], case .style(let loud) = inner.kind
        else {
            Issue.record("no styles in \(cue.nodes)")
            return
        }
        #expect(style.colour == CaptionColour(red: 255, green: 255, blue: 0))
        #expect(loud.isBold == true && loud.background == CaptionColour(red: 0, green: 0, blue: 255, alpha: 128))
    }

    @Test("cues that were placed at a wrong time are exchanged; those in both stay")
    func replace() {
        func cue(_ text: String, _ start: Int64) -> CaptionCue {
            CaptionCue(start: .seconds(start), end: .seconds(start + 2), nodes: [.text(text)])
        }
        let store = CueStore()
        store.insert([cue("a", 0), cue("b", 2), cue("c", 90)])
        var version = store.version
        store.replace([cue("b", 2), cue("c", 90)], with: [cue("b", 2), cue("c", 4)])
        #expect(store.all == [cue("a", 0), cue("b", 2), cue("c", 4)] && store.version > version)
        version = store.version
        store.replace([cue("c", 90)], with: [cue("c", 4)])
        #expect(store.version == version)
        store.replace([cue("c", 4)], with: [])
        store.insert([cue("c", 4)])
        #expect(store.all.count == 3)
    }

    @Test("segments are placed by their map; without one by what their cues can mean")
    func segments() throws {
        let range = TimeRange(start: .seconds(100), duration: .seconds(6))
        func starts(_ text: String, stampZero: MediaTime) throws -> [Int64] {
            let document = try CaptionDocument.read(Array(text.utf8))
            return WebVTTPlacing().cues(of: document, segment: range) { _, _ in stampZero }.map(
                \.start.milliseconds)
        }
        let mapped = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n00:01.000 --> 00:02.000\nx"
        #expect(try starts(mapped, stampZero: .seconds(90)) == [101_000])
        #expect(try starts("WEBVTT\n\n00:03.000 --> 00:04.000\nx", stampZero: .seconds(98)) == [101_000])
        #expect(try starts("WEBVTT\n\n01:41.000 --> 01:42.000\nx", stampZero: .seconds(98)) == [101_000])
    }

    /// Segments of two seconds, their pictures' stamps beginning at 1.4 s, as ffmpeg makes them.
    private func placed(_ texts: [String], stampZero: MediaTime = .milliseconds(-1400)) throws -> [Int64] {
        let (store, placing) = (CueStore(), WebVTTPlacing())
        for (index, text) in texts.enumerated() {
            let document = try CaptionDocument.read(Array("WEBVTT\n\n\(text)".utf8))
            let range = TimeRange(start: .seconds(Int64(index) * 2), duration: .seconds(2))
            store.insert(placing.cues(of: document, segment: range) { _, _ in stampZero })
        }
        return store.all.map(\.start.milliseconds)
    }

    @Test("what times without a map mean is decided once for a rendition, by where its cues lie")
    func meaning() throws {
        let one = "00:00.200 --> 00:01.000\na"
        #expect(try placed([one, "00:02.500 --> 00:03.000\nb", "00:05.800 --> 00:05.900\nc"]) == [200, 2500, 5800], "as ffmpeg")
        // Both meanings are possible for the last one, and one of them for the first.
        #expect(try placed(["00:01.700 --> 00:01.800\na", "00:03.900 --> 00:04.000\nb"]) == [1700, 3900])
        let ten = MediaTime.seconds(-10)
        #expect(
            try placed(["00:10.200 --> 00:11.000\na", "00:12.200 --> 00:13.000\nb"], stampZero: ten) == [200, 2200], "stamps")
        #expect(try placed([one, one, one], stampZero: ten) == [200, 2200, 4200], "each segment from its start")
    }

    @Test("a cue of two segments is stored once, with other numbers and without a map")
    func repeated() throws {
        let long = "00:01.000 --> 00:03.000\nlong"
        #expect(try placed(["7\n\(long)", "8\n\(long)\n\n9\n00:03.500 --> 00:03.900\nb"]) == [1000, 3500])
        // It would begin in the second segment too if it were counted from there.
        let short = "00:01.500 --> 00:02.200\nshort"
        #expect(try placed([short, short, "00:04.500 --> 00:05.200\nb"]) == [1500, 4500])
        #expect(try placed(["", short, "00:04.500 --> 00:05.200\nb"]) == [1500, 4500], "from the second segment on")
        let store = CueStore()
        var cue = CaptionCue(id: "1", start: .seconds(1), end: .seconds(2), nodes: [.text("x")])
        store.insert([cue])
        cue.id = "2"
        store.insert([cue])
        #expect(store.all.count == 1)
        store.replace([cue], with: [])
        #expect(store.all.isEmpty)
    }

    @Test("more cues than the store keeps: those that are farthest from what is shown are dropped")
    func farthest() {
        let store = CueStore(countLimit: 100)
        store.setOnChange {}
        let film = (0..<1000).map { second in
            CaptionCue(start: .seconds(second), end: .milliseconds(second * 1000 + 900), nodes: [.text("\(second)")])
        }
        _ = store.cues(at: .seconds(500))
        store.insert(film)
        #expect(store.all.first?.plainText == "450" && store.all.last?.plainText == "549")
        // The film goes on, and the viewer goes back to its beginning.
        _ = store.cues(at: .seconds(540))
        store.insert(Array(film[540..<640]))
        #expect(store.cues(at: .milliseconds(540_100)).shown.map(\.plainText) == ["540"])
        _ = store.cues(at: .zero)
        store.insert(Array(film[..<100]))
        #expect(store.all.map(\.plainText) == (0..<100).map(String.init))
    }
}
