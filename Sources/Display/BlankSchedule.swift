import LinuxSupport
import MediaModel
import MediaTime

/// At which blanks a display without hardware has something to do, by what its source wants.
struct BlankSchedule {
    private(set) var grid: RefreshGrid
    /// Whether the source is to be asked.
    private(set) var wantsOpportunity = false
    /// How many blanks before its named blank the source is asked.
    private let lead: UInt64
    /// The source has nothing new for blanks before this time.
    private var notBefore: HostTime?
    /// The source has been changed since it was asked. What it has for the blank that it named stays due at that blank.
    private var isWoken = false
    private var last: UInt64?

    /// - Parameter asksAhead: whether the source is asked for the scene of a named blank one blank earlier.
    init(_ refresh: Ratio, asksAhead: Bool) {
        grid = RefreshGrid(refresh)
        lead = asksAhead ? 1 : 0
    }

    mutating func setRefresh(_ rate: Ratio) { grid = RefreshGrid(rate) }

    /// Another screen begins: its blanks are counted anew.
    mutating func restart(_ refresh: Ratio) {
        grid = RefreshGrid(refresh)
        last = nil
    }

    /// The source has something new.
    mutating func wake() {
        wantsOpportunity = true
        isWoken = true
    }

    /// The next blank at which there is something to do.
    ///
    /// - Parameter hasScene: whether a scene waits to be shown.
    func next(at now: HostTime, hasScene: Bool) -> UInt64 {
        let index = max(grid.first(atOrAfter: now), last.map { $0 + 1 } ?? 0)
        guard !hasScene, !isWoken, let notBefore else { return index }
        return max(index, max(grid.first(atOrAfter: notBefore), lead) - lead)
    }

    /// A planned blank has come.
    ///
    /// - Returns: the blank that it is: a later one when the loop is late.
    mutating func begin(_ planned: UInt64, at now: HostTime) -> UInt64 {
        let index = max(planned, grid.last(atOrBefore: now))
        last = index
        return index
    }

    /// Whether the source has something for this very blank and is asked at it.
    func isNamed(_ index: UInt64) -> Bool {
        guard lead == 0, wantsOpportunity, let notBefore else { return false }
        return grid.instant(index) >= notBefore
    }

    /// Whether the source is asked at this blank for the next one. Without lead time, the answer for a named blank waits for that blank, even when
    /// a late loop has reached the one before it.
    func asksForNext(after index: UInt64) -> Bool {
        wantsOpportunity && (isWoken || notBefore.map { lead > 0 && grid.instant(index + 1) >= $0 } ?? true)
    }

    /// The source is being asked; waking it meanwhile counts for the next time.
    mutating func beginAsking() {
        wantsOpportunity = false
        isWoken = false
    }

    mutating func take(_ answer: PresentationAnswer) {
        wantsOpportunity = answer.wantsNext
        notBefore = answer.notBefore
    }
}
