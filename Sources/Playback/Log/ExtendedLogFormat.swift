import MediaTime
import WireFormats

/// Writes both logs in the W3C Extended Log File Format (WD-logfile-960323): directives, then one line of fields separated by spaces for each event.
/// An unknown value is `-`; texts are in quotation marks, with inner ones doubled.
package enum ExtendedLogFormat {
    /// The access log as text.
    ///
    /// - Parameter date: the time of writing, in nanoseconds since the start of 1970, UTC.
    package static func text(access events: [AccessLogEvent], date: Int64?) -> String {
        write(fields: accessFields.map(\.0), rows: events.map { event in accessFields.map { $0.1(event) } }, date: date)
    }

    /// The error log as text.
    package static func text(errors events: [ErrorLogEvent], date: Int64?) -> String {
        write(fields: errorFields.map(\.0), rows: events.map { event in errorFields.map { $0.1(event) } }, date: date)
    }

    private static func write(fields: [String], rows: [[String]], date: Int64?) -> String {
        var lines = ["#Version: 1.0", "#Software: Marquee"]
        if let date { lines.append("#Date: \(day(date)) \(time(date))") }
        lines.append("#Fields: " + fields.joined(separator: " "))
        lines += rows.map { $0.joined(separator: " ") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The names follow the format: `c-` and `s-` for client and server, `cs-` and `sc-` for what one sends to the other, `x-` for custom fields.
    private static let accessFields: [(String, @Sendable (AccessLogEvent) -> String)] = [
        ("date", { $0.playbackStartDate.map(day) ?? "-" }), ("time", { $0.playbackStartDate.map(time) ?? "-" }),
        ("x-playback-session-id", { quoted($0.playbackSessionID) }), ("cs-uri", { $0.uri.map(bare) ?? "-" }),
        ("s-ip", { $0.serverAddress.map(bare) ?? "-" }), ("x-server-address-changes", { plain($0.numberOfServerAddressChanges) }),
        ("x-playback-type", { $0.playbackType.map(bare) ?? "-" }),
        ("x-playback-start-offset", { $0.playbackStartOffset.map { fixed(Double($0.nanoseconds) / 1e9) } ?? "-" }),
        ("x-startup-time", { seconds($0.startupTime) }), ("x-duration-watched", { seconds($0.durationWatched) }),
        ("x-stalls", { plain($0.numberOfStalls) }), ("x-dropped-video-frames", { plain($0.numberOfDroppedVideoFrames) }),
        ("x-media-requests", { plain($0.numberOfMediaRequests) }), ("x-media-requests-wwan", { plain($0.mediaRequestsWWAN) }),
        ("bytes", { plain($0.numberOfBytesTransferred) }), ("time-taken", { seconds($0.transferDuration) }),
        ("x-segments-downloaded-duration", { $0.segmentsDownloadedDuration.map { fixed(Double($0.nanoseconds) / 1e9) } ?? "-" }),
        ("x-download-overdue", { plain($0.downloadOverdue) }), ("x-observed-bitrate", { rate($0.observedBitrate) }),
        ("x-observed-min-bitrate", { rate($0.observedMinBitrate) }), ("x-observed-max-bitrate", { rate($0.observedMaxBitrate) }),
        ("x-observed-bitrate-deviation", { rate($0.observedBitrateStandardDeviation) }),
        ("x-indicated-bitrate", { rate($0.indicatedBitrate) }),
        ("x-indicated-average-bitrate", { rate($0.indicatedAverageBitrate) }),
        ("x-switch-bitrate", { rate($0.switchBitrate) }), ("x-average-video-bitrate", { rate($0.averageVideoBitrate) }),
        ("x-average-audio-bitrate", { rate($0.averageAudioBitrate) }),
    ]

    private static let errorFields: [(String, @Sendable (ErrorLogEvent) -> String)] = [
        ("date", { $0.date.map(day) ?? "-" }), ("time", { $0.date.map(time) ?? "-" }),
        ("x-playback-session-id", { quoted($0.playbackSessionID) }), ("cs-uri", { $0.uri.map(bare) ?? "-" }),
        ("s-ip", { $0.serverAddress.map(bare) ?? "-" }), ("sc-status", { plain($0.errorStatusCode) }),
        ("x-error-domain", { bare($0.errorDomain) }), ("x-fatal", { $0.isFatal ? "1" : "0" }),
        ("x-error-comment", { quoted($0.errorComment) }),
    ]

    private static func plain(_ number: (some BinaryInteger)?) -> String { number.map { "\($0)" } ?? "-" }

    private static func rate(_ value: Double?) -> String { value.map { String(Int64($0.rounded())) } ?? "-" }

    private static func seconds(_ length: Duration?) -> String { length.map { fixed($0.inSeconds) } ?? "-" }

    /// Three decimal places.
    private static func fixed(_ value: Double) -> String {
        let thousandths = Int64((value * 1000).rounded())
        let (whole, rest) = (thousandths.magnitude / 1000, thousandths.magnitude % 1000)
        let digits = String(rest)
        return "\(thousandths < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }

    /// Any text, in quotation marks.
    private static func quoted(_ text: String?) -> String {
        guard let text else { return "-" }
        let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return "\"" + line.replacing("\"", with: "\"\"") + "\""
    }

    /// A text that normally contains no spaces; any space is percent-encoded.
    private static func bare(_ text: String) -> String {
        text.isEmpty
            ? "-"
            : text.utf8.map {
                $0 <= 0x20 || $0 >= 0x7F || $0 == 0x22 ? "%" + $0.hexadecimal(uppercase: true) : String(UnicodeScalar($0))
            }.joined()
    }

    private static func day(_ date: Int64) -> String { CalendarDate(daysSince1970: divided(date).days).description }

    private static func time(_ date: Int64) -> String { ISO8601.timeOfDay(divided(date).seconds) }

    /// A date in nanoseconds as days since the start of 1970 and seconds since midnight.
    private static func divided(_ date: Int64) -> (days: Int64, seconds: Int64) {
        let day: Int64 = 86_400_000_000_000
        let days = (date >= 0 ? date : date - day + 1) / day
        return (days, (date - days * day) / 1_000_000_000)
    }
}
