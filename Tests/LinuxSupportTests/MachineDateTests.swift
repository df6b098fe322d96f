import Glibc
import LinuxSupport
import Testing

@Suite("Whether the machine's date is trusted")
struct MachineDateTests {
    private static let built = 1_790_000_000
    private static let now = built + 40 * 86_400

    /// A machine's files, for the duration of a test.
    private final class Machine {
        let root: String

        /// - Parameters:
        ///   - isManaged: whether a time service sets the clock.
        ///   - hardware: the hardware clock; nil if there is none.
        init(isManaged: Bool = true, isSet: Bool = false, hardware: Int? = nil) {
            var template = Array("/tmp/marquee-date-XXXXXX".utf8CString)
            root = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
            if isManaged {
                write("", to: "/run/systemd/system/x")
                write("", to: "/usr/lib/systemd/systemd-timesyncd")
            }
            if isSet { write("", to: "/run/systemd/timesync/synchronized") }
            if let hardware { write("\(hardware)\n", to: "/sys/class/rtc/rtc0/since_epoch") }
        }

        private func write(_ text: String, to path: String) {
            var folder = root
            for part in path.split(separator: "/").dropLast() {
                folder += "/" + part
                mkdir(folder, 0o755)
            }
            #expect(WholeFile.write(Array(text.utf8), to: root + path, isSynced: false))
        }

        func trusts(_ now: Int) -> Bool { MachineDate.isTrusted(now: now, built: MachineDateTests.built, root: root) }

        deinit { Folder.remove(root) }
    }

    @Test("a date that a time server has set is trusted, whatever it is")
    func set() {
        let machine = Machine(isSet: true)
        #expect(machine.trusts(Self.now) && machine.trusts(0))
    }

    @Test("a board without a hardware clock waits for a time server")
    func board() { #expect(!Machine().trusts(Self.now)) }

    @Test("a hardware clock is trusted if the date is its own and not before the program was built")
    func hardware() {
        let machine = Machine(hardware: Self.now)
        #expect(machine.trusts(Self.now) && machine.trusts(Self.now + 3600) && !machine.trusts(Self.now + 3601))
        #expect(!Machine(hardware: 86_400).trusts(Self.now), "its battery is empty: the date was stored on the disk")
        #expect(!Machine(hardware: Self.built - 1).trusts(Self.built - 1))
    }

    @Test("without a time service the date is trusted from the day on which the program was built")
    func elsewhere() {
        let machine = Machine(isManaged: false)
        #expect(machine.trusts(Self.built) && !machine.trusts(Self.built - 1))
    }
}
