import LinuxSupport
import MediaModel

/// What a box is and uses, for operators. It is known at once; what must be read from the machine is `MachineDescription`.
package struct BoxDescription: Sendable, Equatable {
    /// How it stands with updates of the system.
    package struct Update: Sendable, Equatable {
        /// `unavailable`, `idle`, `waiting`, `installing` or `installed`, as in reports.
        package var state: String
        /// The version of the running system; nil if it is unknown.
        package var running: String?
        package var isOnTrial = false
        /// The version that is offered to this box.
        package var offered: String?
        /// While it is installed.
        package var percent: Int?
        /// Why it waits, as one word.
        package var waitsFor: String?
        /// Why the last one failed, or why the notice could not be used.
        package var trouble: String?

        package init(state: String) { self.state = state }
    }

    /// How it stands with settings from afar.
    package struct Settings: Sendable, Equatable {
        package enum State: String, Sendable, CaseIterable {
            case settled
            /// A document was accepted, and its trial has not begun.
            case waiting
            case trying
        }

        package var state: State
        /// Of the document in use; nil for those of the card alone.
        package var revision: Int?
        /// The revision that waits or is on trial.
        package var offered: Int?
        /// Why its trial has not begun, or what it has not reached yet, each as one word.
        package var waitsFor: [String] = []
        /// The last revision, if it was given up and no other is offered.
        package var givenUp: Int?
        /// Why it was given up, and what was damaged when the player started.
        package var trouble: String?
        /// Why the last document was refused, or could not be loaded; nil after one that is in order.
        package var refusal: String?
        /// The documents that were refused since the player was started.
        package var refusals = 0

        package init(state: State) { self.state = state }
    }

    package var name: String
    /// Of the program.
    package var version: String
    /// The build id of the program; nil if it has none.
    package var build: String?
    /// The screen with its mode.
    package var screen: String
    /// The audio output; `none` while no device could be opened.
    package var sound: String
    /// The outputs of sound; nil where there is nothing to choose.
    package var route: SoundRoute?
    /// The id of the output that was chosen; nil: what the machine takes by itself.
    package var chosenOutput: String?
    /// Since the start of the player.
    package var uptime = Duration.zero
    package var isMetered = false
    /// The measured throughput of the network in bits per second; nil while unknown.
    package var throughput: Double?
    /// Nil where no updates are configured.
    package var update: Update?
    /// Nil where no keys for settings are pinned.
    package var settings: Settings?
    /// The public key with which plays are signed, in Base64; nil if they are not.
    package var playsKey: String?

    package init(name: String, version: String, build: String?, screen: String, sound: String) {
        self.name = name
        self.version = version
        self.build = build
        self.screen = screen
        self.sound = sound
    }
}

/// The state of the machine, for operators. Values that cannot be read are nil.
package struct MachineDescription: Sendable, Equatable {
    /// Bytes of a memory or disk.
    package struct Room: Sendable, Equatable {
        package var size: Int
        /// What can still be used.
        package var free: Int

        package init(size: Int, free: Int) {
            self.size = size
            self.free = free
        }
    }
    /// A network interface.
    package struct Link: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            case wired, wireless
            /// A modem for mobile networks.
            case mobile
        }
        package var name: String
        package var kind: Kind
        /// Whether it is connected to something.
        package var hasCarrier: Bool
        /// In megabits per second.
        package var speed: Int?
        /// Numeric, IPv4 first; without link-local ones.
        package var addresses: [String]

        package init(name: String, kind: Kind, hasCarrier: Bool, speed: Int? = nil, addresses: [String] = []) {
            self.name = name
            self.kind = kind
            self.hasCarrier = hasCarrier
            self.speed = speed
            self.addresses = addresses
        }
    }

    /// Seconds since the start of the machine.
    package var uptime: Int?
    package var memory: Room?
    /// The data partition.
    package var storage: Room?
    /// The highest temperature of the sensors, in thousandths of a degree Celsius.
    package var temperature: Int?
    /// The number of stored crash records.
    package var crashes = 0
    /// The slot of the running system and the state of the other, as `marquee doctor` tells them; nil on a machine without slots.
    package var slot: String?
    package var links: [Link] = []
    /// The address at which others reach the machine.
    package var address: String?

    package init() {}

    /// Why the network cannot be used, as one sentence; nil if nothing is wrong on this machine.
    package var networkTrouble: String? {
        if address != nil { return nil }
        if links.isEmpty { return "The machine has no network device." }
        guard let link = links.first(where: \.hasCarrier) else {
            return "No network is connected: plug in a cable, or check the settings of the radio."
        }
        return "\(link.name) is connected, but has no address: check the router, which gives addresses by DHCP."
    }
}

/// One reading of the machine.
package struct MachineReading: Sendable, Equatable {
    package var metrics: [MetricFamily]
    package var description: MachineDescription

    package init(metrics: [MetricFamily] = [], description: MachineDescription = MachineDescription()) {
        self.metrics = metrics
        self.description = description
    }
}
