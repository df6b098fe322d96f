import Glibc

/// Whether the machine's date can be believed. Any thread.
///
/// A board without a clock of its own starts at the date that it stored last, hours or months before. Until a time server has set it, certificates seem
/// to be not yet valid, and windows of availability would open and close at wrong times.
package enum MachineDate {
    /// The hardware clock may differ by this from a date that is believed, in seconds.
    private static let tolerance = 3600

    /// - Parameters:
    ///   - now: the machine's date, in seconds since 1970.
    ///   - built: the earliest possible date: that of the program's file.
    ///   - root: replaces `/`.
    package static func isTrusted(now: Int = time(nil), built: Int = programDate, root: String = "") -> Bool {
        // Made by the time service when it has set the clock (systemd-timesyncd.service(8)).
        if exists(root + "/run/systemd/timesync/synchronized") { return true }
        guard now >= built else { return false }
        // Without that service the machine's owner sets the clock.
        guard exists(root + "/run/systemd/system"), exists(root + "/usr/lib/systemd/systemd-timesyncd") else { return true }
        // A hardware clock ran on while the machine was off. One that lost its battery, or that is missing, does not agree with the stored date.
        return hardwareClock(root).map { (now - tolerance...now + tolerance).contains($0) } ?? false
    }

    /// The modification time of the program's file.
    package static var programDate: Int {
        var status = stat()
        return stat("/proc/self/exe", &status) == 0 ? status.st_mtim.tv_sec : 0
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The first hardware clock, in seconds since 1970 (the kernel's Documentation/admin-guide/rtc.rst); nil if there is none.
    private static func hardwareClock(_ root: String) -> Int? {
        WholeFile.read(root + "/sys/class/rtc/rtc0/since_epoch").flatMap {
            Int(String(decoding: $0, as: UTF8.self).prefix { $0.isASCII && $0.isNumber })
        }
    }
}
