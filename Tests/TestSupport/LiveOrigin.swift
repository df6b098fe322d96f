import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Synchronization

/// A live encoder and its server on the simulated clock: one segment every `segment` seconds, starting long before the clock's
/// zero, at addresses `http://live/<rendition>.m3u8`. Requests may wait, for blocking reload and preload hints.
package final class LiveOrigin: ByteLoading {
    /// The properties of the stream.
    package struct Plan: Sendable {
        /// The duration of a segment in frames of 40 ms.
        package var frames = 50
        /// Segments in the window; nil for all (EVENT).
        package var window: Int? = 5
        /// Segments that exist at time zero.
        package var first = 10
        /// Parts per segment; 0 for none.
        package var parts = 0
        package var canBlock = false
        package var canSkipUntil: Int? = nil
        /// Segments that a delta update skips beyond the allowed ones, so that it fits no earlier playlist.
        package var excessSkip = 0
        package var hasDates = true
        /// Renditions by name, with their kinds of samples and an offset for their media sequence numbers.
        package var renditions: [String: (kinds: String, shift: Int)] = ["main": ("va", 0)]
        /// No segment is made after this one.
        package var last: Int? = nil
        /// The encoder produces nothing between these times.
        package var outage: Range<Int>? = nil
        /// Segments before which the timestamps jump.
        package var splices: Set<Int> = []
        /// By how much they jump, in units of 1/90000 s.
        package var jump: Int64 = 500_000_000
        /// Whether the playlists have EXT-X-DISCONTINUITY there.
        package var marksDiscontinuities = true
        /// From this segment on the server restarts its numbering.
        package var reset: Int? = nil
        /// Every second answer is a playlist of this age: two caches, one of which lags.
        package var lag: Duration? = nil
        /// The preload hints announce parts that never come.
        package var misleads = false
        /// The number that a restarted numbering begins with.
        package var resetNumber = 0
        /// Whether durations are rounded to whole seconds.
        package var roundsDurations = false
        /// What EXTINF says instead of the durations.
        package var writtenDuration: String? = nil
        /// What EXT-X-TARGETDURATION says instead of the longest duration.
        package var writtenTarget: Int? = nil
        /// Whether the playlists have EXT-X-DISCONTINUITY-SEQUENCE.
        package var countsDiscontinuities = true
        /// Playlists, by their names, that do not change in these seconds: the encoder of one variant has stopped.
        package var stops: [String: Range<Int>] = [:]
        /// Segments that have other kinds of samples than their rendition.
        package var otherwise: (segments: Range<Int>, kinds: String)? = nil
        /// Requests that fail.
        package var faults: [Fault] = []
        /// Other playlists by the names of their files.
        package var documents: [String: String] = [:]
        /// Further lines at the top of the playlist.
        package var header = ""
        /// The distance of key frames, in frames; nil: each segment and part begins with one.
        package var keyEvery: Int? = nil

        /// A failure of the server.
        package struct Fault: Sendable {
            /// The start of the name of the file.
            package var file: String
            /// The status of the answer.
            package var status: Int
            /// The seconds in which it fails.
            package var during: Range<Int>

            package init(_ file: String, _ status: Int, during: Range<Int>) {
                self.file = file
                self.status = status
                self.during = during
            }
        }

        /// Makes a plan with defaults for most tests.
        package init(
            frames: Int = 50, window: Int? = 5, first: Int = 10, parts: Int = 0, canBlock: Bool = false, canSkipUntil: Int? = nil,
            hasDates: Bool = true, renditions: [String: (kinds: String, shift: Int)] = ["main": ("va", 0)], last: Int? = nil,
            outage: Range<Int>? = nil, splices: Set<Int> = [], reset: Int? = nil, lag: Duration? = nil, header: String = ""
        ) {
            self.frames = frames
            self.window = window
            self.first = first
            self.parts = parts
            self.canBlock = canBlock
            self.canSkipUntil = canSkipUntil
            self.hasDates = hasDates
            self.renditions = renditions
            self.last = last
            self.outage = outage
            self.splices = splices
            self.reset = reset
            self.lag = lag
            self.header = header
        }
    }

    private struct State {
        var plan: Plan
        /// The requests with their times.
        package var requests: [(url: String, at: Duration)] = []
        /// The number of playlists sent.
        var answers = 0
    }
    private let state: Mutex<State>
    private let clock: any HostClock

    /// Starts to encode at time zero of the clock.
    package init(_ plan: Plan, clock: any HostClock) {
        state = Mutex(State(plan: plan))
        self.clock = clock
    }

    /// The requests with their times.
    package var requests: [(url: String, at: Duration)] { state.withLock { $0.requests } }

    /// The requests for a playlist, with their times.
    package func reloads(of name: String = "main") -> [(url: String, at: Duration)] {
        requests.filter { $0.url.contains("/\(name).m3u8") }
    }

    /// Changes the plan from now on.
    package func change(_ body: @Sendable (inout Plan) -> Void) { state.withLock { body(&$0.plan) } }

    // MARK: The encoder

    private func length(_ plan: Plan) -> Duration { .milliseconds(40 * plan.frames) }

    /// When a segment (or this many parts of it) is available.
    private func due(_ plan: Plan, segment: Int, parts: Int) -> Duration {
        let whole = length(plan) * (segment - plan.first)
        return whole + (plan.parts > 0 ? length(plan) / plan.parts * parts : length(plan))
    }

    private func isThere(_ plan: Plan, segment: Int, parts: Int? = nil, at time: Duration) -> Bool {
        if let last = plan.last, segment > last { return false }
        let due = due(plan, segment: segment, parts: parts ?? max(plan.parts, 1))
        if let outage = plan.outage, due >= .seconds(outage.lowerBound), time < .seconds(outage.upperBound) { return false }
        return due <= time
    }

    private func newest(_ plan: Plan, at time: Duration) -> Int {
        var segment = plan.first - 1
        while isThere(plan, segment: segment + 1, at: time) { segment += 1 }
        return segment
    }

    private func playlist(_ plan: Plan, _ name: String, at time: Duration, skip: Bool) -> String {
        let rendition = plan.renditions[name]!
        let newest = newest(plan, at: time)
        var first = plan.window.map { max(0, newest - $0 + 1) } ?? 0
        if let reset = plan.reset, newest >= reset { first = max(first, reset) }
        let shift = rendition.shift - (plan.reset.map { newest >= $0 ? $0 - plan.resetNumber : 0 } ?? 0)
        let seconds = Double(plan.frames) * 0.04
        var text =
            "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:\(plan.writtenTarget ?? Int(seconds.rounded(.up)))\n#EXT-X-MEDIA-SEQUENCE:\(UInt(bitPattern: first &+ shift))\n"
        text += plan.header
        let splicesBefore = plan.splices.filter { $0 <= first }.count
        if splicesBefore > 0, plan.marksDiscontinuities, plan.countsDiscontinuities {
            text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(splicesBefore)\n"
        }
        if plan.window == nil { text += "#EXT-X-PLAYLIST-TYPE:EVENT\n" }
        var control: [String] = []
        if plan.canBlock { control.append("CAN-BLOCK-RELOAD=YES") }
        if let until = plan.canSkipUntil { control.append("CAN-SKIP-UNTIL=\(until)") }
        let part = seconds / Double(max(plan.parts, 1))
        if plan.parts > 0 {
            control.append("PART-HOLD-BACK=\(part * 3)")
            text += "#EXT-X-PART-INF:PART-TARGET=\(part)\n"
        }
        if !control.isEmpty { text += "#EXT-X-SERVER-CONTROL:\(control.joined(separator: ","))\n" }
        var segments = Array(first...max(first, newest))
        if skip, let until = plan.canSkipUntil {
            let count = max(0, segments.count - Int(Double(until) / seconds))
            if count > 0 {
                text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(count + plan.excessSkip)\n"
                segments.removeFirst(count)
            }
        }
        for segment in segments {
            if plan.splices.contains(segment), plan.marksDiscontinuities, segment > first { text += "#EXT-X-DISCONTINUITY\n" }
            if plan.hasDates { text += "#EXT-X-PROGRAM-DATE-TIME:\(Self.date(seconds * Double(segment)))\n" }
            if plan.parts > 0, segment > newest - 2 { text += parts(plan.parts, segment, name, part) }
            text +=
                "#EXTINF:\(plan.writtenDuration ?? "\(plan.roundsDurations ? seconds.rounded() : seconds)"),\n\(name)-\(segment).ts\n"
        }
        if plan.parts > 0 {
            var count = 0
            while count < plan.parts, isThere(plan, segment: newest + 1, parts: count + 1, at: time) { count += 1 }
            text += parts(count, newest + 1, name, part)
            text += "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(name)-\(newest + 1)-\(plan.misleads ? "never" : "\(count)").ts\"\n"
            for other in plan.renditions.keys.sorted() where other != name {
                text +=
                    "#EXT-X-RENDITION-REPORT:URI=\"\(other).m3u8\",LAST-MSN=\(UInt(bitPattern: newest + 1 &+ plan.renditions[other]!.shift)),LAST-PART=\(max(count - 1, 0))\n"
            }
        }
        if plan.last.map({ newest >= $0 }) ?? false { text += "#EXT-X-ENDLIST\n" }
        return text
    }

    private func parts(_ count: Int, _ segment: Int, _ name: String, _ length: Double) -> String {
        (0..<count).map {
            "#EXT-X-PART:DURATION=\(length),URI=\"\(name)-\(segment)-\($0).ts\"\($0 == 0 ? ",INDEPENDENT=YES" : "")\n"
        }.joined()
    }

    /// A date on the day of the stream, which started at noon.
    package static func date(_ seconds: Double) -> String {
        let whole = Int(seconds)
        let milliseconds = Int(((seconds - Double(whole)) * 1000).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "2026-03-01T\(two(12 + whole / 3600)):\(two(whole / 60 % 60)):\(two(whole % 60)).\(String(1000 + milliseconds).dropFirst())Z"
    }

    /// Timestamps continue from segment to segment; after a splice they restart elsewhere. Segment 0 starts at ten seconds.
    private func body(_ plan: Plan, _ name: String, segment: Int, part: Int?) -> [UInt8] {
        let jump = Int64(plan.splices.filter { $0 <= segment }.count) * plan.jump
        let frames = part == nil ? plan.frames : plan.frames / plan.parts
        let start = 900_000 + jump + Int64(segment * plan.frames + (part ?? 0) * frames) * 3600
        let other = plan.otherwise.flatMap { $0.segments.contains(segment) ? $0.kinds : nil }
        return FakeSegment.bytes(
            kinds: other ?? plan.renditions[name]!.kinds, start: start, count: frames, keyEvery: plan.keyEvery,
            first: segment * plan.frames + (part ?? 0) * frames)
    }

    // MARK: The server

    private enum Answer {
        case now([UInt8])
        case later(Duration)
        case failed(Int)
    }

    private func answer(_ url: String, at time: Duration) -> Answer {
        let plan = state.withLock { $0.plan }
        let parts = url.split(separator: "?", maxSplits: 1)
        let file = String(parts[0].split(separator: "/").last!)
        let fault = plan.faults.first {
            file.hasPrefix($0.file) && time >= .seconds($0.during.lowerBound) && time < .seconds($0.during.upperBound)
        }
        if let fault { return .failed(fault.status) }
        var query: [String: String] = [:]
        for item in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { query[String(pair[0])] = String(pair[1]) }
        }
        if let document = plan.documents[file] { return .now(Array(document.utf8)) }
        if file.hasSuffix(".m3u8") {
            let name = String(file.dropLast(5))
            guard let rendition = plan.renditions[name] else { return .failed(404) }
            if plan.canBlock, let wanted = query["_HLS_msn"].flatMap({ UInt($0) }) {
                let segment = Int(bitPattern: wanted) &- rendition.shift
                let part = query["_HLS_part"].flatMap { Int($0) }
                if !isThere(plan, segment: segment, parts: part.map { $0 + 1 }, at: time),
                    plan.last.map({ segment <= $0 }) ?? true
                {
                    return .later(due(plan, segment: segment, parts: part.map { $0 + 1 } ?? max(plan.parts, 1)))
                }
            }
            let lists = state.withLock { state in
                state.answers += 1
                return state.answers
            }
            var age = lists % 2 == 0 ? plan.lag ?? .zero : .zero
            if let stop = plan.stops[name], time >= .seconds(stop.lowerBound), time < .seconds(stop.upperBound) {
                age = time - .seconds(stop.lowerBound)
            }
            return .now(Array(playlist(plan, name, at: time - age, skip: query["_HLS_skip"] != nil).utf8))
        }
        let words = file.dropLast(3).split(separator: "-").map(String.init)
        guard words.count >= 2, plan.renditions[words[0]] != nil, let segment = Int(words[1]) else { return .failed(404) }
        let newest = newest(plan, at: time)
        if words.count == 3, let part = Int(words[2]) {
            if !isThere(plan, segment: segment, parts: part + 1, at: time) {
                return .later(due(plan, segment: segment, parts: part + 1))
            }
            return .now(body(plan, words[0], segment: segment, part: part))
        }
        // A segment is available a little longer than it is listed.
        guard segment <= newest, plan.window.map({ segment > newest - $0 - 2 }) ?? true else { return .failed(404) }
        return .now(body(plan, words[0], segment: segment, part: nil))
    }

    @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let begun = Duration.nanoseconds(clock.now.nanoseconds)
        state.withLock { $0.requests.append((request.url, begun)) }
        let task = Task()
        serve(request.url, begun, task, completion)
        return task
    }

    private func serve(
        _ url: String, _ begun: Duration, _ task: Task,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) {
        let now = Duration.nanoseconds(clock.now.nanoseconds)
        let latency = Duration.milliseconds(20)
        switch answer(url, at: now) {
        case .later(let due):
            let event = clock.schedule(
                at: HostTime(nanoseconds: max(due, now + .milliseconds(100)).wholeNanoseconds), rank: .transfer
            ) {
                self.serve(url, begun, task, completion)
            }
            task.set(event)
        case .now(let bytes):
            task.set(
                clock.schedule(after: latency, rank: .transfer) {
                    completion(
                        .success(
                            ByteResponse(
                                bytes: bytes, url: url, status: 200, contentType: nil, timeToFirstByte: latency,
                                transferDuration: now - begun + latency)))
                })
        case .failed(let status):
            task.set(
                clock.schedule(after: latency, rank: .transfer) {
                    let code: ErrorCode = status == 404 ? .sourceMissing : .sourceFormat
                    completion(.failure(MediaError(code, "Loading \(url) failed with \(status).", fault: .status(status))))
                })
        }
    }

    package func stream(_ url: String) -> any ByteStream { preconditionFailure("live streams are loaded by segments") }

    private final class Task: ByteTask {
        private let event = Mutex<ScheduledEvent?>(nil)
        func set(_ next: ScheduledEvent) { event.withLock { $0 = next } }
        func cancel() { event.withLock { $0?.cancel() } }
    }
}
