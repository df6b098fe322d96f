import CLinux
import Glibc
import LinuxSupport

/// The television on the HDMI cable, over CEC: puts it on standby and wakes it with the box, and makes its remote's keys reach
/// the box.
///
/// Messages take tens of milliseconds each and wait for the bus, so they are sent in order on a separate thread. A television
/// that does not answer is ignored. Main loop only.
@MainActor
package final class TelevisionLink {
    /// A CEC message and its destination (CEC 1.4, table 7 and following).
    enum Message: Equatable {
        /// Puts the television on standby.
        case standby
        /// Switches it on to show pictures.
        case imageViewOn
        /// Makes it show this box; the box's physical address is broadcast.
        case activeSource(physicalAddress: UInt16)

        var bytes: [UInt8] {
            switch self {
            case .standby: [0x36]
            case .imageViewOn: [0x04]
            case .activeSource(let address): [0x82, UInt8(address >> 8), UInt8(address & 255)]
            }
        }

        /// The television is 0, broadcast is 15.
        var destination: Int32 { if case .activeSource = self { 15 } else { 0 } }
    }

    private let clock: any HostClock
    private let nodes: [String]
    private let name: String
    private let note: @MainActor (String) -> Void
    private let thread: WorkerThread
    private var isClosed = false

    /// Opens the adapters of this machine, if any.
    ///
    /// - Parameters:
    ///   - folder: the folder of the adapters' nodes.
    ///   - name: the box's name on the television, at most 14 characters.
    ///   - note: called with a sentence about each failure.
    package init(folder: String = "/dev", name: String, clock: any HostClock, note: @escaping @MainActor (String) -> Void) {
        self.clock = clock
        self.name = name
        self.note = note
        nodes = (0..<4).map { "\(folder)/cec\($0)" }
        thread = WorkerThread(name: "cec", clock: clock)
        perform([])
    }

    /// Whether there is an adapter now; it may come and go.
    package var isPresent: Bool { !present.isEmpty }

    private var present: [String] { nodes.filter { access($0, F_OK) == 0 } }

    /// Puts the television on standby, or wakes it and makes it show this box.
    package func setPower(_ isOn: Bool) { perform(isOn ? [.imageViewOn, .activeSource(physicalAddress: 0)] : [.standby]) }

    /// Ends the thread after its pending work.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        thread.stop()
    }

    private func perform(_ messages: [Message]) {
        let paths = present
        guard !isClosed, !paths.isEmpty else { return }
        clock.compute(on: thread, rank: .timer) { [name] in
            paths.compactMap { Self.send(messages, to: $0, name: name) }
        } then: { [weak self] failures in
            for failure in failures { self?.note(failure) }
        }
    }

    /// - Returns: a failure; nil on success.
    private nonisolated static func send(_ messages: [Message], to path: String, name: String) -> String? {
        let number = open(path, O_RDWR | O_CLOEXEC)
        guard number >= 0 else { return failure(path, "it could not be opened", errno) }
        let descriptor = FileDescriptor(adopting: number)
        let claimed = marquee_cec_claim(descriptor.number, String(name.prefix(14)))
        guard claimed == 0 else { return failure(path, "it could not be configured as a player", claimed) }
        for message in messages {
            var message = message
            if case .activeSource = message {
                let address = marquee_cec_physical_address(descriptor.number)
                guard address >= 0 else { continue }
                message = .activeSource(physicalAddress: UInt16(truncatingIfNeeded: address))
            }
            let bytes = message.bytes
            let code = marquee_cec_send(descriptor.number, message.destination, bytes, Int32(bytes.count))
            // No acknowledgement, or no cable: there is no television that listens.
            guard code == 0 || code == EREMOTEIO || code == ENONET else {
                return failure(path, "\(message) could not be sent", code)
            }
        }
        return nil
    }

    private nonisolated static func failure(_ path: String, _ what: String, _ code: Int32) -> String {
        "The television could not be controlled over \(path): \(what) (\(String(cString: strerror(code)))); use its own remote for its power."
    }
}
