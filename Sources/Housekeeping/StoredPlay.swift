import LinuxSupport
import MediaTime
import Playback
import WireFormats

/// A play as it is on the disk and as operators get it (`docs/plays.md`). A value.
package struct StoredPlay: Sendable, Equatable {
    /// Of the play among all that the box has kept; nil while it plays.
    package var number: UInt64?
    var item: String
    var channel: String?
    var advertisement: String?
    var starter: Play.Starter
    /// How far it is known: since the start of the player, and as a date in nanoseconds since the start of 1970, UTC.
    var updated: Duration
    var updatedDate: Int64?
    /// From its first picture until then.
    var span: Duration
    /// The asset time of its first picture, in milliseconds.
    var from: Int64?
    var picturesShown: Int
    var picturesDue: Int
    var length: Duration
    var screenOffLength: Duration
    var end: Play.End?
    var errorCode: String?
    /// What it is called while it plays: the run of the player, and the play in it.
    var key: String

    init(_ play: Play, run: UInt64) {
        item = play.item
        channel = play.channel
        advertisement = play.advertisement
        starter = play.starter
        updated = play.updated - HostTime.zero
        updatedDate = play.updatedDate
        span = play.updated - play.started
        from = play.from?.milliseconds
        (picturesShown, picturesDue) = (play.picturesShown, play.picturesDue)
        (length, screenOffLength) = (play.length, play.screenOffLength)
        end = play.end
        errorCode = play.errorCode
        key = "\(run)-\(play.id)"
    }

    /// The run of the player, in `key`.
    var run: Substring { key.prefix { $0 != "-" } }

    /// When its first picture was shown, in nanoseconds since the start of 1970, UTC; nil while that is not known.
    package var start: Int64? { updatedDate?.subtractingReportingOverflow(span.wholeNanoseconds).partialValue }

    // MARK: On the disk

    /// Nil for any other text.
    init?(json: String, number: UInt64?) {
        guard let play = JSONMembers(json), let item = play.text("item"), let key = play.text("key"),
            let starter = play.text("starter").flatMap({ Play.Starter(rawValue: $0) }),
            let updated = play.whole("updated"), let span = play.whole("span"), let shown = play.whole("shown"),
            let due = play.whole("due"), let length = play.whole("length"), let off = play.whole("off")
        else { return nil }
        self.number = number
        self.item = item
        self.key = key
        self.starter = starter
        channel = play.text("channel")
        advertisement = play.text("advertisement")
        self.updated = .milliseconds(updated)
        updatedDate = play.whole("date").flatMap { $0.multipliedReportingOverflow(by: 1_000_000).overflow ? nil : $0 * 1_000_000 }
        self.span = .milliseconds(span)
        from = play.whole("from")
        (picturesShown, picturesDue) = (Int(shown), Int(due))
        (self.length, screenOffLength) = (.milliseconds(length), .milliseconds(off))
        end = play.text("end").flatMap { Play.End(rawValue: $0) }
        errorCode = play.text("error")
    }

    /// With times in milliseconds; what is not known is left out.
    var json: JSONText {
        func milliseconds(_ length: Duration) -> JSONText { .number("\(length.wholeNanoseconds / 1_000_000)") }
        var members: [(String, JSONText)] = [
            ("key", .string(key)), ("item", .string(Self.clipped(item))), ("starter", .string(starter.rawValue)),
            ("updated", milliseconds(updated)), ("span", milliseconds(span)), ("shown", .number("\(picturesShown)")),
            ("due", .number("\(picturesDue)")), ("length", milliseconds(length)), ("off", milliseconds(screenOffLength)),
        ]
        if let channel { members.append(("channel", .string(Self.clipped(channel)))) }
        if let advertisement { members.append(("advertisement", .string(Self.clipped(advertisement)))) }
        if let updatedDate { members.append(("date", .number("\(updatedDate / 1_000_000)"))) }
        if let from { members.append(("from", .number("\(from)"))) }
        if let end { members.append(("end", .string(end.rawValue))) }
        if let errorCode { members.append(("error", .string(errorCode))) }
        return .object(members)
    }

    /// Ids are addresses where a programme is in no feed.
    private static func clipped(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(256)))
    }

    // MARK: For operators

    /// Whether it could be seen: `on`, `off`, or `partly`.
    private var screen: String {
        screenOffLength == .zero ? "on" : screenOffLength < length ? "partly" : "off"
    }

    private var fields: [(String, JSONText)] {
        [
            ("number", .optional(number)), ("item", .string(item)), ("channel", .optional(channel)),
            ("advertisement", .optional(advertisement)), ("start", .optional(start.map(ReportedTimes.text))),
            ("from", from.map { ReportedTimes.seconds(.milliseconds($0)) } ?? .null),
            ("seconds", ReportedTimes.seconds(length)), ("picturesShown", .number("\(picturesShown)")),
            ("picturesDue", .number("\(picturesDue)")), ("completed", .bool(end == .completed)),
            ("end", .optional(end?.rawValue)), ("error", .optional(errorCode)), ("screen", .string(screen)),
            ("screenOffSeconds", ReportedTimes.seconds(screenOffLength)), ("startedBy", .string(starter.rawValue)),
        ]
    }

    /// One object; what is not known is left out. Signed, it has the name of the box, and last the signature of the object without it.
    package func published(by signer: PlaySigner?) -> JSONText {
        var members = fields.filter { if case .null = $0.1 { false } else { true } }
        guard let signer else { return .object(members) }
        members.append(("box", .string(signer.box)))
        members.append(("signature", .string(signer.signature(of: JSONText.object(members).text))))
        return .object(members)
    }

    /// The names of the columns of `row`, separated by commas.
    package static func header(isSigned: Bool) -> String {
        "number,item,channel,advertisement,start,from,seconds,picturesShown,picturesDue,completed,end,error,screen,screenOffSeconds,startedBy"
            + (isSigned ? ",box,signature" : "")
    }

    /// The same as a line of CSV (RFC 4180). What is not known is empty. Signed, it has the name of the box, and last the signature of the line before it.
    package func row(by signer: PlaySigner?) -> String {
        let row = fields.map { _, value in
            switch value {
            case .null: ""
            case .string(let text): Self.quoted(text)
            default: value.text
            }
        }.joined(separator: ",")
        guard let signer else { return row }
        let named = row + "," + Self.quoted(signer.box)
        return named + "," + signer.signature(of: named)
    }

    private static func quoted(_ text: String) -> String {
        // A table would take what begins so for a formula.
        let text = text.first.map { "=+-@\t\r".contains($0) } == true ? "'" + text : text
        let needsMarks = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 < 0x20 }
        return needsMarks ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    /// One line for people.
    package var line: String {
        let parts: [String?] = [
            number.map { "\($0)" }, start.map(ReportedTimes.text) ?? "without a date", item, advertisement.map { "ad \($0)" },
            "\(ReportedTimes.seconds(length).text) s", "\(picturesShown) of \(picturesDue) pictures", end?.rawValue, errorCode,
            screen == "on" ? nil : "screen \(screen)", "by \(starter.rawValue)",
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }
}

/// Plays for an operator who has those up to a number. A value.
package struct PlayPage: Sendable, Equatable {
    package var plays: [StoredPlay] = []
    /// The oldest play that is kept; older ones are gone. Nil if there is none.
    package var first: UInt64?
    /// Whether there are more behind these.
    package var hasMore = false
    /// Signs them; nil if they are not signed.
    package var signer: PlaySigner?

    /// The last play in it.
    package var last: UInt64? { plays.last?.number }

    /// The members of an object.
    package var members: [(String, JSONText)] {
        (first.map { [("first", .number("\($0)"))] } ?? []) + [
            ("more", .bool(hasMore)), ("plays", .array(plays.map { $0.published(by: signer) })),
        ]
    }
}
