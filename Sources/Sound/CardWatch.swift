import CALSA
import Glibc
import LinuxSupport

/// Tells when cards come and go, and when something is plugged into one: a screen, or headphones. Main loop only.
///
/// Cards are seen by the nodes of their controls (inotify), and what is plugged into them by the events of these controls.
@MainActor
final class CardWatch {
    /// A subscription to the events of a card, which ends in `deinit`.
    private final class Controls {
        private let control: OpaquePointer
        private let event: OpaquePointer
        let descriptor: Int32

        /// - Returns: nil for a card that cannot be opened yet, or that has no events.
        init?(of card: Int32, library: any ALSALibrary) {
            guard let control = try? library.openControl(of: card, mode: Int(SND_CTL_READONLY | SND_CTL_NONBLOCK)) else {
                return nil
            }
            var (event, poll): (OpaquePointer?, pollfd) = (nil, pollfd(fd: -1, events: 0, revents: 0))
            guard snd_ctl_event_malloc(&event) >= 0, let event, snd_ctl_subscribe_events(control, 1) >= 0,
                snd_ctl_poll_descriptors(control, &poll, 1) == 1, poll.fd >= 0
            else {
                event.map { snd_ctl_event_free($0) }
                snd_ctl_close(control)
                return nil
            }
            (self.control, self.event, descriptor) = (control, event, poll.fd)
        }

        deinit {
            snd_ctl_event_free(event)
            snd_ctl_close(control)
        }

        /// Reads what has happened.
        ///
        /// - Returns: whether something was plugged in or pulled out; nil when the card is gone.
        func read() -> Bool? {
            var isPlug = false
            while true {
                let result = snd_ctl_read(control, event)
                if result == 0 || result == -EAGAIN { return isPlug }
                guard result > 0 else { return nil }
                guard snd_ctl_event_get_type(event) == SND_CTL_EVENT_ELEM else { continue }
                let name = String(cString: snd_ctl_event_elem_get_name(event))
                if name == "ELD" || name.hasSuffix(" Jack") { isPlug = true }
            }
        }
    }

    private let loop: MainLoop
    private let library: any ALSALibrary
    private let folder: String
    private let onChange: @MainActor () -> Void
    private let nodes: FileDescriptor
    private var watch: MainLoop.Watch?
    private var cards: [Int32: (controls: Controls, watch: MainLoop.Watch)] = [:]
    private var pending: ScheduledEvent?

    /// A card that comes has several nodes, whose permissions are set one after the other.
    private static let settles = Duration.milliseconds(500)

    /// - Parameters:
    ///   - folder: that of the nodes of the cards; it need not be there yet.
    ///   - onChange: called a moment after the last of several changes.
    /// - Throws: `SystemError` when the folder cannot be watched.
    init(
        folder: String = "/dev/snd", library: any ALSALibrary, loop: MainLoop, onChange: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.library = library
        self.folder = folder
        self.onChange = onChange
        nodes = FileDescriptor(
            adopting: try systemCall("inotify_init1", on: folder) { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
        watch = try loop.watch(nodes.number) { [weak self] in self?.nodesChanged() }
        follow()
    }

    /// Watches the cards that are there now. A folder that is made with the first card is seen by the one around it.
    private func follow() {
        let events = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB)
        if inotify_add_watch(nodes.number, folder, events) < 0 {
            let parent = folder.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            _ = inotify_add_watch(nodes.number, parent, UInt32(IN_CREATE))
        }
        let numbers = library.cards()
        for number in cards.keys where !numbers.contains(number) { leave(number) }
        for number in numbers where cards[number] == nil {
            guard let controls = Controls(of: number, library: library),
                let watch = try? loop.watch(controls.descriptor, { [weak self] in self?.happened(on: number) })
            else { continue }
            cards[number] = (controls, watch)
        }
    }

    private func leave(_ card: Int32) { cards.removeValue(forKey: card)?.watch.cancel() }

    private func nodesChanged() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(nodes.number, &buffer, buffer.count) > 0 {}
        tell()
    }

    private func happened(on card: Int32) {
        guard let isPlug = cards[card]?.controls.read() else {
            leave(card)
            return tell()
        }
        if isPlug { tell() }
    }

    private func tell() {
        pending?.cancel()
        pending = loop.clock.schedule(after: Self.settles, rank: .sound) { [weak self] in
            self?.follow()
            self?.onChange()
        }
    }
}
