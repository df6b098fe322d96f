import CommandSupport
import Display
import EngineAssembly
import Housekeeping
import LinuxSupport
import MediaCodec
import MediaModel
import MediaSources
import NetworkConditions
import SegmentStore
import Sound
import StatusModel
import Transfer

/// The engines of a box, which connect it to the outside.
@MainActor
package struct BoxEngines {
    package var loop: MainLoop
    package var loader: any ByteLoading
    package var codecs: any CodecFactory
    package var display: any DisplayOutput
    package var sink: any AudioSink
    /// The outputs of sound; nil where there is nothing to choose.
    package var outputs: (any SoundRouting)?
    package var dates: DateSource
    /// The disk of the saved programmes and of artwork.
    package var disk: any StoreDisk = MachineDisk()

    package init(
        loop: MainLoop, loader: any ByteLoading, codecs: any CodecFactory, display: any DisplayOutput, sink: any AudioSink,
        dates: DateSource
    ) {
        (self.loop, self.loader, self.codecs) = (loop, loader, codecs)
        (self.display, self.sink, self.dates) = (display, sink, dates)
    }
}

extension BoxEngines {
    /// The engines of this machine.
    ///
    /// - Throws: `CommandFault` or `MediaError` with one sentence if a requested part is unavailable.
    init(_ plan: BoxPlan, loop: MainLoop, log: LogBook) throws {
        let timePolicy = plan.clock.policy
        let display = try DisplayFactory.make(
            plan.picture.display, mode: plan.picture.preferredMode, rotation: plan.picture.rotation,
            asksAhead: timePolicy.asksAhead, converter: RangeConverter(), session: plan.picture.session, loop: loop
        ) { log.note("no window: \($0)", .warning) }
        let isInWindow = display is WindowDisplay
        if isInWindow, plan.picture.rotation != .none {
            log.note("display.rotation: a window is not turned, since the desktop turns its screens.", .warning)
        }
        if case .alsa = plan.sound.output, !timePolicy.opensSoundCards {
            throw CommandFault("--audio alsa plays in real time only; with --clock simulated give wav:FILE or null.", code: 2)
        }
        // A desktop has its own choice of outputs.
        let outputs =
            timePolicy.opensSoundCards && !isInWindow && plan.sound.output.isOfCards
            ? SoundOutputs(fixed: plan.sound.output.device, loop: loop) { log.note($0, .warning) } : nil
        let sink = try SoundFactory(
            loop: loop, log: log, opensCards: timePolicy.opensSoundCards, unmutes: plan.sound.unmutesCards && !isInWindow,
            outputs: outputs
        ).make(isInWindow && plan.sound.output == .automatic ? Self.desktopSound : plan.sound.output)
        self.init(
            loop: loop, loader: Self.makeLoader(plan.network, clock: loop.clock, log: log), codecs: FFmpegCodecs(),
            display: display, sink: sink, dates: Self.dateSource(plan.clock, clock: loop.clock))
        self.outputs = outputs
    }

    /// The default device of the desktop, also where it is a card and an HDMI output might be better; any other one while that cannot be opened. Its mixer
    /// is the desktop's.
    private static let desktopSound = AudioChoice.preferred(device: "default")

    private static func dateSource(_ choice: BoxPlan.Clock, clock: any HostClock) -> DateSource {
        switch choice {
        case .real: .machine()
        case .simulated(let start?): .starting(at: start, with: clock)
        case .simulated(nil): .unknown
        }
    }

    /// Shaping happens in front of the loader, on the box's clock, so that it is the same in simulated time.
    private static func makeLoader(_ plan: BoxPlan.Network, clock: any HostClock, log: LogBook) -> any ByteLoading {
        let transfer = CurlTransfer(clock: clock, version: Program.version, options: plan.transfer)
        guard let profile = plan.profile else { return transfer }
        log.note("network \(profile.name): \(plan.maker)")
        return SimulatedOrigin(clock: clock, script: OriginScript(), network: profile, backing: transfer)
    }
}
