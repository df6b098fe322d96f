/// What a box does about its crashes. A value: crashes go in, a decision comes out.
///
/// Three crashes on one item within ten minutes exclude the item. Five crashes in all within ten minutes put the box in safe mode. A new build of the
/// program may have fixed the cause, so crashes of other builds do not count.
package struct CrashPolicy: Sendable, Hashable {
    /// The facts about a crash that the policy uses.
    package struct Crash: Sendable, Hashable {
        /// The item that was played; nil if none.
        package var item: String?
        /// How long ago.
        package var age: Duration
        /// The program's build.
        package var build: String?

        package init(item: String?, age: Duration, build: String? = nil) {
            self.item = item
            self.age = age
            self.build = build
        }
    }

    /// The decision at a start.
    package struct Decision: Sendable, Hashable {
        /// Whether to start in safe mode: nothing is opened automatically, and the safe screen is shown.
        package var staysSafe: Bool
        /// The time after which the box leaves safe mode by itself.
        package var triesAgainAfter: Duration?
        /// The ids of excluded items, sorted.
        package var skipped: [String]

        package init(staysSafe: Bool = false, triesAgainAfter: Duration? = nil, skipped: [String] = []) {
            self.staysSafe = staysSafe
            self.triesAgainAfter = triesAgainAfter
            self.skipped = skipped
        }
    }

    /// The period within which crashes are counted.
    package var window = Duration.seconds(600)
    /// The number of crashes on one item that exclude it.
    package var mostOnOneItem = 3
    /// The number of crashes that put the box in safe mode.
    package var mostInAll = 5
    /// How long an item is excluded after its last crash.
    package var skipsFor = Duration.seconds(86_400)

    /// The values that the box uses.
    package init() {}

    /// Decides at a start.
    ///
    /// - Parameters:
    ///   - crashes: all recorded ones, in any order.
    ///   - build: of the program that starts.
    package func decide(_ crashes: [Crash], build: String?) -> Decision {
        let own = crashes.filter { $0.build == build }.sorted { $0.age < $1.age }
        var decision = Decision()
        // The newest crash that must leave the period before fewer than `mostInAll` remain in it.
        let recent = own.filter { $0.age < window }
        if recent.count >= mostInAll {
            decision.staysSafe = true
            decision.triesAgainAfter = window - recent[mostInAll - 1].age
        }
        let items = Set(own.compactMap(\.item)).sorted()
        decision.skipped = items.filter { item in
            let ages = own.filter { $0.item == item }.map(\.age)
            guard let last = ages.first, last < skipsFor, ages.count >= mostOnOneItem else { return false }
            return (0...(ages.count - mostOnOneItem)).contains { ages[$0 + mostOnOneItem - 1] - ages[$0] <= window }
        }
        return decision
    }
}
