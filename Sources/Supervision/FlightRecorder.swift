import CCrash
import Glibc

/// Records what the program is doing in memory that outlives it: the last 200 lines of the log, the last five seconds of the presentation log, and
/// the current item.
///
/// There is one per process. Writing takes no lock, allocates nothing, and is allowed on any thread. If the recorder is in a file of a memory file
/// system, the next process can report what a killed process was doing.
package enum FlightRecorder {
    /// Starts to record. Called once, before the first thread.
    ///
    /// - Parameter path: the recorder file; nil if the records need not outlive the process.
    package static func open(path: String?) { _ = marquee_flight_open(path) }

    /// Adds a line of the log; it is cut to 240 bytes.
    package static func log(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { marquee_flight_log($0.baseAddress, $0.count) }
        }
    }

    /// Adds an entry of the presentation log; it is cut to 88 bytes.
    package static func presented(_ entry: String) {
        var entry = entry
        entry.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { marquee_flight_flip($0.baseAddress, $0.count) }
        }
    }

    /// Sets the current item; nil for none. Main loop only.
    package static func playing(_ item: String?) {
        var item = item ?? ""
        item.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { marquee_flight_item($0.baseAddress, $0.count) }
        }
    }

    /// Marks that the program ends in order.
    package static func close() { marquee_flight_close() }

    /// From now on a crash on any thread writes a record into a folder, and the process ends with the same signal.
    ///
    /// - Parameters:
    ///   - folder: an existing, writable folder.
    ///   - version: the program's version.
    /// - Throws: `SupervisionError` if the folder's path is too long.
    package static func catchCrashes(into folder: String, version: String) throws(SupervisionError) {
        guard marquee_crash_catch(folder, version) == 0 else {
            throw SupervisionError(
                description: "Crashes cannot be recorded in \(folder): its name is too long; give the box a shorter state folder."
            )
        }
    }

    /// The build id that the linker wrote into this program; nil if there is none.
    package static var buildID: String? {
        let text = String(cString: marquee_build_id())
        return text.isEmpty ? nil : text
    }
}
