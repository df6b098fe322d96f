import CLinux
import Glibc
import Synchronization

/// When the threads of this process work and when they wait, while someone records it (`marquee play --trace`).
///
/// There is one, and everything that waits calls it: it must see threads that know nothing of each other. Otherwise it costs a load of one byte for each wait.
/// It does not see the threads of libraries, and the loads of the disk and of libcurl count as work. Any thread.
@usableFromInline
package enum ThreadTrace {
    /// A thread begins to work, or to wait.
    package struct Change: Sendable, Equatable {
        /// In `CLOCK_MONOTONIC`.
        package var time: HostTime
        package var thread: pid_t
        package var isWork: Bool
    }

    /// What was recorded.
    package struct Recording: Sendable {
        /// In the order in which they happened on each thread.
        package fileprivate(set) var changes: [Change] = []
        /// By the number of the thread.
        package fileprivate(set) var names: [pid_t: String] = [:]
        /// How many changes came after the last that was recorded.
        package fileprivate(set) var missed = 0

        package init() {}
    }

    private static let isRecording = Atomic(false)
    private static let recording = Mutex(Recording())

    /// A recording keeps so many changes, of 16 bytes each: about half an hour of a film.
    package static let mostChanges = 1_000_000

    /// Begins a recording. The thread that calls this works.
    package static func start() {
        recording.withLock { $0 = Recording() }
        isRecording.store(true, ordering: .relaxed)
        note(isWork: true)
    }

    /// Ends the recording.
    package static func finish() -> Recording {
        isRecording.store(false, ordering: .relaxed)
        return recording.withLock { recording in
            defer { recording = Recording() }
            return recording
        }
    }

    /// The calling thread is about to sleep.
    @usableFromInline static func willWait() { if isRecording.load(ordering: .relaxed) { note(isWork: false) } }

    /// The calling thread has woken.
    @usableFromInline static func didWait() { if isRecording.load(ordering: .relaxed) { note(isWork: true) } }

    private static func note(isWork: Bool) {
        let change = Change(time: .monotonic(), thread: marquee_thread_number(), isWork: isWork)
        recording.withLock { recording in
            guard recording.changes.count < mostChanges else { return recording.missed += 1 }
            recording.changes.append(change)
            if recording.names[change.thread] == nil {
                let name = WholeFile.read("/proc/self/task/\(change.thread)/comm", most: 64) ?? []
                recording.names[change.thread] = String(decoding: name.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            }
        }
    }
}
