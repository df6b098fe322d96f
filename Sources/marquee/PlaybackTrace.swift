import Appliance
import BoxAssembly
import CommandSupport
import LinuxSupport
import MediaModel
import Playback
import WireFormats

/// A recording of how a playback starts and goes on, in the Trace Event Format, which Perfetto (https://ui.perfetto.dev) and the browsers' own tools open:
/// when each thread works, requests from the first byte asked for to the last received, pictures at the blank at which they were shown, states. Main thread only.
@MainActor
final class PlaybackTrace {
    /// What happened beside the threads; its time is in `CLOCK_MONOTONIC`.
    private struct Event {
        var name: String
        var time: HostTime
        /// nil for an instant.
        var duration: Duration?
        var details: [(String, JSONText)] = []
    }
    private let path: String
    private let clock: RealClock
    private var events: [Event] = []
    private var missed = 0
    private var subscription: Subscription?
    private var status: TimeControlStatus?
    /// As many as pictures of some hours.
    private static let mostEvents = 500_000

    /// Records what a box plays. `ThreadTrace.start` was called before the box was made, so that its threads are recorded from their beginning.
    ///
    /// - Parameter clock: of the box.
    init(_ box: Box, clock: RealClock, path: String) {
        self.path = path
        self.clock = clock
        subscription = box.appliance.events.listen { [weak self] in if case .player(let event) = $0 { self?.take(event) } }
    }

    private var now: HostTime { monotonic(clock.now) }

    private func monotonic(_ instant: HostTime) -> HostTime {
        HostTime(nanoseconds: clock.origin.nanoseconds + instant.nanoseconds)
    }

    private func take(_ event: PlayerEvent) {
        switch event {
        case .frame(let frame), .interstitialFrame(let frame):
            add(Event(name: "picture", time: monotonic(frame.flip), details: [("asset", .string("\(frame.time)"))]))
        case .state(let state):
            guard state.timeControlStatus != status else { return }
            status = state.timeControlStatus
            add(Event(name: Self.words(state.timeControlStatus), time: now))
        case .metric(let metric): take(metric)
        case .seekCompleted(let landed, _): add(Event(name: "seek", time: now, details: [("landed", .string("\(landed)"))]))
        case .didPlayToEnd: add(Event(name: "end", time: now))
        default: break
        }
    }

    private func take(_ metric: MetricEvent) {
        switch metric.kind {
        case .playlistRequest(let request), .mediaSegmentRequest(let request, _, _), .contentKeyRequest(let request):
            let begin = HostTime(nanoseconds: now.nanoseconds - request.transferDuration.wholeNanoseconds)
            var details: [(String, JSONText)] = [("url", .string(request.url)), ("bytes", .number("\(request.byteCount)"))]
            if let wait = request.timeToFirstByte { details.append(("firstByteAfter", .number(Self.microseconds(wait)))) }
            add(Event(name: metric.kind.name, time: begin, duration: request.transferDuration, details: details))
        case .variantSwitch, .stall: add(Event(name: metric.kind.name, time: now))
        case .seek, .summary: break  // told by the player itself
        }
    }

    private func add(_ event: Event) {
        guard events.count < Self.mostEvents else { return missed += 1 }
        events.append(event)
    }

    private static func words(_ status: TimeControlStatus) -> String {
        switch status {
        case .paused: "paused"
        case .waitingToPlayAtSpecifiedRate: "waiting"
        case .playing: "playing"
        }
    }

    // MARK: - The file

    /// Ends the recording, and writes it.
    ///
    /// - Returns: how much was left out because the recording was full; nil if nothing was.
    func finish() throws(CommandFault) -> String? {
        subscription = nil
        let threads = ThreadTrace.finish()
        var lines = threads.names.sorted { $0.key < $1.key }.map {
            line("M", "thread_name", $0.key, [("args", .object([("name", .string($0.value))]))])
        }
        lines += intervals(of: threads.changes)
        for (number, event) in events.enumerated() { lines += written(event, number) }
        lines += Program.stamps.nanoseconds.sorted { $0.value < $1.value }.map {
            written(Event(name: $0.key.rawValue, time: HostTime(nanoseconds: $0.value)), 0)[0]
        }
        let events = lines.joined(separator: ",\n")
        try TextFile.write(Array("{\"traceEvents\":[\n\(events)\n]}\n".utf8), to: path)
        let missed = missed + threads.missed
        return missed == 0 ? nil : "The trace \(path) is full: \(missed) later changes are not in it."
    }

    /// The intervals in which each thread worked.
    private func intervals(of changes: [ThreadTrace.Change]) -> [String] {
        var begun: [Int32: HostTime] = [:]
        var lines: [String] = []
        for change in changes {
            if change.isWork {
                begun[change.thread] = change.time
            } else if let begin = begun.removeValue(forKey: change.thread) {
                lines.append(
                    line(
                        "X", "work", change.thread,
                        [("ts", instant(begin)), ("dur", .number(Self.microseconds(change.time - begin)))]))
            }
        }
        return lines
    }

    /// Requests overlap, so they are asynchronous events, of which each has its own number.
    private func written(_ event: Event, _ number: Int) -> [String] {
        let category = ("cat", JSONText.string(event.duration == nil ? "player" : "request"))
        let details = ("args", JSONText.object(event.details))
        guard let duration = event.duration else {
            return [line("i", event.name, 0, [category, ("ts", instant(event.time)), ("s", .string("p")), details])]
        }
        let id = ("id", JSONText.number("\(number)"))
        let end = HostTime(nanoseconds: event.time.nanoseconds + duration.wholeNanoseconds)
        return [
            line("b", event.name, 0, [category, id, ("ts", instant(event.time)), details]),
            line("e", event.name, 0, [category, id, ("ts", instant(end))]),
        ]
    }

    private func line(_ phase: String, _ name: String, _ thread: Int32, _ more: [(String, JSONText)]) -> String {
        var members: [(String, JSONText)] = []
        members.append(("ph", .string(phase)))
        members.append(("name", .string(name)))
        members.append(("pid", .number("1")))
        members.append(("tid", .number("\(thread)")))
        members.append(contentsOf: more)
        return JSONText.object(members).text
    }

    private func instant(_ time: HostTime) -> JSONText { .number(Self.microseconds(.nanoseconds(time.nanoseconds))) }

    /// The format counts in microseconds.
    private static func microseconds(_ duration: Duration) -> String {
        let nanoseconds = duration.wholeNanoseconds
        let rest = String(abs(nanoseconds % 1000))
        return "\(nanoseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
