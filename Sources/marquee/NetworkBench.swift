import ArgumentParser
import Display
import LinuxSupport
import MediaModel
import NetworkConditions
import Playback

/// `marquee bench network`: plays a presentation over networks, each in simulated time, and tells what a viewer would have seen.
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

    @Option(help: "Seconds of simulated time after which a playback is left.")
    var limit = 900

    func run() throws {
        guard let choice = DisplayChoice(display) else {
            throw CommandFailure("--display \(display) is not understood.", code: 2)
        }
        let chosen = try profiles.map { name in
            guard let profile = NetworkProfile(name) else { throw CommandFailure("--profile \(name) is not known.", code: 2) }
            return profile
        }
        for profile in chosen.isEmpty ? NetworkProfile.named : chosen {
            let viewing = try MainActor.assumeIsolated { try Self.play(target, over: profile, choice, limit: .seconds(limit)) }
            Console.print(viewing.json(profile).text)
        }
    }

    private struct Viewing {
        var startup: Duration?
        var stalls = 0
        var stalled = Duration.zero
        var hasEnded = false
        var error: MediaError?
        var log: [AccessLogEvent] = []

        /// What was seen, by the account that the player keeps itself.
        func json(_ profile: NetworkProfile) -> JSONText {
            let watched = log.map { seconds($0.durationWatched ?? .zero) }
            let total = watched.reduce(0, +)
            let bits = zip(log, watched).reduce(0) { $0 + ($1.0.indicatedAverageBitrate ?? $1.0.indicatedBitrate ?? 0) * $1.1 }
            return .object([
                ("network", .string(profile.name)), ("startup", startup.map { .number(String(seconds($0))) } ?? .null),
                ("stalls", .number(String(stalls))), ("stalled", .number(String(seconds(stalled)))),
                ("meanBitrate", .number(String(total > 0 ? (bits / total).rounded() : 0))),
                ("switches", .number(String(max(0, log.count - 1)))), ("ended", .bool(hasEnded)),
                ("error", .optional(error?.code.rawValue)),
            ])
        }

        private func seconds(_ length: Duration) -> Double { Double(length.wholeNanoseconds / 1_000_000) / 1000 }
    }

    @MainActor
    private static func play(
        _ target: String, over profile: NetworkProfile, _ display: DisplayChoice, limit: Duration
    ) throws -> Viewing {
        var plan = Box.Plan(time: .simulated, display: display, audio: .null)
        plan.network = profile
        let box = try Box(plan)
        defer { box.close() }
        let clock = box.loop.clock
        var viewing = Viewing()
        var waitingSince: HostTime?
        var isLate = false
        var isOver = false
        box.player.onEvent = { event in
            switch event {
            case .frame: if viewing.startup == nil { viewing.startup = clock.now - .zero }
            case .state(let state):
                if case .failed(let error) = state.itemStatus { viewing.error = error }
                // The wait for the first picture is the start, and no stall.
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
        box.player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: target, services: box.player.services)))
        box.player.play()
        clock.schedule(after: limit, rank: .display) { isLate = true }
        box.loop.run(until: { isLate || viewing.hasEnded || viewing.error != nil })
        box.player.replaceCurrentItem(with: nil)
        if !isOver { box.loop.run(until: { isOver || isLate }) }
        return viewing
    }
}
