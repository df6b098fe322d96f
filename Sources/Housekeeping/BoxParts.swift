import ChannelFeed
import LinuxSupport
import MediaSources
import StatusModel

/// The dependencies of housekeeping.
@MainActor
package struct BoxParts {
    package var appliance: any ApplianceDoor
    package var clock: any HostClock
    /// Loads feeds and guides, and sends reports.
    package var loader: any ByteLoading
    package var log: LogBook
    /// The wall clock, if it can be trusted.
    package var wallClock: @MainActor () -> FeedDate?
    /// Applies the feed's rule for metered networks; nil leaves it to the box.
    package var applyMetered: @MainActor (Policy.Metered?) -> Void
    /// The machine has a network again.
    package var networkReturned: @MainActor () -> Void = {}
    /// Statistics of playbacks.
    package var tally: PlaybackTally
    /// What was played, if it is kept.
    package var plays: PlayKeeper?
    /// The machine as described in reports.
    package var machine: ReportedMachine
    /// Keeps programmes of the feed on the disk; nil if none are stored.
    package var downloads: DownloadKeeper?
    /// Updates the system; nil where the settings name no updates.
    package var updates: UpdateKeeper?
    /// Updates the system from USB sticks; nil on a system that is not Marquee's own.
    package var stickUpdates: StickUpdateKeeper?
    /// Settings from afar; nil where no keys for them are pinned.
    package var settings: SettingsKeeper?
    /// Whether the disk refuses what the box keeps of its viewers.
    package var isLibraryRefused: @MainActor () -> Bool = { false }
    /// Starts the machine again, and returns whether it will; nil on a system that is not Marquee's own.
    package var restartMachine: (@MainActor () -> Bool)?

    package init(
        appliance: any ApplianceDoor, clock: any HostClock, loader: any ByteLoading, log: LogBook,
        wallClock: @escaping @MainActor () -> FeedDate?, applyMetered: @escaping @MainActor (Policy.Metered?) -> Void,
        tally: PlaybackTally, machine: ReportedMachine
    ) {
        self.appliance = appliance
        self.clock = clock
        self.loader = loader
        self.log = log
        self.wallClock = wallClock
        self.applyMetered = applyMetered
        self.tally = tally
        self.machine = machine
    }
}

/// What operators are told about program, screen, sound and network.
@MainActor
package struct ReportedMachine {
    package var version: String
    /// The current screen.
    package var screen: @MainActor () -> String
    /// The current audio output; `none` while no device could be opened.
    package var sound: @MainActor () -> String
    /// Whether the network is metered.
    package var isMetered: @MainActor () -> Bool
    /// The measured throughput of the network in bits per second; nil while unknown.
    package var throughput: @MainActor () -> Double?

    package init(
        version: String, screen: @escaping @MainActor () -> String, sound: @escaping @MainActor () -> String,
        isMetered: @escaping @MainActor () -> Bool, throughput: @escaping @MainActor () -> Double? = { nil }
    ) {
        self.version = version
        self.screen = screen
        self.sound = sound
        self.isMetered = isMetered
        self.throughput = throughput
    }
}
