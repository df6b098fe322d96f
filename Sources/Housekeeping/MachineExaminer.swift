import LinuxSupport
import StatusModel

/// Reads the machine for the local page and its metrics. Any thread except the main loop, because some sensors respond slowly.
package enum MachineExaminer {
    /// - Parameter stateFolder: a folder on the file system to measure.
    package static func read(stateFolder: String?) -> MachineReading {
        let state = MachineState.read(stateFolder: stateFolder)
        var description = state.description
        description.slot = BoxExamination.slot().first?.1
        description.links = links(addresses: MachineFacts.addresses)
        description.address = MachineFacts.address
        return MachineReading(metrics: MachineMetrics.families(state), description: description)
    }

    /// The network devices of the machine; bridges, tunnels and the like are left out.
    ///
    /// - Parameters:
    ///   - addresses: all addresses with the names of their links.
    ///   - folder: the folder of the kernel's links.
    static func links(
        addresses: [(link: String, text: String)], folder: String = "/sys/class/net"
    ) -> [MachineDescription.Link] {
        Folder.names(folder).compactMap { name in
            let path = "\(folder)/\(name)"
            let parts = Set(Folder.names(path))
            // Only a link of a device has this. A container has a link without one, by which it reaches everything.
            let own = addresses.filter { $0.link == name }.map(\.text)
            guard parts.contains("device") || !own.isEmpty else { return nil }
            let kind: MachineDescription.Link.Kind =
                name.hasPrefix("ww") ? .mobile : parts.contains("wireless") || parts.contains("phy80211") ? .wireless : .wired
            // A link without a carrier has the speed -1, and one that is down cannot be asked.
            let speed = number("\(path)/speed").flatMap { $0 > 0 ? $0 : nil }
            return MachineDescription.Link(
                name: name, kind: kind, hasCarrier: number("\(path)/carrier") == 1, speed: speed, addresses: own)
        }
    }

    private static func number(_ path: String) -> Int? {
        WholeFile.read(path, most: 64).flatMap { Int(String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self)) }
    }
}

extension MachineState {
    /// What operators are told of it.
    var description: MachineDescription {
        var description = MachineDescription()
        description.uptime = uptime
        if let memory, let availableMemory { description.memory = .init(size: memory, free: availableMemory) }
        if let storage, let freeStorage { description.storage = .init(size: storage, free: freeStorage) }
        description.temperature = temperature
        description.crashes = crashes
        return description
    }
}
