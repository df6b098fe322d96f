/// The programs of this package that users call. They are installed in one folder.
package enum ProgramName: String, CaseIterable, Sendable {
    /// What a box needs.
    case box = "marquee"
    /// What operators and developers need beside it.
    case tools = "marquee-tools"
}

/// The commands, and which program has each: the only list of them.
package enum CommandName: String, CaseIterable, Sendable {
    case run, play, log, doctor, download, command, update, provision
    case slotHealth = "slot-health"
    case probe, feed, settings, hls, compose, export, thumbnails, storyboard, simulate

    package var program: ProgramName {
        switch self {
        case .run, .play, .log, .doctor, .download, .command, .update, .provision, .slotHealth: .box
        case .probe, .feed, .settings, .hls, .compose, .export, .thumbnails, .storyboard, .simulate: .tools
        }
    }

    /// What the help of the programs says of it.
    package var abstract: String {
        switch self {
        case .run: "Run the box: show a feed and play what the viewer selects."
        case .play: "Play a stream, a file, a composition, or the first item of a feed and the items that it proposes."
        case .log: "The log of the box, what was played, and the access and error logs of playbacks."
        case .doctor: "Print what was found on this machine, what is used, and why nothing better is."
        case .download: "The programmes that are stored for playback without a network."
        case .command: "Give a command to a running box; without a name, list its commands."
        case .update: "Check and sign notices of updates."
        case .provision: "Check a marquee.toml, or apply it to this box."
        case .slotHealth: "Print what this box lacks and has, or judge the version that is on trial."
        case .probe: "Print what a stream or file holds: tracks, metadata, chapters, splices, duration."
        case .feed: "Work on channel feeds."
        case .settings: "Check and sign settings for boxes from afar."
        case .hls: "Inspect HLS playlists."
        case .compose: "Work on compositions: programmes made of pieces of other media."
        case .export: "Write a part of a film, or an edited programme, as a new file."
        case .thumbnails: "Write small pictures of a film: a BIF file for scrubbing, or a sheet."
        case .storyboard: "Pictures of what a viewer of a feed will see: Home, each item's panel, dots, ads, proposals."
        case .simulate: "Run a whole box in simulated time through days of faults, and check that it always recovers."
        }
    }

    /// The command that a command line names, also one that asks for its help.
    ///
    /// - Parameter arguments: with the name of the program in front.
    package init?(arguments: [String]) {
        let words = arguments.dropFirst().drop { $0 == "help" }
        guard let name = words.first.flatMap({ Self(rawValue: $0) }) else { return nil }
        self = name
    }
}
