import CALSA
import Glibc
import LinuxSupport

@testable import Sound

/// A card whose controls exist only in memory; alsa-lib reads and writes them through its plug-in interface (control_external.h). Any thread.
final class SoftwareCard: Sendable {
    struct Control: Sendable {
        enum Kind { case boolean, integer, bytes }
        var name: String
        var kind: Kind
        var values: [Int]
        var range = 0...1
        var index = 0
        var device = 0
        var isMixer = true
        /// The lowest step and the steps in hundredths of a decibel; nil: unknown.
        var decibels: (lowest: Int, step: Int)?
        /// The errno of a change, negative.
        var refusal: Int32?
    }

    /// What alsa-lib asks of a card.
    enum Callback: CaseIterable, Sendable { case list, attributes, range, readNumbers, readBytes, write, scale }

    struct State {
        var controls: [Control]
        /// The errno of a callback, negative.
        var failures: [Callback: Int32] = [:]
        /// Whether each of them fails only once.
        var failsOnce = false
        var openings = 0
        var closings = 0
        /// How often a control was to be changed.
        var changes = 0

        /// The errno with which a callback fails now, negative; zero: it succeeds.
        mutating func failure(of callback: Callback) -> Int32 {
            guard let code = failures[callback] else { return 0 }
            if failsOnce { failures[callback] = nil }
            return code
        }
    }

    let id: String
    let driver: String
    /// What it has for playback.
    let devices: [CardFacts.Device]
    let monitor: Monitor<State>

    init(id: String = "Test", driver: String = "", devices: [CardFacts.Device] = [], _ controls: [Control] = []) {
        (self.id, self.driver, self.devices) = (id, driver, devices)
        monitor = Monitor(State(controls: controls), ledger: nil)
    }

    func values(_ name: String, _ index: Int = 0) -> [Int]? {
        monitor.read { $0.controls.first { $0.name == name && $0.index == index }?.values }
    }

    func open(_ device: String, mode: Int) throws(ALSAError) -> OpaquePointer {
        let plugin = UnsafeMutablePointer<snd_ctl_ext_t>.allocate(capacity: 1)
        plugin.initialize(to: snd_ctl_ext_t())
        plugin.pointee.version = UInt32(1 << 16 | 1)
        plugin.pointee.poll_fd = -1
        plugin.pointee.callback = UnsafePointer(Self.callbacks)
        plugin.pointee.private_data = Unmanaged.passRetained(self).toOpaque()
        plugin.pointee.tlv.c = { plugin, key, _, _, memory, size in SoftwareCard.of(plugin).describe(Int(key), memory!, size) }
        withUnsafeMutableBytes(of: &plugin.pointee.id) { $0.copyBytes(from: id.utf8.prefix(15)) }
        withUnsafeMutableBytes(of: &plugin.pointee.driver) { $0.copyBytes(from: driver.utf8.prefix(15)) }
        try ALSACheck(device: device)("snd_ctl_ext_create", snd_ctl_ext_create(plugin, device, Int32(mode)))
        monitor.update { $0.openings += 1 }
        return plugin.pointee.handle
    }

    // MARK: Called by alsa-lib

    private static func of(_ plugin: UnsafeMutablePointer<snd_ctl_ext_t>?) -> SoftwareCard {
        Unmanaged<SoftwareCard>.fromOpaque(plugin!.pointee.private_data).takeUnretainedValue()
    }

    private func control(_ key: snd_ctl_ext_key_t) -> Control { monitor.read { $0.controls[Int(key)] } }

    /// Answers a callback, unless it is made to fail.
    private func answer(_ callback: Callback, _ body: () -> Void) -> Int32 {
        let code = monitor.update { $0.failure(of: callback) }
        if code == 0 { body() }
        return code
    }

    /// The scale of a volume as `SNDRV_CTL_TLVT_DB_SCALE`.
    private func describe(_ key: Int, _ memory: UnsafeMutablePointer<UInt32>, _ size: UInt32) -> Int32 {
        let code = answer(.scale) {}
        guard code == 0 else { return code }
        guard let (lowest, step) = monitor.read({ $0.controls[key].decibels }) else { return -ENXIO }
        let words = [UInt32(1), 8, UInt32(bitPattern: Int32(lowest)), UInt32(step)]
        guard size >= 16 else { return -ENOMEM }
        for (index, word) in words.enumerated() { memory[index] = word }
        return 0
    }

    private func change(_ key: snd_ctl_ext_key_t, _ values: UnsafePointer<Int>) -> Int32 {
        monitor.update { state in
            state.changes += 1
            let code = state.failure(of: .write)
            if code != 0 { return code }
            if let refusal = state.controls[Int(key)].refusal { return refusal }
            state.controls[Int(key)].values = (0..<state.controls[Int(key)].values.count).map { values[$0] }
            return 1
        }
    }

