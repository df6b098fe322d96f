import BoxAssembly
import BoxModel
import CommandSupport
import Display
import Glibc
import LinuxSupport
import MediaModel
import MediaTime

/// Saves pictures of the composed screen at each change of the interface and at intervals.
@MainActor
final class Capture {
    /// The parts of `--capture DIR[:EVERY]`.
    struct Order {
        var folder: String
        var interval: Duration?

        init(_ text: String) throws {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count <= 2, !parts[0].isEmpty else {
                throw CommandFault("--capture \(text) is not understood; give DIR or DIR:SECONDS.", code: 2)
            }
            folder = parts[0]
            guard parts.count == 2 else { return }
            guard let every = MediaTime(decimalSeconds: parts[1]), every > .zero else {
                throw CommandFault("--capture \(text): \"\(parts[1])\" is not a number of seconds.", code: 2)
            }
            interval = .nanoseconds(every.nanoseconds)
        }
    }

    private let order: Order
    private weak var box: Box?
    private let clock: any HostClock
    private let thread: WorkerThread
    private var changes: Subscription?
    private var underWay = 0
    private var number = 0
    private var isFinished = false
    private var isSettling = false
    private var failure: CommandFault?

    /// - Throws: `CommandFault` if its folder cannot be made.
    init(_ order: Order, box: Box) throws(CommandFault) {
        try TextFile.makeFolder(order.folder)
        self.order = order
        self.box = box
        clock = box.loop.clock
        thread = WorkerThread(name: "capture", clock: box.loop.clock)
        changes = box.appliance.events.listen { [weak self] in if case .presentationChanged = $0 { self?.afterSettling() } }
        if let interval = order.interval { schedule(every: interval) }
    }

    /// Waits for pending pictures.
    ///
    /// - Throws: the first `CommandFault` of a picture that was not saved.
    func finish(_ loop: MainLoop) throws(CommandFault) {
        isFinished = true
        changes = nil
        loop.run(until: { underWay == 0 })
        thread.stop()
        if let failure { throw failure }
    }

    /// A change has been drawn and animated after this time. Changes in between are in the same picture.
    private static let settling = Duration.milliseconds(400)

    private func afterSettling() {
        guard !isSettling else { return }
        isSettling = true
        clock.schedule(after: Self.settling, rank: .display) { [weak self] in
            self?.isSettling = false
            self?.take()
        }
    }

    private func schedule(every interval: Duration) {
        clock.schedule(after: interval, rank: .display) { [weak self] in
            guard let self, !self.isFinished else { return }
            self.take()
            self.schedule(every: interval)
        }
    }

    private func take() {
        guard !isFinished, let box else { return }
        underWay += 1
        number += 1
        let count = String(number)
        let name = "\(String(repeating: "0", count: max(0, 5 - count.count)))\(count)-\(clock.now.description.dropLast(6)).png"
        let path = "\(order.folder)/\(name)"
        box.display.readScreen { [weak self] picture in
            guard let self else { return }
            guard let picture else {
                self.underWay -= 1
                return
            }
            // Which frame it shows, and since when. The file name has only the instant of the request.
            self.box?.dump?.note(.capture(file: name, asset: picture.frameTime, shown: picture.time))
            self.clock.compute(on: self.thread, rank: .drawing) { () -> CommandFault? in
                do throws(CommandFault) {
                    try picture.save(to: path)
                    return nil
                } catch {
                    return error
                }
            } then: { failure in
                self.underWay -= 1
                self.failure = self.failure ?? failure
            }
        }
    }
}

extension ScreenPicture {
    /// Saves it as a PNG file.
    ///
    /// - Throws: `CommandFault` with the path.
    func save(to path: String) throws(CommandFault) {
        let bytes: [UInt8]
        do {
            bytes = try png()
        } catch {
            throw CommandFault("\(path) could not be made: \(error).")
        }
        try TextFile.write(bytes, to: path)
    }
}
