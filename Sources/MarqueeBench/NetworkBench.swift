import ArgumentParser
import Display
import LinuxSupport
import MediaModel
import MediaTime
import NetworkConditions
import Playback
import WireFormats

/// `MarqueeBench network`: plays a presentation over networks, each in simulated time or from an origin on the loopback interface, and reports the
/// viewer's experience.
struct NetworkBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Play a presentation over each named network, in simulated time; print a line of JSON for each.")

    @Argument(help: "A file or address of an HLS playlist.")
    var target: String

    @Option(
        name: .customLong("profile"),
        help: ArgumentHelp(
            "A network, and a time without any: \(NetworkProfile.named.map(\.name).joined(separator: ", ")); all by default.",
            valueName: "NAME[,outage=START+LENGTH]"))
    var profiles: [String] = []

    @Option(help: ArgumentHelp("The screen in memory.", valueName: "headless[:WxH@HZ]"))
    var display = "headless:640x360@25"

    @Option(help: "Seconds after which a playback is ended.")
    var limit = 900

    @Option(help: "Seconds of the presentation that are played; all of it by default.")
    var play: Int?

    @Flag(help: "Real time, from an origin with the same networks on the loopback that serves the folder of the playlist.")
    var real = false

    func run() throws {
        guard let choice = DisplayChoice(display) else {
            throw BenchFailure("--display \(display) is not understood.", code: 2)
        }
        let chosen = try profiles.map { name in
            guard let profile = NetworkProfile(name) else { throw BenchFailure("--profile \(name) is not known.", code: 2) }
            return profile
        }
        for profile in chosen.isEmpty ? NetworkProfile.named : chosen {
            let viewing = try MainActor.assumeIsolated { try view(over: profile, choice) }
            print(viewing.json(profile).text)
        }
    }

    private struct Viewing {
        /// Until the first picture.
        var firstFrame: Duration?
        /// Until playback starts.
        var startup: Duration?
        var stalls = 0
        var stalled = Duration.zero
        var hasEnded = false
        var error: MediaError?
        var log: [AccessLogEvent] = []
        /// The longest time that the interface was blocked; nil in simulated time, where nothing takes any.
        var lateness: Duration?
        /// How long leaving took.
        var leaving = Duration.zero

        /// The results from the player's access log.
        func json(_ profile: NetworkProfile) -> JSONText {
            // Playback before the first segment, which identifies the variant, has no bitrate.
            let known = log.compactMap { event in
                (event.indicatedAverageBitrate ?? event.indicatedBitrate).map { ($0, seconds(event.durationWatched ?? .zero)) }
            }
            let total = known.reduce(0) { $0 + $1.1 }
            let bits = known.reduce(0) { $0 + $1.0 * $1.1 }
            return .object([
                ("network", .string(profile.name)),
                ("firstFrame", firstFrame.map { .number(String(seconds($0))) } ?? .null),
                ("startup", startup.map { .number(String(seconds($0))) } ?? .null),
                ("stalls", .number(String(stalls))), ("stalled", .number(String(seconds(stalled)))),
                ("meanBitrate", .number(String(total > 0 ? (bits / total).rounded() : 0))),
                ("switches", .number(String(max(0, log.count - 1)))), ("ended", .bool(hasEnded)),
                ("error", .optional(error?.code.rawValue)),
                ("interfaceStall", lateness.map { .number(String(seconds($0))) } ?? .null),
                ("leave", .number(String(seconds(leaving)))),
            ])
        }

        private func seconds(_ length: Duration) -> Double { Double(length.wholeNanoseconds / 1_000_000) / 1000 }
    }

    @MainActor
    private func view(over profile: NetworkProfile, _ display: DisplayChoice) throws -> Viewing {
        let box = try BenchPlayer(time: real ? .real : .simulated, display: display, network: real ? nil : profile)
        defer { box.close() }
        let origin = real ? try loopback(profile, box) : nil
        defer { origin?.origin.stop() }
        let clock = box.loop.clock
        let start = clock.now
        let watch = real ? LateLoop(clock: clock) : nil
        defer { watch?.stop() }
        let end = play.map { MediaTime.seconds(Int64($0)) }
        var viewing = Viewing()
        var waitingSince: HostTime?
        var isLate = false
        var isOver = false
        let listening = box.player.events.listen { event in
            switch event {
            case .frame(let record):
                if viewing.firstFrame == nil { viewing.firstFrame = clock.now - start }
                if let end, record.time >= end { viewing.hasEnded = true }
            case .state(let state):
                if case .failed(let error) = state.itemStatus { viewing.error = error }
                if case .playing = state.timeControlStatus, viewing.startup == nil { viewing.startup = clock.now - start }
                // The wait before playback starts is the start-up time, not a stall.
                if case .waitingToPlayAtSpecifiedRate = state.timeControlStatus, viewing.startup != nil {
                    waitingSince = waitingSince ?? clock.now
                } else if let since = waitingSince {
                    viewing.stalls += 1
                    viewing.stalled += clock.now - since
                    waitingSince = nil
                }
            case .didPlayToEnd: viewing.hasEnded = true
            case .sessionEnded(let log):
                viewing.log = log.accessEvents
                isOver = true
            default: break
            }
        }
        defer { listening.cancel() }
        box.player.replaceCurrentItem(
            with: PlayerItem(asset: Asset(url: origin?.url ?? target, services: box.player.services)))
        box.player.play()
        clock.schedule(after: .seconds(limit), rank: .display) { isLate = true }
        box.loop.run(until: { isLate || viewing.hasEnded || viewing.error != nil })
        let left = clock.now
        box.player.replaceCurrentItem(with: nil)
        viewing.leaving = clock.now - left
        if !isOver { box.loop.run(until: { isOver || isLate }) }
        viewing.lateness = watch?.worst
        return viewing
    }

    /// The folder of the playlist, served on a loopback port.
    @MainActor
    private func loopback(_ profile: NetworkProfile, _ box: BenchPlayer) throws -> (origin: LoopbackOrigin, url: String) {
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        guard !target.contains("://"), let name = parts.last, WholeFile.read(target, most: .max) != nil else {
            throw BenchFailure("--real plays a playlist on this machine; \(target) could not be read as one.", code: 2)
        }
        let script = OriginScript()
        for path in Folder.files(below: folder.isEmpty ? "." : folder) {
            let place = folder.isEmpty ? path : "\(folder)/\(path)"
            script.put(at: "/" + path) { _ in WholeFile.read(place, most: .max) }
        }
        do {
            let origin = try LoopbackOrigin(clock: box.loop.clock, script: script, network: profile)
            return (origin, origin.url("/\(name)"))
        } catch {
            throw BenchFailure("No port of the loopback could be opened: \(error).")
        }
    }
}
