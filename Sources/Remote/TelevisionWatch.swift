import Glibc
import LinuxSupport

/// The input that the television shows, derived from messages on the CEC bus. A value: messages in, changes and answers out.
struct ShownInput: Equatable {
    /// A required answer.
    enum Answer: Equatable {
        /// That the television may show this box, which it asked for.
        case activeSource
        /// That the box is on.
        case isOn
        /// That a message with this opcode is not supported.
        case abort(UInt8)
    }

    /// Whether the television shows this box, as far as known.
    private(set) var isShown = true
    /// Whether that is known from a message, not assumed.
    private(set) var isSure = false

    /// The box itself has claimed the input.
    mutating func claim() { (isShown, isSure) = (true, true) }

    /// Handles a message: its first byte holds the source and the destination, the second the opcode (CEC 1.4, table 7 and
    /// following).
    ///
    /// - Parameter address: the box's physical address.
    /// - Returns: the required answer, if any.
    mutating func take(_ message: [UInt8], address: UInt16) -> Answer? {
        guard message.count >= 2 else { return nil }
        let (sender, isToAll) = (message[0] >> 4, message[0] & 15 == 15)
        switch (message[1], Self.place(message)) {
        case (0x82, let place?): (isShown, isSure) = (place == address, true)
        // The route goes through a switch or receiver, which will report its own target.
        case (0x80, let place?), (0x81, let place?):
            if place == address || !Self.leads(place, to: address) { (isShown, isSure) = (place == address, true) }
        case (0x86, let place?):
            (isShown, isSure) = (place == address, true)
            return isShown ? .activeSource : nil
        case (0x85, _): return isShown && isSure ? .activeSource : nil
        case (0x36, _): if sender == 0 { (isShown, isSure) = (false, true) }
        case (0x8F, _): return isToAll ? nil : .isOn
        // The kernel handles keys; reports and refusals need no answer.
        case (0x00, _), (0x44, _), (0x45, _), (0x47, _), (0x72, _), (0x7A, _), (0x7E, _), (0x84, _), (0x87, _), (0x90, _),
            (0x9E, _):
            return nil
        case (let number, _): return isToAll ? nil : .abort(number)
        }
        return nil
    }

    /// The physical address at the end of a message.
    private static func place(_ message: [UInt8]) -> UInt16? {
        let first = message[1] == 0x80 ? 4 : 2
        return message.count >= first + 2 ? UInt16(message[first]) << 8 | UInt16(message[first + 1]) : nil
    }

    /// Whether an address lies between the television and another: its digits are a prefix of the other's, followed by zeros.
    private static func leads(_ place: UInt16, to other: UInt16) -> Bool {
        guard place != 0 else { return false }
        return [UInt16(0xF000), 0xFF00, 0xFFF0].contains { place & ~$0 == 0 && place == other & $0 }
    }
}