    // Unchecked: constant.
    nonisolated(unsafe) private static let callbacks: UnsafeMutablePointer<snd_ctl_ext_callback_t> = {
        var table = snd_ctl_ext_callback_t()
        table.close = { plugin in
            of(plugin).monitor.update { $0.closings += 1 }
            Unmanaged<SoftwareCard>.fromOpaque(plugin!.pointee.private_data).release()
            plugin!.deallocate()
        }
        table.elem_count = { Int32(of($0).monitor.read(\.controls.count)) }
        table.elem_list = { plugin, offset, id in
            of(plugin).answer(.list) {
                let control = of(plugin).control(snd_ctl_ext_key_t(offset))
                snd_ctl_elem_id_set_interface(id, control.isMixer ? SND_CTL_ELEM_IFACE_MIXER : SND_CTL_ELEM_IFACE_PCM)
                snd_ctl_elem_id_set_name(id, control.name)
                snd_ctl_elem_id_set_index(id, UInt32(control.index))
                snd_ctl_elem_id_set_device(id, UInt32(control.device))
            }
        }
        table.find_elem = { plugin, id in
            let name = String(cString: snd_ctl_elem_id_get_name(id))
            let (index, device) = (Int(snd_ctl_elem_id_get_index(id)), Int(snd_ctl_elem_id_get_device(id)))
            let key = of(plugin).monitor.read { state in
                state.controls.firstIndex { $0.name == name && $0.index == index && $0.device == device }
            }
            return key.map { snd_ctl_ext_key_t($0) } ?? .max
        }
        table.get_attribute = { plugin, key, type, access, count in
            let code = of(plugin).answer(.attributes) {}
            guard code == 0 else { return code }
            let control = of(plugin).control(key)
            switch control.kind {
            case .boolean: type!.pointee = Int32(SND_CTL_ELEM_TYPE_BOOLEAN.rawValue)
            case .integer: type!.pointee = Int32(SND_CTL_ELEM_TYPE_INTEGER.rawValue)
            case .bytes: type!.pointee = Int32(SND_CTL_ELEM_TYPE_BYTES.rawValue)
            }
            let tlv = SND_CTL_EXT_ACCESS_TLV_READ.rawValue | SND_CTL_EXT_ACCESS_TLV_CALLBACK.rawValue
            access!.pointee = SND_CTL_EXT_ACCESS_READWRITE.rawValue | (control.decibels == nil ? 0 : tlv)
            count!.pointee = UInt32(control.values.count)
            return 0
        }
        table.get_integer_info = { plugin, key, lowest, highest, step in
            of(plugin).answer(.range) {
                let range = of(plugin).control(key).range
                (lowest!.pointee, highest!.pointee, step!.pointee) = (range.lowerBound, range.upperBound, 1)
            }
        }
        table.read_integer = { plugin, key, values in
            of(plugin).answer(.readNumbers) {
                for (index, value) in of(plugin).control(key).values.enumerated() { values![index] = value }
            }
        }
        table.read_bytes = { plugin, key, bytes, most in
            of(plugin).answer(.readBytes) {
                for (index, value) in of(plugin).control(key).values.prefix(most).enumerated() { bytes![index] = UInt8(value) }
            }
        }
        table.write_integer = { plugin, key, values in of(plugin).change(key, values!) }
        let memory = UnsafeMutablePointer<snd_ctl_ext_callback_t>.allocate(capacity: 1)
        memory.initialize(to: table)
        return memory
    }()
}

/// A machine whose devices and cards the test makes. A device can be opened only once at a time, like a card's. Any thread.
final class SoftwareALSA: ALSALibrary {
    struct State {
        /// What can be opened, by name.
        var devices: [String: SoftwarePCM.Abilities] = [:]
        /// The card behind each device.
        var cardOfDevice: [String: Int32] = [:]
        var cards: [Int32: SoftwareCard] = [:]
        /// Devices beside the cards.
        var software: [SoftwareDevice] = []
        /// The errnos of the next attempts to open a device.
        var openingFailures: [Int32] = []
        /// Whether a device that is being opened does not answer yet.
        var holdsOpening = false
        /// The names that were to be opened, and the devices that were.
        var asked: [String] = []
        var opened: [(name: String, pcm: SoftwarePCM)] = []
    }

    let monitor: Monitor<State>

    init(devices: [String: SoftwarePCM.Abilities] = [:], cards: [Int32: SoftwareCard] = [:], cardOfDevice: [String: Int32] = [:])
    {
        monitor = Monitor(State(devices: devices, cardOfDevice: cardOfDevice, cards: cards), ledger: nil)
    }

    /// The device that was opened last.
    var pcm: SoftwarePCM { monitor.read { $0.opened.last!.pcm } }

    func cards() -> [Int32] { monitor.read { $0.cards.keys.sorted() } }
    func name(of card: Int32) -> String? { monitor.read { $0.cards[card]?.id } }

    func playbackDevices(of card: Int32) -> [CardFacts.Device] { monitor.read { $0.cards[card]?.devices ?? [] } }
    func softwareDevices() -> [SoftwareDevice] { monitor.read(\.software) }

    func card(of pcm: OpaquePointer) -> Int32? {
        monitor.read { state in state.opened.last { $0.pcm.handle == pcm }.flatMap { state.cardOfDevice[$0.name] } }
    }

    func openPCM(_ name: String) throws(ALSAError) -> OpaquePointer {
        marquee_alsa_be_quiet()
        let (abilities, last) = monitor.update { state in
            state.asked.append(name)
            return (state.devices[name], state.opened.last { $0.name == name }?.pcm)
        }
        monitor.wait { $0.holdsOpening ? nil : () }
        let failure = monitor.update { $0.openingFailures.isEmpty ? nil : $0.openingFailures.removeFirst() }
        if let failure { throw ALSAError(call: "snd_pcm_open", device: name, code: failure) }
        guard let abilities else { throw ALSAError(call: "snd_pcm_open", device: name, code: ENOENT) }
        if let last, last.monitor.read(\.closings) == 0 { throw ALSAError(call: "snd_pcm_open", device: name, code: EBUSY) }
        let pcm = SoftwarePCM(abilities)
        let handle = try pcm.open(name)
        monitor.update { $0.opened.append((name, pcm)) }
        return handle
    }

    func openControl(of card: Int32, mode: Int) throws(ALSAError) -> OpaquePointer {
        marquee_alsa_be_quiet()
        let device = deviceName(of: card)
        guard let card = monitor.read({ $0.cards[card] }) else {
            throw ALSAError(call: "snd_ctl_open", device: device, code: ENODEV)
        }
        return try card.open(device, mode: mode)
    }
}
