import CLinux
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
        case (0x00, _), (0x44, _), (0x45, _), (0x47, _), (0x7E, _), (0x84, _), (0x87, _), (0x90, _), (0x9E, _): return nil
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

/// Watches messages on the CEC bus about the active source. Main loop only.
///
/// The kernel answers most requests to a player; the requests that it leaves to user space are answered here, so that no device
/// waits for an answer.
@MainActor
package final class TelevisionWatch {
    private var adapters: [(file: FileDescriptor, watch: MainLoop.Watch)] = []
    private var input = ShownInput()
    private let onChange: @MainActor (_ isShown: Bool) -> Void

    /// Watches the adapters of this machine, if any.
    ///
    /// - Parameters:
    ///   - folder: the folder of the adapters' nodes.
    ///   - note: called with a sentence about an adapter that could not be watched.
    ///   - onChange: called when the television shows another input, or none, and when it shows this one again.
    package init(
        folder: String = "/dev", loop: MainLoop, note: @MainActor (String) -> Void,
        onChange: @escaping @MainActor (_ isShown: Bool) -> Void
    ) {
        self.onChange = onChange
        for path in (0..<4).map({ "\(folder)/cec\($0)" }) where access(path, F_OK) == 0 {
            let number = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
            let file = number >= 0 ? FileDescriptor(adopting: number) : nil
            let code = file.map { marquee_cec_follow($0.number) } ?? errno
            guard let file, code == 0, let watch = try? loop.watch(file.number, { [weak self] in self?.receive(file) }) else {
                note(
                    "The messages of the television could not be read over \(path): \(String(cString: strerror(code))); playback continues when it shows another input."
                )
                continue
            }
            adapters.append((file, watch))
        }
    }

    /// The box has claimed the input.
    package func claim() { change { $0.claim() } }

    /// Stops watching.
    package func close() {
        for adapter in adapters { adapter.watch.cancel() }
        adapters = []
    }

    private func receive(_ file: FileDescriptor) {
        var bytes = [UInt8](repeating: 0, count: 16)
        while true {
            let count = marquee_cec_receive(file.number, &bytes, Int32(bytes.count))
            guard count > 0 else { return }
            let address = marquee_cec_physical_address(file.number)
            guard address >= 0 else { continue }
            let message = Array(bytes.prefix(Int(count)))
            change { input in
                guard let answer = input.take(message, address: UInt16(truncatingIfNeeded: address)) else { return }
                Self.send(answer, to: Int32(message[0] >> 4), file, address)
            }
        }
    }

    private func change(_ body: (inout ShownInput) -> Void) {
        let before = input.isShown
        body(&input)
        if input.isShown != before { onChange(input.isShown) }
    }

    /// Sends without waiting for completion; whether it was received does not matter here.
    private static func send(_ answer: ShownInput.Answer, to other: Int32, _ file: FileDescriptor, _ address: Int32) {
        let bytes: [UInt8] =
            switch answer {
            case .activeSource: [0x82, UInt8(address >> 8 & 255), UInt8(address & 255)]
            case .isOn: [0x90, 0x00]
            case .abort(let number): [0x00, number, 0x00]
            }
        _ = marquee_cec_send(file.number, answer == .activeSource ? 15 : other, bytes, Int32(bytes.count))
    }
}
