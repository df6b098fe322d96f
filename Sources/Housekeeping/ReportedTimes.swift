import LinuxSupport
import MediaTime
import WireFormats

/// Dates and lengths of time as operators are told of them.
enum ReportedTimes {
    /// Finds the dates of what was recorded before the date was known, from what the same run of the player has recorded after it.
    ///
    /// - Parameters:
    ///   - records: in the order in which they were made.
    ///   - date: nanoseconds since the start of 1970, UTC.
    ///   - uptime: since the start of the player.
    ///   - isOfRun: whether a record was made in the same run of the player as the one behind it.
    static func complete<Record>(
        _ records: inout [Record], date: WritableKeyPath<Record, Int64?>, uptime: KeyPath<Record, Duration>,
        isOfRun: (_ earlier: Record, _ later: Record) -> Bool
    ) {
        var offset: Int64?
        for index in records.indices.reversed() {
            let time = records[index][keyPath: uptime]
            if index + 1 < records.count, !isOfRun(records[index], records[index + 1]) { offset = nil }
            if let known = records[index][keyPath: date] {
                offset = known.subtractingReportingOverflow(time.wholeNanoseconds).partialValue
            } else if let offset {
                records[index][keyPath: date] = offset.addingReportingOverflow(time.wholeNanoseconds).partialValue
            }
        }
    }

    /// A date in the form of RFC 3339, with milliseconds.
    ///
    /// - Parameter nanoseconds: since the start of 1970, UTC.
    static func text(_ nanoseconds: Int64) -> String {
        let milliseconds = max(0, nanoseconds) / 1_000_000
        return ISO8601.text(
            secondsSince1970: milliseconds / 1000, nanoseconds: milliseconds % 1000 * 1_000_000, minimumDigits: 3)
    }

    /// Seconds with three decimal places; none below zero.
    static func seconds(_ length: Duration) -> JSONText {
        let thousandths = max(0, length.wholeNanoseconds / 1_000_000)
        let rest = String(thousandths % 1000)
        return .number("\(thousandths / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)")
    }
}
