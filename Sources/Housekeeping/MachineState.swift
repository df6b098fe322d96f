import Glibc
import LinuxSupport
import Supervision

/// The state of the machine: memory and storage in bytes, the temperature in thousandths of a degree Celsius. Nil for values that cannot be read.
struct MachineState: Sendable {
    var uptime: Int?
    var memory: Int?
    var availableMemory: Int?
    var playerMemory: Int?
    var storage: Int?
    var freeStorage: Int?
    var temperature: Int?
    /// The number of stored crash records.
    var crashes = 0

    /// Reads the state. Some sensors respond slowly, so this must not run on the main loop.
    ///
    /// - Parameters:
    ///   - stateFolder: a folder on the file system to report.
    ///   - root: replaces `/`.
    static func read(stateFolder: String?, root: String = "") -> MachineState {
        var state = MachineState()
        var uptime = timespec()
        if clock_gettime(CLOCK_BOOTTIME, &uptime) == 0 { state.uptime = uptime.tv_sec }
        // A service with a restricted /proc gets the same values from the first node, which is the only one.
        for (file, word) in [("/proc/meminfo", ""), ("/sys/devices/system/node/node0/meminfo", "Node 0 ")] {
            guard let text = lines(of: root + file) else { continue }
            func kibibytes(_ name: String) -> Int? { number(in: text, behind: "\(word)\(name):") }
            guard let total = kibibytes("MemTotal"), let free = kibibytes("MemFree") else { continue }
            state.memory = total * 1024
            // The kernel frees the page cache when memory is needed.
            let caches = ["Active(file)", "Inactive(file)", "SReclaimable"].reduce(0) { $0 + (kibibytes($1) ?? 0) }
            state.availableMemory = (free + caches) * 1024
            break
        }
        state.playerMemory = lines(of: root + "/proc/self/status").flatMap { number(in: $0, behind: "VmRSS:") }.map { $0 * 1024 }
        state.temperature = (0..<16).compactMap {
            lines(of: root + "/sys/class/thermal/thermal_zone\($0)/temp").flatMap { number(in: $0, behind: "") }
        }.max()
        guard let stateFolder else { return state }
        let room = FileSystemRoom(at: stateFolder)
        state.storage = room.map { Int($0.total) }
        state.freeStorage = room.map { Int($0.free) }
        state.crashes = CrashFolder(stateFolder + "/crash").records.count
        return state
    }

    private static func lines(of path: String) -> [Substring]? {
        WholeFile.read(path).map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
    }

    /// The whole number after a word at the start of a line.
    private static func number(in lines: [Substring], behind word: String) -> Int? {
        lines.first { $0.hasPrefix(word) }.flatMap {
            Int($0.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }.prefix { $0.isASCII && $0.isNumber })
        }
    }
}
