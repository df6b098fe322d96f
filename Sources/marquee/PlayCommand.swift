import Appliance
import ArgumentParser
import BoxAssembly
import BoxModel
import ChannelFeed
import CommandSupport
import Composition
import Cryptography
import Display
import Glibc
import Housekeeping
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import NetworkConditions
import Remote
import Supervision
import Transfer
import Viewing

/// `marquee play`: plays streams or files, or a feed's first item and the items it proposes, in real or simulated time, with keys from a script.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: CommandName.play.abstract)

    @OptionGroup var given: PlayOptions

    func run() throws {
        let script = try given.keys.map { try KeyScriptFile.read($0) }
        let limit = try readUntil()
        let captureOrder = try given.capture.map { try Capture.Order($0) }
        try MainActor.assumeIsolated {
            try play(script: script, limit: limit, capture: captureOrder)
        }
    }

    @MainActor
    private func play(script: KeyScript?, limit: MediaTime?, capture: Capture.Order?) throws {
        let dumpFile = try given.dump.map { try DumpFile($0) }
        var plan = BoxPlan(
            display: try given.player.displayChoice(), audio: try given.player.audioChoice(), languages: given.player.languageList
        )
        plan.picture.session = DesktopSession.current()
        plan.clock = try readClock()
        var kernelNetwork: KernelNetwork?
        // The kernel's network is restored however this ends.
        defer { kernelNetwork = nil }
        if let network = given.network {
            guard let profile = NetworkProfile(network) else {
                throw CommandFault(
                    "--network \(network) is not known; give \(NetworkProfile.named.map(\.name).joined(separator: ", ")).",
                    code: 2)
            }
            kernelNetwork = shape(profile, &plan)
        }
        if let dumpFile { plan.dump = { dumpFile.write($0) } }
        plan.echoesLog = true
        plan.viewer.pinDigest = given.pin.map { SHA256.hexadecimal(of: $0) }
        plan.viewer.settings = try readSettings()
        if given.trace != nil { ThreadTrace.start() }
        StopSignals.hold()
        let processGuard = try ProcessGuard(signals: StopSignals.signals)
        defer { processGuard.stop() }
        let box: Box
        do {
            box = try Box(plan)
        } catch let error as MediaError {
            throw CommandFault(error.sentence)
        }
        defer { box.close() }
        if let network = given.network, kernelNetwork != nil {
            box.log.note("network \(network): by the kernel's netem on the loopback")
        }
        let signals = try StopSignals(loop: box.loop)
        let remotes = try LocalDoors(box: box, port: try given.player.checkedPort(), watchesDevices: given.clock == .real)
        defer { remotes.close() }
        var outcome: Appliance.Outcome?
        var isTimeUp = false
        // If the first frame never comes, the end of the programme ends the wait.
        let endsWithProgramme = given.until == "end" || given.until == Self.firstFrame
        let firstFrame =
            given.until == Self.firstFrame
            ? FirstFrame.announce(of: box.appliance, clock: box.loop.clock) { isTimeUp = true } : nil
        defer { firstFrame?.cancel() }
        // A failed item's card stays on the screen until TIME, because no other event would end the run.
        let outcomes = box.appliance.events.listen { if case .outcome(let how) = $0 { outcome = how } }
        defer { outcomes.cancel() }
        if let limit { box.loop.clock.schedule(at: HostTime(nanoseconds: limit.nanoseconds), rank: .display) { isTimeUp = true } }
        let trace = given.trace.flatMap { path in (box.loop.clock as? RealClock).map { PlaybackTrace(box, clock: $0, path: path) }
        }
        let camera = try capture.map { try Capture($0, box: box) }
        if let script { KeyPlayer.schedule(script, into: box.appliance, clock: box.loop.clock) }
        let album = try script.flatMap { script in try given.looks.map { try TourAlbum(script, folder: $0, box: box) } }
        let guides = try open(box)
        defer { guides?.close() }
        if plan.clock.policy.watchesLoop { processGuard.watchLoop(of: box.loop.clock) }
        box.loop.run(until: { isTimeUp || signals.hasCome || remotes.isWindowClosed || (endsWithProgramme && outcome != nil) })
        processGuard.leaveLoop()
        if let full = try trace?.finish() { box.log.note(full, .warning) }
        try camera?.finish(box.loop)
        if let album { return try album.finish() }
        if let error = box.appliance.firstFailure { throw CommandFault(error.sentence) }
    }

    /// With netem if the kernel has it and permits it, otherwise in front of the loader. Simulated time does not use the kernel's network.
    @MainActor
    private func shape(_ profile: NetworkProfile, _ plan: inout BoxPlan) -> KernelNetwork? {
        do throws(KernelNetwork.Refusal) {
            guard given.clock == .real else {
                throw KernelNetwork.Refusal(reason: "simulated time does not use the network of the kernel")
            }
            return try KernelNetwork(profile, origin: given.targets[0])
        } catch {
            plan.network.profile = profile
            plan.network.maker = "shaped inside the program, not by the kernel's netem: \(error.reason)"
            return nil
        }
    }

    /// A feed begins with a brace, and so does a composition; the player identifies everything else.
    @MainActor
    private func open(_ box: Box) throws -> GuideKeeper? {
        let targets = given.targets.map(FileNames.readable)
        let target = targets[0]
        guard targets.count == 1, let response = FeedSniffer.feed(at: target, loop: box.loop, loader: box.loader) else {
            box.appliance.open(Programme(.url(target), addresses: Array(targets.dropFirst())))
            return nil
        }
        let verdict = FeedReader.read(FeedFile.pages(after: response, loop: box.loop, loader: box.loader))
        for finding in verdict.findings { box.log.note("feed: \(finding)") }
        guard let feed = verdict.feed else {
            throw CommandFault(
                "The feed \(target) was refused: \(verdict.findings.first.map(String.init(describing:)) ?? verdict.summary)")
        }
        box.appliance.movesOnAfterFailure = true
        box.appliance.apply(feed)
        let guides = GuideKeeper(
            plainHTTPHosts: FeedFile.plainHost(of: target).map { [$0] } ?? [], loader: box.loader, clock: box.loop.clock,
            log: box.log,
            folder: nil, seed: 0, now: { [wallClock = box.wallClock] in wallClock.now }
        ) { [weak appliance = box.appliance] in appliance?.takeGuide($0, from: $1) }
        guides.take(feed)
        guard let first = feed.items.first?.id ?? feed.channels.first?.id, box.appliance.open(id: first) else {
            throw CommandFault("The feed \(target) has nothing that can be played now; add an item.")
        }
        return guides
    }

    private func readSettings() throws -> [(name: String, value: String)] {
        try given.settings.map { setting in
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, ViewerSettings.knows(parts[0], parts[1]) else {
                throw CommandFault(
                    "--setting \(setting) is no viewer's setting with a value that differs from its default; give NAME=VALUE with one of \(ViewerSettings.names.joined(separator: ", ")).",
                    code: 2)
            }
            return (parts[0], parts[1])
        }
    }

    private func readClock() throws -> BoxPlan.Clock {
        guard given.trace == nil || given.clock == .real else {
            throw CommandFault("--trace needs the real clock, because simulated time does not pass while threads work.", code: 2)
        }
        guard let date = given.date else { return given.clock == .simulated ? .simulated() : .real }
        guard given.clock == .simulated, let start = FeedDate(date) else {
            throw CommandFault(
                "--date \(date) needs --clock simulated and an RFC 3339 date such as 2026-11-20T20:10:00Z.", code: 2)
        }
        return .simulated(start: start)
    }

    private static let firstFrame = "first-frame"

    private func readUntil() throws -> MediaTime? {
        guard given.until != "end", given.until != Self.firstFrame else { return nil }
        guard let time = MediaTime(decimalSeconds: given.until) else {
            throw CommandFault(
                "--until \(given.until) is neither a time in seconds nor \"end\" or \"\(Self.firstFrame)\".", code: 2)
        }
        return time
    }
}

