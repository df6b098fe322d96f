import CCrash
import Glibc

/// What the program was doing, kept in memory that outlives it: the last 200 lines of the log, the last five seconds of the presentation
/// log, what was being played.
///
/// There is one for the process. Writing takes neither lock nor memory and is allowed on any thread. Where the recorder lies in a file of a
/// memory file system, the
/// next start can tell what a process was doing that was killed without a word.
package enum FlightRecorder {
    /// Begins to record. Called once, before the first thread.
    ///
    /// - Parameter path: of a file for it; nil: it does not outlive the process.
    package static func open(path: String?) { _ = marquee_flight_open(path) }

    /// Adds a line of the log; what is longer than 240 bytes is cut.
    package static func log(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { marquee_flight_log($0.baseAddress, $0.count) }
        }
    }

    /// Adds an entry of the presentation log; what is longer than 88 bytes is cut.
    package static func presented(_ entry: String) {
        var entry = entry
        entry.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { marquee_flight_flip($0.baseAddress, $0.count) }
        }
    }

    /// Says what is played from now on; nil: nothing. Main loop only.
    package static func playing(_ item: String?) {
        var item = item ?? ""
        item.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { marquee_flight_item($0.baseAddress, $0.count) }
        }
    }

    /// Says that the program ends in order.
    package static func close() { marquee_flight_close() }

    /// From now on a crash of any thread writes a record into a folder, and the process ends by the same signal.
    ///
    /// - Parameters:
    ///   - folder: exists and may be written.
    ///   - version: of the program.
    /// - Throws: `SupervisionError` when the folder's name is too long.
    package static func catchCrashes(into folder: String, version: String) throws(SupervisionError) {
        guard marquee_crash_catch(folder, version) == 0 else {
            throw SupervisionError(
                description: "Crashes cannot be recorded in \(folder): its name is too long; give the box a shorter state folder."
            )
        }
    }

    /// The build id of this program as the linker wrote it; nil where it wrote none.
    package static var buildID: String? {
        let text = String(cString: marquee_build_id())
        return text.isEmpty ? nil : text
    }
}
