import CCrash
import Glibc

/// The end of a process that asks for another one in its place: threads hang in it that nothing ends but its own end.
package enum SelfRestart {
    /// The exit code by which the service manager and people know it: `EX_TEMPFAIL` of sysexits.h.
    package static let exitCode: Int32 = 75

    /// Leaves a record, which counts as a crash of what was played, and ends the process at once. Nothing is waited for: what hangs would be waited for too.
    ///
    /// - Parameter sentence: why, for the last line of the log.
    package static func now(because sentence: String) -> Never {
        FlightRecorder.log(sentence)
        // Without a record the next process tells of this one by its recorder, as of one that was killed.
        _ = marquee_crash_give_up()
        _exit(exitCode)
    }
}