/// Distinguishes feeds from media.
@MainActor
enum FeedSniffer {
    /// The feed at an address; nil if the content is not JSON or cannot be loaded, which the player then reports, or is a composition, which it plays.
    static func feed(at address: String, loop: MainLoop, loader: any ByteLoading) -> ByteResponse? {
        guard !isNamedAsMedia(address) else { return nil }
        // Only a possible feed is loaded completely; a film is not.
        var first: [UInt8]?
        let stream = loader.stream(address)
        let thread = WorkerThread(name: "sniff", clock: loop.clock)
        loop.clock.compute(on: thread, rank: .transfer) {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = (try? bytes.withUnsafeMutableBytes { try stream.read(into: $0) }) ?? 0
            return Array(bytes.prefix(count))
        } then: {
            first = $0
        }
        loop.run(until: { first != nil })
        stream.cancel()
        thread.stop()
        guard first!.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) == UInt8(ascii: "{") else {
            return nil
        }
        var result: Result<ByteResponse, MediaError>?
        loader.load(ByteRequest(url: address, kind: .feed)) { result = $0 }
        loop.run(until: { result != nil })
        guard let response = try? result!.get(), !CompositionReader.isComposition(response.bytes) else { return nil }
        return response
    }

    /// A name with a media suffix is not checked for a feed, which would cost a round trip or a timeout before the first picture.
    private static func isNamedAsMedia(_ address: String) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".m3u8", ".m3u", ".mp4", ".m4v", ".m4a", ".mov", ".mkv", ".webm", ".ts", ".mp3", ".aac"].contains {
            path.hasSuffix($0)
        }
    }
}

/// Reads the script of `--keys`.
enum KeyScriptFile {
    static func read(_ path: String) throws -> KeyScript {
        guard let bytes = WholeFile.read(path, mayBePipe: true) else {
            throw CommandFault("The key script \(path) could not be read: \(String(cString: strerror(errno))).")
        }
        do {
            return try KeyScript(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandFault("\(path), \(error).")
        }
    }
}
