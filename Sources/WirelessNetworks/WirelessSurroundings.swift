import LinuxSupport

/// What surrounds iwd.
package struct WirelessSurroundings {
    /// Who has wireless networks on this machine.
    package enum Owner: Sendable {
        /// The box, whose services start iwd where a country is set.
        case box(hasCountry: Bool)
        /// A desktop or server, on which iwd may run.
        case machine
    }

    package var owner: Owner
    /// The wireless adapters of the kernel.
    package var adapters: WirelessAdapters
    /// Whether a link has an address, by its name.
    package var hasAddress: @MainActor (_ link: String) -> Bool

    /// How long things may take.
    package struct Limits: Sendable {
        /// A network that does not answer has this long; iwd itself gives up sooner.
        package var join = Duration.seconds(45)
        /// A network has this long to give the box an address.
        package var address = Duration.seconds(30)
        /// An address of the network before stays this long: systemd-networkd ignores the loss of a carrier for 3 s in the image.
        package var staleAddress = Duration.seconds(4)
        /// How often networks are looked for while the list is on the screen.
        package var scanInterval = Duration.seconds(15)
        /// When a scan that iwd refused is requested again: it refuses while it joins a network.
        package var refusedScanInterval = Duration.seconds(2)
        /// How often the kernel's adapter is looked for while iwd has none.
        package var lookInterval = Duration.seconds(5)

        package init() {}
    }

    package var limits = Limits()

    package init(
        owner: Owner, adapters: WirelessAdapters, hasAddress: @escaping @MainActor (String) -> Bool
    ) {
        self.owner = owner
        self.adapters = adapters
        self.hasAddress = hasAddress
    }
}
