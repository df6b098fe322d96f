import Glibc
import LinuxSupport

/// A crash record, as the signal handler writes it: lines of text that people can read too.
package struct CrashRecord: Sendable, Hashable {
    /// The program's version.
    package var version = ""
    /// The program's build id; nil if it has none.
    package var build: String?
    /// The kernel's id of the boot (`/proc/sys/kernel/random/boot_id`).
    package var boot = ""
    /// The process id.
    package var pid = 0
    /// The time since the machine started, including suspend.
    package var uptime = Duration.zero
    /// The system clock in seconds since 1970. It is wrong on a box whose clock was.
    package var wall: Int64 = 0
    /// The signal's name, e.g. `SIGSEGV`. `SIGKILL` for a process that was killed without a record, for example for lack of memory.
    package var signal = ""
    /// The thread, if known.
    package var thread: String?
    /// Whether another process sent the signal: the service manager's watchdog.
    package var wasSent = false
    /// The item that was played; nil if none.
    package var item: String?
    /// Return addresses from the innermost call outwards, each with its module and the offset in it.
    package var frames: [String] = []
    /// The last lines of the log, oldest first.
    package var log: [String] = []
    /// The last entries of the presentation log, oldest first.
    package var presentation: [String] = []
    /// Whether the record is complete.
    package var isWhole = false

    /// Parses a record. A truncated one gives its complete parts; nil for any other text.
    package init?(_ text: String) {
        var section = ""
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if number == 0 {
                guard line == "marquee crash 1" else { return nil }
                continue
            }
            switch line {
            case "frames", "log", "presentation": section = String(line)
            case "end": isWhole = true
            case _ where isWhole: break
            default: take(line, section)
            }
        }
    }

    private mutating func take(_ line: Substring, _ section: String) {
        switch section {
        case "frames": if !line.isEmpty { frames.append(String(line)) }
        case "log": if !line.isEmpty { log.append(String(line)) }
        case "presentation": if !line.isEmpty { presentation.append(String(line)) }
        default:
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2 else { return }
            let value = String(words[1])
            switch words[0] {
            case "version": version = value
            case "build": build = value.isEmpty ? nil : value
            case "boot": boot = value
            case "pid": pid = Int(value) ?? 0
            case "uptime": uptime = .nanoseconds(Int64(value) ?? 0)
            case "wall": wall = Int64(value) ?? 0
            case "signal": signal = value.split(separator: " ").last.map(String.init) ?? ""
            case "sender": wasSent = !value.hasPrefix("self")
            case "thread": thread = value.isEmpty ? nil : value
            case "item": item = value.isEmpty ? nil : value
            default: break
            }
        }
    }

    /// One sentence for the log.
    package var summary: String {
        let what =
            signal == "RESTART"
            ? "restarted itself" : wasSent && signal == "SIGABRT" ? "was stopped by its watchdog" : "ended by \(signal)"
        return "the player \(what)\(item.map { " while \($0) was played" } ?? "")\(thread.map { ", thread \($0)" } ?? "")"
    }
}

/// A time by which the age of records is computed.
package struct MachineInstant: Sendable, Hashable {
    /// See `CrashRecord.boot`.
    package var boot: String
    /// See `CrashRecord.uptime`.
    package var uptime: Duration
    /// See `CrashRecord.wall`.
    package var wall: Int64

    package init(boot: String, uptime: Duration, wall: Int64) {
        self.boot = boot
        self.uptime = uptime
        self.wall = wall
    }

    /// How long ago a crash was: exact within one boot, otherwise by date. If the date is earlier than the record's, the age is zero.
    package func age(of record: CrashRecord) -> Duration {
        record.boot == boot && !boot.isEmpty ? max(uptime - record.uptime, .zero) : .seconds(max(wall - record.wall, 0))
    }

    package static func now() -> MachineInstant {
        func clock(_ id: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(id, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        var boot = ""
        if let file = fopen("/proc/sys/kernel/random/boot_id", "rb") {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = fread(&bytes, 1, bytes.count, file)
            boot = String(decoding: bytes.prefix(count), as: UTF8.self).filter { $0 != "\n" }
            fclose(file)
        }
        return MachineInstant(
            boot: boot, uptime: .nanoseconds(clock(CLOCK_BOOTTIME)), wall: clock(CLOCK_REALTIME) / 1_000_000_000)
    }
}
