import Display
import Foundation
import HLSStreaming
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Playback
import Sound
import TestSupport
import Testing
import Transfer

/// Streams of other projects, with the number of seconds that must be visible. The corpus is next to the project or in MARQUEE_CORPUS.
enum Corpus {
    static let folder: String? = {
        let places = [Fixtures.variable("MARQUEE_CORPUS"), Fixtures.root + "/../shared/corpus/hls"].compactMap { $0 }
        return places.first { Fixtures.isThere($0 + "/streams") }.map { $0 + "/streams" }
    }()

    /// The address of a stream. One of them shares a segment with its neighbour according to its notes, so the two are copied together.
    static func path(of name: String) throws -> String {
        guard name.contains("hls-chapters/") else { return folder! + "/" + name }
        let copy = NSTemporaryDirectory() + "marquee-stream-\(getpid())"
        try? FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        let source = folder! + "/shaka/hls-chapters"
        for file in try FileManager.default.contentsOfDirectory(atPath: source) where !Fixtures.isThere(copy + "/" + file) {
            try FileManager.default.copyItem(atPath: source + "/" + file, toPath: copy + "/" + file)
        }
        if !Fixtures.isThere(copy + "/s1.mp4") {
            try FileManager.default.copyItem(atPath: folder! + "/shaka/hls-interstitial/s1.mp4", toPath: copy + "/s1.mp4")
        }
        return copy + "/" + name.split(separator: "/").last!
    }

    /// Whether a playlist contains only captions, which cannot be played alone. The names of its segments show it, according to the notes of the
    /// streams.
    private static func isCaptions(_ text: String) -> Bool {
        let segments = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        return !segments.isEmpty && segments.allSatisfy { $0.hasSuffix(".vtt") || $0.contains(".text.") }
    }

    /// Streams with captions, and the expected texts with their times.
    static let captioned: [String] = {
        guard let folder else { return [] }
        return Folder.files(below: folder).filter { $0.hasSuffix("/multivariant_playlist.m3u8") }
            .filter { Fixtures.isThere(folder + "/" + expected(of: $0)) }
    }()

    /// The table next to the folders: the text output of another player.
    static func expected(of stream: String) -> String {
        let parts = stream.split(separator: "/")
        return "\(parts[0])/expected/\(parts[parts.count - 2]).dump"
    }

    /// The texts of such a table with their times: each entry is the complete text from its time on.
    static func captions(_ dump: String) -> [(time: MediaTime, lines: Set<String>)] {
        var entries: [(time: MediaTime, lines: Set<String>)] = []
        var isText = false
        var isInText = false
        for line in dump.split(whereSeparator: \.isNewline) {
            let words = line.drop { $0 == " " }
            if !line.hasPrefix(" ") { isText = line.hasPrefix("TextOutput") }
            guard isText else { continue }
            if words.hasPrefix("presentationTimeUs = "), let time = Int64(words.dropFirst(21)) {
                entries.append((MediaTime(time, 1_000_000), []))
                isInText = false
            } else if words.hasPrefix("text = ") {
                entries[entries.count - 1].lines.insert(String(words.dropFirst(7)))
                isInText = true
            } else if words.contains(" = ") || words.hasPrefix("Cue[") || words.hasPrefix("Subtitle[") {
                isInText = false
            } else if isInText {
                entries[entries.count - 1].lines.insert(String(words))
            }
        }
        return entries
    }

    /// Every playlist that is the entry to a stream: multivariant playlists, and those to which no other refers.
    static let streams: [String] = {
        guard let folder else { return [] }
        let playlists = Folder.files(below: folder).filter { $0.hasSuffix(".m3u8") }
        return playlists.filter { name in
            let text = Fixtures.text(folder + "/" + name) ?? ""
            // Streams on other servers are not played here.
            return !text.contains("\nhttps://") && !isCaptions(text)
        }
    }()
}

@Suite("Streams of others", .serialized, .enabled(if: Corpus.folder != nil, "the corpus is not next to the project"))
@MainActor
struct CorpusStreamTests {
    /// A player on the simulated clock with the real demuxers and decoders, and a headless screen.
    final class Rig {
        let loop: MainLoop
        let player: Player
        private(set) var frames: [FrameRecord] = []
        private(set) var hasEnded = false
        private var listening: Subscription?
        private(set) var error: MediaError?
        /// Interstitials that started, with nil for an end.
        private(set) var interstitials: [(id: String?, at: MediaTime?)] = []

        @MainActor init() throws {
            loop = try MainLoop(time: .simulated)
            let clock = loop.clock
            let loader = CurlTransfer(clock: clock, version: "test")
            let codecs = FFmpegCodecs()
            let display = HeadlessDisplay(mode: DisplayMode(width: 640, height: 360, refresh: Ratio(60)), clock: clock)
            player = try Player(
                services: PlaybackServices(
                    clock: clock, loader: loader, codecs: codecs, display: display, sink: NullSink(clock: clock)
                ) { url, playlist in
                    HLSSource(playlist: playlist, screen: (640, 360), loader: loader, codecs: codecs, clock: clock)
                }.repeatable)
            listening = player.events.listen { [weak self] event in
                switch event {
                case .frame(let record): self?.frames.append(record)
                case .didPlayToEnd: self?.hasEnded = true
                case .state(let state): if case .failed(let error) = state.itemStatus { self?.error = error }
                case .interstitial(let change): self?.take(change)
                default: break
                }
            }
        }

