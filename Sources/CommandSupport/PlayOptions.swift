import ArgumentParser
import NetworkConditions

/// The arguments of `marquee play`.
package struct PlayOptions: ParsableArguments {
    package enum Clock: String, ExpressibleByArgument { case real, simulated }

    @Argument(
        help: """
            A file or address of media, of an HLS playlist, of a composition, or of a channel feed; several are played one after the other.
            """, completion: .file())
    package var targets: [String]

    @OptionGroup package var player: PlayerOptions

    @Option(help: "The clock of playback.")
    package var clock = Clock.real

    @Option(
        help: ArgumentHelp("Press the keys of a script with lines TIME KEY [press|hold DURATION].", valueName: "FILE"),
        completion: .file())
    package var keys: String?

    @Option(
        help: ArgumentHelp(
            """
            Stop at this many seconds of the player's clock, at the end of playback, or when the first frame is on the screen, which prints \
            "first-frame" and the instant in seconds of CLOCK_MONOTONIC.
            """,
            valueName: "TIME|end|first-frame"))
    package var until = "end"

    @Option(
        help: ArgumentHelp(
            "Save pictures of the screen at each interface change and every EVERY seconds.", valueName: "DIR[:EVERY]"),
        completion: .directory)
    package var capture: String?

    @Option(
        help: ArgumentHelp(
            "Save a picture at each look of the key script, and exit with 1 when a state differs.", valueName: "DIR"),
        completion: .directory)
    package var looks: String?

    @Option(help: ArgumentHelp("The PIN of parental locks.", valueName: "DIGITS"))
    package var pin: String?

    @Option(
        name: .customLong("setting"),
        help: ArgumentHelp(
            "A viewer's setting, e.g. interface.larger-text=true, interface.high-contrast=true, interface.language=de.",
            valueName: "NAME=VALUE"))
    package var settings: [String] = []

    @Option(help: ArgumentHelp("The wall clock at the start of simulated time, e.g. 2026-11-20T20:10:00Z.", valueName: "DATE"))
    package var date: String?

    @Option(help: ArgumentHelp("Write an event dump, one fact a line.", valueName: "FILE"), completion: .file())
    package var dump: String?

    @Option(
        help: ArgumentHelp(
            "Write when threads work, what is requested and when pictures are shown, in the Trace Event Format that Perfetto opens.",
            valueName: "FILE"), completion: .file())
    package var trace: String?

    @Option(
        help: ArgumentHelp(
            "Play over a simulated network: \(NetworkProfile.named.map(\.name).joined(separator: ", ")).",
            valueName: "NAME[,outage=START+LENGTH]"))
    package var network: String?

    package init() {}
}
