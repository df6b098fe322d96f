import MediaTime
import Screens

/// What a live channel broadcasts, by its guide, at the places that the viewer can see.
///
/// The guide's times are those of the broadcast. A stream with dates says when each of its places was broadcast. Of another one the newest place counts as
/// broadcast now: that is off by the delay of the stream, some seconds, and never more.
package struct Broadcast: Sendable {
    private let channel: GuideContent.Channel
    private let played: PlayedItem
    /// The seconds from the start of today (local) to asset time zero.
    private let origin: MediaTime
    /// Now, in the seconds of the guide; nil without a clock.
    private let timeOfDay: Int?
    private let hasReminders: Bool

    /// What plays, on its channel; nil where the time of its places is unknown.
    ///
    /// - Parameter hasReminders: whether the viewer can be reminded of programmes.
    package init?(_ played: PlayedItem, on channel: GuideContent.Channel, timeOfDay: Int?, hasReminders: Bool) {
        guard let item = played.item, item.isLive else { return nil }
        if let stated = item.clockOrigin {
            origin = stated
        } else if let timeOfDay {
            // Who is not behind sees what is broadcast now. The edge of a stream moves by segments, and would lead back and forth.
            let edge = played.isBehindLive ? played.snapshot.seekableRanges.last?.end : nil
            origin = .seconds(Int64(timeOfDay)) - (edge ?? played.position ?? .zero)
        } else {
            return nil
        }
        self.channel = channel
        self.played = played
        self.timeOfDay = timeOfDay
        self.hasReminders = hasReminders
    }

    /// Whether the times of places are exact enough for a bar that is the programme: else it is what can be reached.
    var fillsBar: Bool { played.item?.clockOrigin != nil || played.isLiveWithoutWindow }

    /// The seconds from the start of today to the broadcast of a place, in asset time.
    func time(of place: MediaTime) -> MediaTime { origin + place }

    /// The programme at a place, in asset time; nil where the guide has none.
    func programme(at place: MediaTime) -> GuideContent.Programme? { channel.programme(at: seconds(at: place)) }

    /// The programme that the viewer sees.
    var programme: GuideContent.Programme? { channel.programme(at: seconds) }

    /// The programme after it; in a gap of the guide the next one.
    var next: GuideContent.Programme? { channel.next(after: seconds) }

    /// The next programme, if there is a point in a reminder: what has begun by now can be seen at once.
    var awaited: Reminder? {
        guard hasReminders, let timeOfDay, let next, next.start > timeOfDay else { return nil }
        return Reminder(channel: channel.id, programme: next)
    }

    /// Where the programme that the viewer sees begins, in asset time; nil unless it can be reached.
    package var startOfProgramme: MediaTime? { programme.flatMap { start(of: $0) } }

    /// Where a programme of the channel begins, in asset time; nil unless it can be reached.
    package func start(of programme: GuideContent.Programme) -> MediaTime? {
        guard !played.isLiveWithoutWindow, let first = played.snapshot.seekableRanges.first,
            let last = played.snapshot.seekableRanges.last
        else { return nil }
        let start = MediaTime.seconds(Int64(programme.start)) - origin
        return first.start <= start && start < last.end ? start : nil
    }

    /// The id of the channel.
    package var id: String { channel.id }

    /// The channel with its number: "3 Cinema".
    func station(in strings: StringCatalogue) -> String { strings.station(channel) }

    private var seconds: Int { seconds(at: played.position ?? .zero) }

    /// Whole seconds: the guide has no others.
    private func seconds(at place: MediaTime) -> Int { Int(clamping: time(of: place).wholeSeconds) }
}
