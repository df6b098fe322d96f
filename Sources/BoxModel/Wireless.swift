import LinuxSupport

/// A wireless network that the box has found.
package struct WirelessNetwork: Sendable, Hashable, Identifiable {
    /// How a network is protected.
    package enum Security: Sendable, Hashable {
        /// No passphrase is needed.
        case open
        /// WPA with a passphrase.
        case passphrase
        /// Something else, such as a user name and a certificate. It cannot be joined on the television.
        case unsupported
    }

    /// The most bytes of a name (IEEE 802.11).
    package static let longestName = 32

    /// The name in the service that manages the networks; unique among those that were found.
    package let id: String
    /// The SSID as text that can be shown: 1 to 32 bytes, without control characters.
    package var name: String
    package var security: Security
    /// 1 (weak) to 4 (strong).
    package var bars: Int
    /// Whether the box is in this network.
    package var isConnected: Bool
    /// Whether the box knows it from an earlier connection, and joins it by itself.
    package var isKnown: Bool

    /// - Parameter strength: the strength of the signal in hundredths of dBm.
    package init(
        id: String, name: String, security: Security, strength: Int, isConnected: Bool = false, isKnown: Bool = false
    ) {
        self.id = id
        self.name = name
        self.security = security
        self.isConnected = isConnected
        self.isKnown = isKnown
        bars =
            switch strength {
            case (-5500)...: 4
            case (-6700)...: 3
            case (-7800)...: 2
            default: 1
            }
    }
}

/// The passphrase of a wireless network. Nothing prints it.
package struct Passphrase: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The characters of a WPA passphrase: 8 to 63, of printable ASCII (IEEE 802.11).
    package static let lengths = 8...63

    /// For the service that joins the network, and nothing else.
    package let secret: String

    /// - Returns: nil if no network can have this passphrase.
    package init?(_ text: String) {
        guard Self.lengths.contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        secret = text
    }

    package var description: String { "(passphrase)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// An attempt to join a wireless network, and how it ended. It stays until the next one begins or it is given up.
package struct WirelessAttempt: Sendable, Hashable {
    /// How far it is.
    package enum Step: Sendable, Hashable {
        /// The network is being joined.
        case joining
        /// The network was joined, and the box has no address in it yet.
        case waitingForAddress
        /// The box has an address in the network.
        case connected
        case failed(Failure)
    }

    /// Why the network could not be joined.
    package enum Failure: String, Sendable, Hashable, CaseIterable {
        /// It needs a passphrase, and none was given.
        case passphraseMissing
        /// It was refused with the given passphrase, which is most likely wrong.
        case passphraseRefused
        /// The network did not answer in time.
        case timedOut
        /// The network was joined, but gave the box no address in time.
        case noAddress
        /// The network is not there any more.
        case notFound
        /// Any other reason.
        case failed
    }

    /// `WirelessNetwork.id`.
    package let network: String
    /// Its name when the attempt began.
    package let name: String
    package var step: Step

    package init(network: String, name: String, step: Step) {
        self.network = network
        self.name = name
        self.step = step
    }
}

/// The wireless networks around the box, and the state of its radio.
package struct WirelessStatus: Sendable, Hashable {
    /// What the box can do.
    package enum Radio: Sendable, Hashable {
        /// There is no adapter, or nothing on this machine manages it for the box.
        case absent
        /// There is an adapter, and it stays off until a country is set.
        case noCountry
        /// There is an adapter, but the service that manages it does not answer.
        case unavailable
        /// The adapter is switched off.
        case off
        case on
    }

    /// More networks than this are not listed; the strongest are.
    package static let mostNetworks = 64

    package var radio: Radio
    package var isScanning: Bool
    /// The connected one first, then those that are known, then by strength.
    package var networks: [WirelessNetwork]
    package var attempt: WirelessAttempt?

    package init(
        radio: Radio = .absent, isScanning: Bool = false, networks: [WirelessNetwork] = [], attempt: WirelessAttempt? = nil
    ) {
        self.radio = radio
        self.isScanning = isScanning
        self.networks = networks
        self.attempt = attempt
    }

    /// The network that the box is in.
    package var connected: WirelessNetwork? { networks.first { $0.isConnected } }
}

/// What a viewer wants of the wireless networks.
package enum WirelessRequest: Sendable, Equatable {
    /// The list is on the screen from now on (true), or no more. While it is, the radio is switched on and networks are looked for.
    case watch(Bool)
    /// Look for networks.
    case scan
    /// Join a network, by its id. An attempt in progress is given up.
    case join(String, passphrase: Passphrase?)
    /// Give up the attempt in progress, and forget how the last one ended. The box returns to a network that it knows.
    case giveUp
    /// Forget a known network, by its id. The box leaves it.
    case forget(String)
}

/// The wireless networks of the machine. Main loop only; nothing waits.
@MainActor
package protocol WirelessDoor: AnyObject {
    var status: WirelessStatus { get }
    /// Sent when `status` has changed.
    var changes: EventSource<Void> { get }
    /// Begins what a viewer wants; the result comes as a change. A request about a network that is not there any more changes nothing, or ends as `notFound`.
    func perform(_ request: WirelessRequest)
}
