import ChannelFeed
import Display
import Housekeeping
import LinuxSupport
import MediaModel
import MediaTime
import Remote
import TestSupport

@testable import Appliance
@testable import BoxAssembly
@testable import marquee

/// A playback of the demo channel, or of another feed, by a complete box with the simulated clock, and its dump.
@MainActor
struct DemoChannel {
    /// A frame with the programme that it belongs to.
    struct Frame: CustomStringConvertible {
        var item: String
        /// The index of its line.
        var line: Int
        /// Seconds in asset time.
        var asset: Double
        /// Seconds of the box's clock.
        var flip: Double

        var description: String { "\(item) \(asset) at \(flip)" }
    }

    /// The length of a vertical blank interval in seconds.
    static let blank = 1.0 / 60
    /// Frames a second in every part of the channel.
    static let rate = 25.0
    /// The programmes in the order in which they follow each other, and their seconds in asset time (docs/demo-content.md).
    static let programmes = [("e1", 100), ("e2", 30), ("film", 36)]
    /// The advertisements of the first, by the seconds at which they begin; each takes ten.
    static let advertisements = [("a1", 20.0), ("a2", 60.0)]

    let lines: [DumpLine]
    let frames: [Frame]

    /// Plays the channel.
    ///
    /// - Parameters:
    ///   - keys: a key script.
    ///   - seconds: of the box's clock, at which it ends; nil: at the end of playback.
    ///   - edit: changes the text of the feed.
    init(keys: String = "", until seconds: Int? = nil, feed edit: (String) -> String = { $0 }) throws {
        let path = DemoContent.path()
        let text = edit(String(decoding: WholeFile.read(path) ?? [], as: UTF8.self))
        try self.init(feed: text, at: path, keys: keys, until: seconds) { $0.items[0].id }
    }

    /// Plays another feed.
    ///
    /// - Parameters:
    ///   - path: where relative addresses of the feed begin.
    ///   - first: the id of what is opened.
    init(
        feed text: String, at path: String, keys: String = "", until seconds: Int? = nil, opening first: (Feed) -> String
    ) throws {
        let sheet = Sheet()
        var plan = BoxPlan(display: .headless(DisplayMode(text: "320x180@60")!), audio: .null)
        plan.clock = .simulated()
        plan.dump = { sheet.lines.append($0) }
        let box = try Box(plan)
        defer { box.close() }
        var isOver = false
        let outcomes = box.appliance.events.listen { if case .outcome = $0, seconds == nil { isOver = true } }
        defer { outcomes.cancel() }
        if let seconds {
            box.loop.clock.schedule(at: .zero + .seconds(seconds), rank: .display) { isOver = true }
        }
        KeyPlayer.schedule(try KeyScript(keys), into: box.appliance, clock: box.loop.clock)
        struct Refused: Error { var findings: [FeedFinding] }
        let verdict = FeedFile.verdict(bytes: Array(text.utf8), url: path)
        guard let feed = verdict.feed else { throw Refused(findings: verdict.findings) }
        box.appliance.apply(feed)
        box.appliance.open(id: first(feed))
        box.loop.run(within: .seconds(600), until: { isOver })
        lines = sheet.lines
        frames = Self.frames(of: sheet.lines)
    }

    private final class Sheet {
        var lines: [DumpLine] = []
    }

    private static func frames(of lines: [DumpLine]) -> [Frame] {
        var item = ""
        var frames: [Frame] = []
        for (index, line) in lines.enumerated() {
            switch line.fact {
            case .open(let id): item = id
            case .frame(let frame):
                frames.append(Frame(item: item, line: index, asset: frame.asset.inSeconds, flip: frame.flip.inSeconds))
            default: break
            }
        }
        return frames
    }

    /// The facts of a kind with their seconds of the box's clock.
    func facts(_ kind: DumpFact.Kind, since start: Double = 0) -> [(line: Int, at: Double, fact: DumpFact)] {
        lines.enumerated().compactMap { index, line in
            line.fact.written.kind == kind && line.time.inSeconds >= start ? (index, line.time.inSeconds, line.fact) : nil
        }
    }

    /// The frames of a stretch of asset time of a programme.
    func frames(of item: String, from first: Double, to last: Double) -> [Frame] {
        frames.filter { $0.item == item && $0.asset >= first - 0.001 && $0.asset < last - 0.001 }
    }
}

// For judging distances.

extension HostTime {
    var inSeconds: Double { Double(nanoseconds) / 1e9 }
}

extension MediaTime {
    var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
