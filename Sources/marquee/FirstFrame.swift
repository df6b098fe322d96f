import Appliance
import CommandSupport
import LinuxSupport

/// Reports the first frame to the parent process, for `scripts/bench channel-start`.
@MainActor
enum FirstFrame {
    /// Prints `first-frame SECONDS` once on standard output: the instant at which the flip was reported, which is never before the flip. In real time
    /// it is one of `CLOCK_MONOTONIC`, which other processes can read too; in simulated time it counts from the program's start.
    static func announce(of appliance: Appliance, clock: any HostClock, then: @escaping @MainActor () -> Void) -> Subscription {
        let origin = (clock as? RealClock)?.origin.nanoseconds ?? 0
        var isTold = false
        return appliance.events.listen { event in
            guard !isTold, case .player(.frame) = event else { return }
            isTold = true
            Console.print("first-frame \(HostTime(nanoseconds: origin + clock.now.nanoseconds))")
            then()
        }
    }
}