        @MainActor private func take(_ change: InterstitialChange) {
            switch change {
            case .presenting(let status) where status.interstitial.id != interstitials.last?.id:
                interstitials.append((status.interstitial.id, player.currentTime))
            case .ended: interstitials.append((nil, nil))
            case .presenting, .schedule: break
            }
        }

        @MainActor func run(for length: Duration, until isDone: () -> Bool) {
            loop.run(within: length, until: isDone)
        }
    }

    @Test("interstitials of date ranges play at their times, and the content they replace is not shown")
    func interstitials() throws {
        let rig = try Rig()
        defer { rig.player.close() }
        let item = PlayerItem(
            asset: Asset(url: Corpus.folder! + "/shaka/hls-interstitial/main.m3u8", services: rig.player.services))
        rig.player.replaceCurrentItem(with: item)
        rig.player.play()
        rig.run(for: .seconds(90)) { rig.hasEnded || rig.error != nil }
        #expect(rig.error == nil && rig.hasEnded)
        // One before the start, one at four seconds that replaces six seconds of the presentation; each is four seconds long.
        #expect(rig.interstitials.map(\.id) == ["0", nil, "1", nil])
        let times = rig.frames.map(\.time)
        #expect(times.first == .zero)
        #expect(times.contains { $0 > .milliseconds(3900) && $0 < .seconds(4) })
        #expect(!times.contains { $0 >= .seconds(4) && $0 < .milliseconds(9900) })
        #expect(times.last! > .seconds(19))
        // Twenty seconds minus six, plus two times four.
        let length: Duration = rig.loop.clock.now - HostTime.zero
        #expect(length > .seconds(21) && length < .seconds(24))
        #expect(rig.player.currentItem === item)
    }

    @Test("captions of segments appear and disappear at their times", arguments: Corpus.captioned)
    func captions(_ name: String) throws {
        let rig = try Rig()
        defer { rig.player.close() }
        let item = PlayerItem(asset: Asset(url: try Corpus.path(of: name), services: rig.player.services))
        rig.player.replaceCurrentItem(with: item)
        rig.run(for: .seconds(10)) { item.status == .readyToPlay }
        let group = try #require(item.selection.group(.legible))
        item.selection.select(group.options.first, in: group)
        var seen: [(time: MediaTime, lines: Set<String>)] = []
        let listening = rig.player.events.listen { event in
            guard case .captions(let cues) = event else { return }
            let lines = cues.flatMap { $0.plainText.split(whereSeparator: \.isNewline).map(String.init) }
            seen.append((rig.player.currentTime, Set(lines)))
        }
        defer { listening.cancel() }
        // Captions loaded after their time appear late: playback starts when they are loaded.
        rig.run(for: .seconds(2)) { false }
        rig.player.play()
        rig.run(for: .seconds(90)) { rig.hasEnded || rig.error != nil }
        #expect(rig.error == nil && rig.hasEnded)
        let dump = try #require(Fixtures.text(Corpus.folder! + "/" + Corpus.expected(of: name)))
        let expected = Corpus.captions(dump).drop { $0.lines.isEmpty }
        #expect(seen.map(\.lines) == expected.map(\.lines))
        for (seen, expected) in zip(seen, expected) {
            #expect((seen.time - expected.time).magnitude < .milliseconds(20), "\(seen) \(expected)")
        }
    }

    @Test("it plays to its end, with every frame after the one before", arguments: Corpus.streams)
    func plays(_ name: String) throws {
        let rig = try Rig()
        defer { rig.player.close() }
        let item = PlayerItem(asset: Asset(url: try Corpus.path(of: name), services: rig.player.services))
        rig.player.replaceCurrentItem(with: item)
        rig.player.play()
        rig.run(for: .seconds(90)) { rig.hasEnded || rig.error != nil }
        #expect(rig.error == nil)
        #expect(rig.hasEnded)
        let times = rig.frames.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let duration = try #require(item.duration?.time)
        if item.videoTrack != nil, let first = times.first {
            // An I-frame playlist has one picture per segment.
            let isIFramesOnly = Fixtures.text(Corpus.folder! + "/" + name)?.contains("#EXT-X-I-FRAMES-ONLY") == true
            #expect(isIFramesOnly ? times.count > 1 : times.count > 20)
            // Within a segment's rounding of the end.
            #expect(times.last! > duration - (isIFramesOnly ? .seconds(3) : .seconds(1)))
            #expect(first >= .zero)
        } else {
            #expect(rig.player.currentTime > duration - .seconds(1))
        }
    }
}
