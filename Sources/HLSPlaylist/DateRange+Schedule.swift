import MediaTime

extension DateRange {
    /// Makes a date range from an object of a schedule (class `com.apple.hls.daterange-schedule`).
    ///
    /// - Parameters:
    ///   - attributes: the object's attributes, with the names of EXT-X-DATERANGE.
    ///   - fallbackID: the ID to use if it has none.
    ///   - scheduleStart: the start of the schedule, to which X-SCHEDULE-OFFSET is relative.
    /// - Returns: nil when it has no CLASS, or no valid START-DATE or X-SCHEDULE-OFFSET.
    package init?(
        scheduled attributes: [(name: String, value: String)], fallbackID: String, scheduleStart: WallClockTime
    ) {
        var list = AttributeList()
        for (name, value) in attributes { list.append(.init(name: name, value: value, isQuoted: true)) }
        guard let classID = list["CLASS"], !classID.isEmpty else { return nil }
        let start: WallClockTime
        if let text = list["START-DATE"] {
            guard let date = WallClockTime(iso8601: text) else { return nil }
            start = date
        } else if let offset = list.time("X-SCHEDULE-OFFSET") {
            start = scheduleStart + offset
        } else {
            return nil
        }
        let words = list.words("CUE")
        var cue: Cue = []
        if words.contains("PRE") { cue.insert(.pre) }
        if words.contains("POST") { cue.insert(.post) }
        if words.contains("ONCE") { cue.insert(.once) }
        let end = list["END-DATE"].flatMap { WallClockTime(iso8601: $0) }
        let duration = list.time("DURATION")
        self.init(
            id: list["ID"] ?? fallbackID, classID: classID, startDate: start, cue: cue, endDate: end, duration: duration,
            plannedDuration: list.time("PLANNED-DURATION"), endsOnNext: list["END-ON-NEXT"] == "YES",
            resolvedEndDate: end ?? duration.map { start + $0 }, scte35Command: list["SCTE35-CMD"], scte35Out: list["SCTE35-OUT"],
            scte35In: list["SCTE35-IN"], attributes: list, line: 0)
    }
}
