import BoxModel
import LinuxSupport
import MessageBus

/// What iwd manages, read from the objects that it has on the bus (its `doc/*-api.txt`). A value; what cannot be read is left out.
struct IWDObjects: Equatable {
    /// The name of the service, and the beginning of the names of its interfaces and errors.
    static let service = "net.connman.iwd"

    /// A wireless interface of the kernel.
    struct Device: Equatable {
        let path: String
        /// Its name, such as `wlan0`.
        let link: String
        let adapter: String
        /// Whether it and its adapter are switched on.
        let isPowered: Bool
        /// Nil while it is switched off.
        let station: Station?
    }

    /// The part of a device that joins networks.
    struct Station: Equatable {
        let isScanning: Bool
        /// The network that it is in. Networks that are being joined are not.
        let connected: String?
    }

    /// A network that was found.
    struct Network: Equatable {
        let name: String
        let security: WirelessNetwork.Security
        /// The object that forgets it; nil if it is not known.
        let known: String?
    }

    /// Ordered by their paths.
    private(set) var devices: [Device] = []
    private(set) var networks: [String: Network] = [:]
    /// The object to which an agent is told, once iwd has it.
    private(set) var agentManager: String?

    init() {}

    /// - Parameter objects: the answer of `GetManagedObjects`.
    init(_ objects: [String: [String: [String: BusValue]]]) {
        let paths = objects.keys.sorted()
        for path in paths {
            guard let interfaces = objects[path] else { continue }
            if let device = interfaces[Self.service + ".Device"], case .text(let link)? = device["Name"],
                case .path(let adapter)? = device["Adapter"]
            {
                let isAdapterOn = objects[adapter]?[Self.service + ".Adapter"]?["Powered"] == .flag(true)
                devices.append(
                    Device(
                        path: path, link: link, adapter: adapter, isPowered: isAdapterOn && device["Powered"] == .flag(true),
                        station: interfaces[Self.service + ".Station"].map { Station($0) }))
            }
            if interfaces[Self.service + ".AgentManager"] != nil { agentManager = path }
            if let network = interfaces[Self.service + ".Network"].flatMap({ Network($0) }) { networks[path] = network }
        }
    }

    /// The device that is used: one that is in a network, otherwise the first that is on, otherwise the first.
    var device: Device? {
        devices.first { $0.station?.connected != nil } ?? devices.first { $0.isPowered && $0.station != nil } ?? devices.first
    }

    /// The networks in the order of iwd: the connected one, known ones, then the others by strength.
    ///
    /// - Parameter ordered: the answer of `GetOrderedNetworks`.
    func list(_ ordered: [BusValue], of device: Device?) -> [WirelessNetwork] {
        var found: [WirelessNetwork] = []
        var listed: Set<String> = []
        for entry in ordered {
            guard found.count < WirelessStatus.mostNetworks else { break }
            guard case .tuple(let pair) = entry, pair.count == 2, case .path(let path) = pair[0],
                case .int16(let strength) = pair[1], let network = networks[path], listed.insert(path).inserted
            else { continue }
            found.append(
                WirelessNetwork(
                    id: path, name: network.name, security: network.security, strength: Int(strength),
                    isConnected: device?.station?.connected == path, isKnown: network.known != nil))
        }
        return found
    }
}

extension IWDObjects.Station {
    init(_ properties: [String: BusValue]) {
        isScanning = properties["Scanning"] == .flag(true)
        let isIn = properties["State"] == .text("connected") || properties["State"] == .text("roaming")
        if isIn, case .path(let network)? = properties["ConnectedNetwork"] { connected = network } else { connected = nil }
    }
}

extension IWDObjects.Network {
    /// Nil for a network whose name cannot be shown. iwd itself leaves out hidden networks and names that are not UTF-8.
    init?(_ properties: [String: BusValue]) {
        guard case .text(let name)? = properties["Name"], name.utf8.count <= WirelessNetwork.longestName,
            let shown = name.asDeviceName
        else { return nil }
        self.name = shown
        security =
            switch properties["Type"] {
            case .text("open"): .open
            case .text("psk"): .passphrase
            default: .unsupported
            }
        if case .path(let path)? = properties["KnownNetwork"] { known = path } else { known = nil }
    }
}
