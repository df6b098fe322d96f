import CCrash
import Glibc

/// Ends the process so that the service manager starts a new one, because threads hang in calls that do not return.
package enum SelfRestart {
    /// The exit code for this: `EX_TEMPFAIL` of sysexits.h.
    package static let exitCode: Int32 = 75

    /// Writes a record, which counts as a crash of the current item, and ends the process at once. It does not wait for threads, because hanging ones
    /// would never end.
    ///
    /// - Parameter sentence: the reason, for the last line of the log.
    package static func now(because sentence: String) -> Never {
        FlightRecorder.log(sentence)
        // If there is no record, the next process reports this one from its recorder, as if it had been killed.
        _ = marquee_crash_give_up()
        _exit(exitCode)
    }
}
