/// The changes of local clocks around a day, such as the beginning and the end of summer time.
///
/// Programmes are placed in seconds since the start of a day by the clocks of now, so that two hours are always 7,200 seconds. What a clock on the wall
/// shows at such a time is told here: it differs behind a change. A value.
package struct ClockChanges: Sendable, Hashable {
    /// The clocks are set forward (or back, negative) from a time on.
    package struct Change: Sendable, Hashable {
        /// In seconds since the start of the day, by the clocks of now.
        package var time: Int
        /// How much later clocks are from then on than those of now, in seconds.
        package var shift: Int

        package init(time: Int, shift: Int) {
            self.time = time
            self.shift = shift
        }
    }
    /// In the order of their times.
    private let changes: [Change]
    /// How much later clocks were before the first change than those of now.
    private let before: Int

    /// No change.
    package init() {
        changes = []
        before = 0
    }

    /// Looks for changes between two times.
    ///
    /// - Parameters:
    ///   - times: in seconds since the start of the day.
    ///   - offset: how much later clocks are at a time than those of now.
    package init(in times: ClosedRange<Int>, offset: (Int) -> Int) {
        var found: [Change] = []
        before = offset(times.lowerBound)
        var (time, last) = (times.lowerBound, before)
        while time < times.upperBound {
            let next = min(time + 3600, times.upperBound)
            let shift = offset(next)
            if shift != last {
                // Clocks change at a whole minute: the first one that has the new offset.
                var (early, late) = (time, next)
                while late - early > 1 {
                    let middle = (early + late) / 2
                    if offset(middle) == last { early = middle } else { late = middle }
                }
                found.append(Change(time: late, shift: shift))
                last = shift
            }
            time = next
        }
        changes = found
    }

    /// What clocks show at a time, as seconds since the midnight of the day, past 86,400 on later days.
    package func clock(at time: Int) -> Int { time + (changes.last { $0.time <= time }?.shift ?? before) }

    /// The time at which clocks show the same on a later day, or an earlier one.
    package func time(_ days: Int, after time: Int) -> Int {
        let wanted = clock(at: time) + days * 86_400
        let near = time + days * 86_400
        return near + (wanted - clock(at: near))
    }
}
