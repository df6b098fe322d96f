import ChannelFeed
import LinuxSupport
import MediaModel

/// What keeping a box works with.
@MainActor
package struct BoxParts {
    /// The box that viewers see.
    package var appliance: any ApplianceDoor
    /// Time.
    package var clock: any HostClock
    /// Loads feeds and guides, and sends reports.
    package var loader: any ByteLoading
    /// The log.
    package var log: LogBook
    /// The wall clock where it can be trusted.
    package var wallClock: @MainActor () -> FeedDate?
    /// Puts into force what a feed allows on a network that is paid for by the byte; nil leaves it to the box.
    package var applyMetered: @MainActor (Policy.Metered?) -> Void
    /// What playbacks were like.
    package var tally: PlaybackTally
    /// The machine as reports name it.
    package var machine: ReportedMachine

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

/// What reports say of program, screen, sound and network.
@MainActor
package struct ReportedMachine {
    /// The program's version.
    package var version: String
    /// The screen, now.
    package var screen: @MainActor () -> String
    /// Where sound goes.
    package var sound: String
    /// Whether the network is paid for by the byte.
    package var isMetered: @MainActor () -> Bool

    package init(
        version: String, screen: @escaping @MainActor () -> String, sound: String, isMetered: @escaping @MainActor () -> Bool
    ) {
        self.version = version
        self.screen = screen
        self.sound = sound
        self.isMetered = isMetered
    }
}
