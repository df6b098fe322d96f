/// What a box does about its crashes. A value: what happened goes in, what is to be done comes out.
///
/// Three crashes on one item within ten minutes: the item is left out from then on. Five crashes in all within ten minutes: the box does
/// not go on by itself but shows a safe
/// screen. Another build of the program may have mended it and begins with a clean sheet.
package struct CrashPolicy: Sendable, Hashable {
    /// A crash, as far as it matters here.
    package struct Crash: Sendable, Hashable {
        /// What was being played; nil: nothing.
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

    /// What is to be done at a start.
    package struct Decision: Sendable, Hashable {
        /// Whether nothing is opened by itself, and the safe screen is shown.
        package var staysSafe: Bool
        /// When the box tries again by itself where it stays safe.
        package var triesAgainAfter: Duration?
        /// Items that are not opened, in the order of their ids.
        package var skipped: [String]

        package init(staysSafe: Bool = false, triesAgainAfter: Duration? = nil, skipped: [String] = []) {
            self.staysSafe = staysSafe
            self.triesAgainAfter = triesAgainAfter
            self.skipped = skipped
        }
    }

    /// Within what time crashes belong together.
    package var window = Duration.seconds(600)
    /// How many on one item make it be left out.
    package var mostOnOneItem = 3
    /// How many make the box stay safe.
    package var mostInAll = 5
    /// How long an item is left out after its last crash.
    package var skipsFor = Duration.seconds(86_400)

    /// The box's own numbers.
    package init() {}

    /// Decides at a start.
    ///
    /// - Parameters:
    ///   - crashes: those that are remembered, in any order.
    ///   - build: of the program that starts.
    package func decide(_ crashes: [Crash], build: String?) -> Decision {
        let own = crashes.filter { $0.build == build }.sorted { $0.age < $1.age }
        var decision = Decision()
        // The newest that must leave the window before fewer than `mostInAll` are in it.
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
