import CFFmpeg
import MediaTime

/// What an MP4 or QuickTime file lists of its samples, by their decode times; nothing for other containers, whose index is not of each sample.
///
/// A view of an open container, made for one question.
struct SampleIndex {
    private let context: UnsafeMutablePointer<AVFormatContext>

    /// A stretch in which no track has a sample is a hole if it is longer.
    static let leastHole = MediaTime.seconds(2)
    /// Tracks do not go on at the same instant behind one.
    private static let skew = MediaTime.milliseconds(500)

    /// - Returns: nil for other containers.
    init?(_ context: UnsafeMutablePointer<AVFormatContext>) {
        guard String(cString: context.pointee.iformat.pointee.name).hasPrefix("mov") else { return nil }
        self.context = context
    }

    /// The first sample of a stream; nil if it has none.
    func first(_ number: Int) -> MediaTime? { time(of: 0, number) }

    /// The start of the last sample that any of some streams has before a hole in all of them.
    ///
    /// - Parameter end: where the hole ends.
    /// - Returns: nil if there is no hole. A stream that begins or ends there says nothing.
    func lastSample(beforeHoleUntil end: MediaTime, in streams: [Int]) -> MediaTime? {
        var last: MediaTime?
        for number in streams {
            guard let stream = context.pointee.streams[number] else { continue }
            let base = stream.pointee.time_base
            let units = (end - Self.skew).scaled(by: Ratio(Int64(base.den), Int64(base.num))).unitsRoundedDown(of: 1)
            let place = av_index_search_timestamp(stream, units, AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY)
            guard place >= 0, place + 1 < avformat_index_get_entries_count(stream), let time = time(of: place, number) else {
                continue
            }
            last = max(last ?? time, time)
        }
        return last.flatMap { end - $0 > Self.leastHole ? $0 : nil }
    }

    private func time(of place: Int32, _ number: Int) -> MediaTime? {
        guard let stream = context.pointee.streams[number], let entry = avformat_index_get_entry(stream, place) else {
            return nil
        }
        return MediaTime(stamp: entry.pointee.timestamp, timeBase: stream.pointee.time_base)
    }
}