/// Watches messages on the CEC bus about the active source and the amplifier, and passes the keys of the volume on to that. Main loop only.
///
/// The kernel answers most requests to a player; the requests that it leaves to user space are answered here, so that no device
/// waits for an answer. An adapter that goes away (a USB adapter, a driver that is loaded again) is looked for, first after two
/// seconds, then up to once a minute. Meanwhile the television counts as showing this box.
@MainActor
package final class TelevisionWatch {
    private static let firstLook = Duration.seconds(2)
    private static let longestPause = Duration.seconds(60)
    /// When an amplifier is asked for its mode after an adapter was opened: the box may still be waiting for its own address then.
    private static let questions: [Duration] = [.seconds(1), .seconds(10), .seconds(60)]

    private let loop: MainLoop
    private let bus: any TelevisionBus
    private let paths: [String]
    /// The open adapters by path. Only looked up, never iterated.
    private var adapters: [String: (file: FileDescriptor, watch: MainLoop.Watch)] = [:]
    /// Adapters that have gone.
    private var missing: Set<String> = []
    /// Adapters whose failure has been noted.
    private var noted: Set<String> = []
    private var input = ShownInput()
    private var amplifier = AudioSystem()
    /// The adapter that leads to the amplifier.
    private var amplifierPath: String?
    private var nextQuestion: ScheduledEvent?
    private var nextLook: ScheduledEvent?
    private let note: @MainActor (String) -> Void
    private let onChange: @MainActor (_ isShown: Bool) -> Void
    private let onVolume: @MainActor (_ percent: Int, _ isMuted: Bool) -> Void

    /// Watches the adapters of this machine, if any.
    ///
    /// - Parameters:
    ///   - folder: the folder of the adapters' nodes.
    ///   - note: called with a sentence about an adapter that could not be watched, or has gone.
    ///   - onChange: called when the television shows another input, or none, and when it shows this one again.
    ///   - onVolume: called with the amplifier's volume after a key of `press(_:)`.
    package convenience init(
        folder: String = "/dev", loop: MainLoop, note: @escaping @MainActor (String) -> Void,
        onChange: @escaping @MainActor (_ isShown: Bool) -> Void,
        onVolume: @escaping @MainActor (_ percent: Int, _ isMuted: Bool) -> Void = { _, _ in }
    ) {
        self.init(
            folder: folder, loop: loop, bus: KernelTelevisionBus(), note: note, onChange: onChange, onVolume: onVolume)
    }

    /// - Parameter bus: the calls to adapters; tests replace them.
    init(
        folder: String, loop: MainLoop, bus: any TelevisionBus, note: @escaping @MainActor (String) -> Void,
        onChange: @escaping @MainActor (_ isShown: Bool) -> Void,
        onVolume: @escaping @MainActor (_ percent: Int, _ isMuted: Bool) -> Void = { _, _ in }
    ) {
        (self.loop, self.bus, self.note, self.onChange, self.onVolume) = (loop, bus, note, onChange, onVolume)
        paths = (0..<4).map { "\(folder)/cec\($0)" }
        openAll()
    }

    /// The box has claimed the input.
    package func claim() { change { $0.claim() } }

    /// Gives a key of the volume to the amplifier.
    ///
    /// - Returns: whether it has the volume; otherwise nothing is sent, and the box changes its own.
    package func press(_ key: AmplifierKey) -> Bool {
        guard amplifier.isOn == true, let file = amplifierPath.flatMap({ adapters[$0]?.file }) else { return false }
        for message in key.messages { bus.send(message, to: Int32(AudioSystem.address), file) }
        return true
    }

    /// Stops watching.
    package func close() {
        nextQuestion?.cancel()
        nextQuestion = nil
        nextLook?.cancel()
        nextLook = nil
        for path in paths { adapters.removeValue(forKey: path)?.watch.cancel() }
    }

    // MARK: Adapters

    private func openAll() {
        for path in paths where adapters[path] == nil && bus.exists(path) {
            do {
                let file = try bus.open(path)
                adapters[path] = (file, try loop.watch(file.number) { [weak self] in self?.receive(path) })
                noted.remove(path)
                missing.remove(path)
                askLater()
            } catch {
                guard noted.insert(path).inserted else { continue }
                note(
                    "The messages of the television could not be read over \(path): \(error); playback continues when it shows another input."
                )
            }
        }
    }

    private func lose(_ path: String, _ code: Int32) {
        adapters.removeValue(forKey: path)?.watch.cancel()
        note(
            "The adapter \(path) of the television has gone: \(String(cString: strerror(code))); it is used again when it returns."
        )
        missing.insert(path)
        change { $0 = ShownInput() }
        if amplifierPath == path { (amplifier, amplifierPath) = (AudioSystem(), nil) }
        look(after: Self.firstLook)
    }

    /// Looks for the missing adapters until none is missing.
    private func look(after pause: Duration) {
        nextLook?.cancel()
        nextLook = loop.clock.schedule(after: pause) { [weak self] in
            guard let self else { return }
            nextLook = nil
            openAll()
            if !missing.isEmpty { look(after: min(pause * 2, Self.longestPause)) }
        }
    }

    // MARK: The amplifier

    private func askLater(_ turn: Int = 0) {
        nextQuestion?.cancel()
        nextQuestion = nil
        guard turn < Self.questions.count else { return }
        nextQuestion = loop.clock.schedule(after: Self.questions[turn]) { [weak self] in
            guard let self else { return }
            nextQuestion = nil
            guard amplifier.isOn == nil else { return }
            for path in paths { if let file = adapters[path]?.file { ask(file) } }
            askLater(turn + 1)
        }
    }

    /// Give System Audio Mode Status.
    private func ask(_ file: FileDescriptor) { bus.send([0x7D], to: Int32(AudioSystem.address), file) }

    // MARK: Messages

    private func receive(_ path: String) {
        while let file = adapters[path]?.file {
            switch bus.receive(file) {
            case .nothing: return
            case .gone(let code): return lose(path, code)
            case .message(let message):
                takeAmplifier(message, path, file)
                guard let address = bus.physicalAddress(file) else { continue }
                change { input in
                    guard let answer = input.take(message, address: address) else { return }
                    send(answer, to: Int32(message[0] >> 4), file, address)
                }
            }
        }
    }

    private func takeAmplifier(_ message: [UInt8], _ path: String, _ file: FileDescriptor) {
        let consequence = amplifier.take(message)
        if message.first.map({ $0 >> 4 }) == AudioSystem.address { amplifierPath = path }
        switch consequence {
        case .ask: ask(file)
        case .volume(let percent, let isMuted): onVolume(percent, isMuted)
        case nil: break
        }
    }

    private func change(_ body: (inout ShownInput) -> Void) {
        var next = input
        body(&next)
        let before = input.isShown
        input = next
        if input.isShown != before { onChange(input.isShown) }
    }

    /// Sends without waiting for completion; whether it was received does not matter here.
    private func send(_ answer: ShownInput.Answer, to other: Int32, _ file: FileDescriptor, _ address: UInt16) {
        let bytes: [UInt8] =
            switch answer {
            case .activeSource: [0x82, UInt8(address >> 8), UInt8(address & 255)]
            case .isOn: [0x90, 0x00]
            case .abort(let number): [0x00, number, 0x00]
            }
        bus.send(bytes, to: answer == .activeSource ? 15 : other, file)
    }
}
