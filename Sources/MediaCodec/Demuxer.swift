import CFFmpeg
import MediaModel
import MediaTime

/// FFmpeg's demuxer over one byte stream.
///
/// Confined to one thread at a time. When the container is known (HLS), timestamps are reported as in the stream, continued over
/// the 33-bit wrap; FFmpeg's own corrections, which shift a whole file's timestamps, apply only to files.
final class Demuxer: Demuxing {
    /// One stream of FFmpeg, and its state of reading.
    private struct Track {
        let id: TrackID
        var parameters: StreamParameters
        /// The last sample. Its end is the time of one without a timestamp.
        var last: (start: MediaTime, duration: MediaTime?)?
        /// A duration in units of the stream, which most samples have. The unit changes where a chain of Ogg streams goes on at another rate.
        var usualDuration: (units: Int64, base: Int32, time: MediaTime)?
        /// The newest stream of a chain; nil while that is the first.
        var link: OggLink?
        /// Where the next frame of AAC begins by FFmpeg's count, which is wrong: in units of the stream.
        var miscounted: Int64?
        var order = StampOrder()
        var edit: EditStart?
        /// Whether samples are skipped until a sync sample: after a seek in a container without an index.
        var awaitsSync = false
    }
    private(set) var description: ContainerDescription
    private var context: UnsafeMutablePointer<AVFormatContext>
    private var reader: StreamReader
    private var packet: UnsafeMutablePointer<AVPacket>
    private let hint: ContainerHint?
    /// By FFmpeg's number of the stream; nil for streams that are no track. Each sample asks for its own.
    private var tracks: [Track?]
    /// The tracks whose samples are read.
    private var wanted: Set<TrackID>
    /// The streams that are settled. Nil for containers whose streams stay the same.
    private var late: LateStreams?
    private var isNewTrackWanted: ((TrackDescription) -> Bool)?
    private var unwrapper: StampUnwrapper?
    /// Added to every timestamp: the position of packed audio comes from its ID3 tag.
    private let offset: MediaTime
    private var hasReportedCut = false
    /// Whether nothing has been read since the container was opened.
    private var isAtStart = true
    /// Whether `packet` holds the first sample, which was read during opening.
    private var holdsFirst: Bool

    /// After this many damaged samples in a row, reading fails.
    private static let mostDamage = 1000

    init(_ opened: consuming OpenedContainer) {
        context = opened.context
        reader = opened.reader
        tracks = (0...(opened.parameters.keys.map(\.number).max() ?? 0)).map { number in
            opened.parameters[TrackID(number)].map {
                Track(id: TrackID(number), parameters: $0, edit: opened.edits[TrackID(number)])
            }
        }
        wanted = Set(opened.parameters.keys)
        description = opened.description
        late = LateStreams(format: opened.description.format)
        hint = opened.hint
        unwrapper = opened.hint == .transportStream ? StampUnwrapper() : nil
        offset = opened.offset
        packet = opened.packet
        holdsFirst = opened.packet.pointee.size > 0
    }

    deinit { release() }

    private func release() {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    var canSeek: Bool { reader.stream.length != nil }

    func select(_ tracks: Set<TrackID>) {
        wanted = tracks
        discardUnwanted()
    }

    func offerNewTracks(to isWanted: @escaping (TrackDescription) -> Bool) { isNewTrackWanted = isWanted }

    private func isWanted(_ number: Int) -> Bool { tracks[number].map { wanted.contains($0.id) } ?? false }

    /// FFmpeg does not read what is not wanted. A stream that is not known yet may be a new track.
    private func discardUnwanted() {
        for index in 0..<Int(context.pointee.nb_streams) {
            let isRead = tracks.indices.contains(index) ? isWanted(index) : late != nil
            context.pointee.streams[index]!.pointee.discard = isRead ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Finds out what a stream is of which a sample has come: FFmpeg may know it only now.
    private func settle(_ number: Int) {
        guard let stream = context.pointee.streams[number], late?.isSettled(number, stream) == false else { return }
        late?.settle(number, stream)
        while tracks.count <= number { tracks.append(nil) }
        let type = MediaType(stream.pointee)
        if let track = tracks[number], mediaType(of: track.id) == type {
            guard track.parameters.isOf(stream) else {
                let parameters = StreamParameters(sample: packet, of: stream, streamName: reader.stream.name)
                tracks[number] = Track(id: track.id, parameters: parameters)
                return discardUnwanted()
            }
            complete(number, track, stream)
            return
        } else if type != nil, let isNewTrackWanted {
            let parameters = StreamParameters(sample: packet, of: stream, streamName: reader.stream.name)
            guard var added = TrackDescription(stream.pointee, parameters: parameters) else { return }
            // The stream may have been another track before.
            if mediaType(of: added.id) != nil { added.id = TrackID((description.tracks.map(\.id.number).max() ?? 0) + 1000) }
            description.tracks.append(added)
            tracks[number] = Track(id: added.id, parameters: parameters)
            if isNewTrackWanted(added) { wanted.insert(added.id) }
        } else {
            tracks[number] = nil
        }
        discardUnwanted()
    }

    /// Reads the rate of sound that began after what FFmpeg looked at: without it only the first of several samples with one time stamp has a time. Pictures
    /// have their size from their decoder.
    private func complete(_ number: Int, _ track: Track, _ stream: UnsafeMutablePointer<AVStream>) {
        guard !track.parameters.isVideo, !track.parameters.isComplete, late?.mayComplete(number) == true else { return }
        let parameters = StreamParameters(
            sample: packet, of: stream, streamName: reader.stream.name, languageTag: track.parameters.languageTag)
        // A damaged sample says nothing: the next one may.
        guard parameters.isComplete else { late?.unsettle(number); return }
        tracks[number]?.parameters = parameters
    }

    private func mediaType(of id: TrackID) -> MediaType? { description.tracks.first { $0.id == id }?.type }

    func nextSample() throws(MediaError) -> EncodedSample? {
        var damage = 0
        isAtStart = false
        while true {
            let code = holdsFirst ? 0 : av_read_frame(context, packet)
            holdsFirst = false
            if code >= 0 {
                reader.foundSample()
                if let sample = takeSample() { return sample }
                continue
            }
            if let failure = reader.takeFailure() { throw failure }
            if code == marquee_averror_eof || reader.hasEnded {
                try reportCut()
                return nil
            }
            damage += 1
            guard damage < Self.mostDamage else {
                throw MediaError(
                    .sourceFormat,
                    "Reading \(reader.stream.name) stopped: \(FFmpegError(call: "av_read_frame", code: code).reason); "
                        + "the stream is damaged; check it or create it again.")
            }
        }
    }

    /// A file that ends before the data promised by its index was truncated. Reported after everything available has been read.
    private func reportCut() throws(MediaError) {
        guard !hasReportedCut, let length = reader.stream.length, let missing = missingFrom(length) else { return }
        hasReportedCut = true
        throw MediaError(
            .sourceFormat,
            "\(reader.stream.name) was read to its end but lacks \(missing) of the bytes that its index lists; "
                + "it is truncated; copy it again.")
    }

    private func missingFrom(_ length: Int64) -> Int64? {
        var end: Int64 = 0
        for number in tracks.indices where isWanted(number) {
            let stream = context.pointee.streams[number]
            let count = avformat_index_get_entries_count(stream)
            guard description.format.hasPrefix("mov"), count > 0,
                let entry = avformat_index_get_entry(stream, count - 1)
            else { continue }
            end = max(end, entry.pointee.pos + Int64(entry.pointee.size))
        }
        return end > length ? end - length : nil
    }

    private func takeSample() -> EncodedSample? {
        defer { av_packet_unref(packet) }
        let number = Int(packet.pointee.stream_index)
        settle(number)
        followChain(number)
        guard tracks.indices.contains(number), let track = tracks[number], wanted.contains(track.id), packet.pointee.size > 0
        else {
            return nil
        }
        let parameters = track.parameters
        let isSync = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
        // Before the start of an edit, for example. In segments it is what FFmpeg says of a fragment whose time stamps go back, which is shown.
        if packet.pointee.pts == track.edit?.stamp || hint == .fragmentedMP4 { packet.pointee.flags &= ~AV_PKT_FLAG_DISCARD }
        let isHidden = packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0
        let offset = offset + (track.edit?.shift ?? .zero)
        if track.awaitsSync {
            guard isSync else { return nil }
            tracks[number]?.awaitsSync = false
        }
        var timeBase = context.pointee.streams[number]!.pointee.time_base
        if let rate = track.link?.rate { timeBase = AVRational(num: 1, den: rate) }
        if isHeader(of: parameters) { return nil }
        let counted = track.link?.stretch
        let own = counted?.duration ?? soundFrame(of: track)?.duration
        var stamps = (
            MediaTime(stamp: packet.pointee.pts, timeBase: timeBase), MediaTime(stamp: packet.pointee.dts, timeBase: timeBase)
        )
        if isMiscounted(track, number, timeBase) { stamps = (nil, nil) }
        if let start = counted?.start { stamps = (start - offset, start - offset) }
        let duration = own ?? duration(of: track, number, timeBase)
        let isBeforeZero = stamps.0 == nil && stamps.1 == nil && track.last == nil && isMatroska
        // FFmpeg has no timestamps for the part of a Matroska file before zero: it ends there at the latest.
        func guess() -> MediaTime {
            if isBeforeZero { return description.startTime - (duration ?? .zero) }
            return track.last.map { $0.start + ($0.duration ?? .zero) } ?? description.startTime
        }
        var order = track.order
        let isInDecodingOrder = order.isOfDecoding(
            stamps.0, stamps.1, of: parameters, in: description.format, isFile: hint == nil)
        tracks[number]?.order = order
        var presentation = (isInDecodingOrder ? stamps.1 : stamps.0 ?? stamps.1) ?? guess() - offset
        var decode = stamps.1 ?? presentation
        // A picture is shown at the decode time of an earlier sample at the soonest.
        if isInDecodingOrder { decode -= (duration ?? .zero) * parameters.reorderDelay }
        if unwrapper != nil { (decode, presentation) = unwrapper!.unwrap(decode: decode, presentation: presentation) }
        presentation += offset
        decode += offset
        if !isBeforeZero { tracks[number]?.last = (presentation, duration) }
        let payload: any SamplePayload =
            parameters.isTimedTag
            ? TimedTag(UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
            : Packet(moving: packet)
        var sample = EncodedSample(
            track: track.id, presentationTime: presentation, decodeTime: decode, duration: duration, isSync: isSync,
            payload: payload, parameters: parameters)
        sample.isStampedInDecodingOrder = isInDecodingOrder
        sample.doesNotDisplay = isHidden
        return sample
    }

    /// Notes the streams that an Ogg file chains.
    private func followChain(_ number: Int) {
        guard description.format == "ogg", tracks.indices.contains(number), let track = tracks[number] else { return }
        let bytes = UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        let end = track.link?.end ?? track.last.map { $0.start + ($0.duration ?? .zero) } ?? description.startTime
        if let link = OggLink(bytes, start: end) { tracks[number]?.link = link }
        let stamp = packet.pointee.pts
        tracks[number]?.link?.take(bytes, statedEnd: stamp == marquee_no_pts ? nil : stamp &+ packet.pointee.duration)
        let isLast = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, nil) != nil
        guard let padding = tracks[number]?.link?.padding(isLast: isLast),
            let skip = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10)
        else { return }
        for place in 0..<10 {
            skip[place] =
                place < 8 ? UInt8(truncatingIfNeeded: (place < 4 ? padding.start : padding.end) >> (8 * (place % 4))) : 0
        }
    }

    /// Whether the packet begins another stream of a chain, of which the decoder needs nothing: each frame of FLAC has its rate and channels, and begins
    /// with a synchronization code (RFC 9639, 9.1).
    private func isHeader(of parameters: StreamParameters) -> Bool {
        description.format == "ogg" && packet.pointee.data?.pointee != 0xFF
            && parameters.withParameters { $0.pointee.codec_id == AV_CODEC_ID_FLAC }
    }

    private func soundFrame(of track: Track) -> SoundFrame? {
        guard description.format == "mpegts" || description.format == "aac", let bytes = packet.pointee.data,
            track.parameters.withParameters({ $0.pointee.codec_id == AV_CODEC_ID_AAC })
        else { return nil }
        return SoundFrame(UnsafeRawBufferPointer(start: bytes, count: Int(packet.pointee.size)))
    }

    /// Whether the stamp of the sample is not the stream's: FFmpeg has counted it from the sample before, and in another rate than that of its sound.
    private func isMiscounted(_ track: Track, _ number: Int, _ timeBase: AVRational) -> Bool {
        let (stamp, units) = (packet.pointee.pts, packet.pointee.duration)
        let isCounted = track.last != nil && track.miscounted.map { abs($0 &- stamp) <= Self.rounding } ?? false
        if stamp != marquee_no_pts, units > 0, let own = soundFrame(of: track)?.units(of: timeBase),
            abs(own - units) > Self.rounding
        {
            tracks[number]?.miscounted = stamp &+ units
        } else {
            tracks[number]?.miscounted = nil
        }
        return isCounted
    }

    /// Of FFmpeg's count, in units.
    private static let rounding: Int64 = 2

    private func duration(of track: Track, _ number: Int, _ timeBase: AVRational) -> MediaTime? {
        let units = packet.pointee.duration
        if let usual = track.usualDuration, usual.units == units, usual.base == timeBase.den { return usual.time }
        if units > 0, let duration = MediaTime(stamp: units, timeBase: timeBase) {
            guard duration <= SampleIndex.leastHole else { return duration - holeBehind(track, number, duration, timeBase) }
            tracks[number]?.usualDuration = (units, timeBase.den, duration)
            return duration
        }
        return codedDuration(of: track)
    }

    /// How much of the time that a sample is stated to last is a hole in the time of all tracks. An MP4 file states times as differences, so that the
    /// sample before a hole lasts until its end (ISO/IEC 14496-12, 8.6.1.2). A slide has sound beside it, or follows other slides.
    private func holeBehind(_ track: Track, _ number: Int, _ duration: MediaTime, _ timeBase: AVRational) -> MediaTime {
        guard isMedia(track.id), let usual = track.last?.duration ?? codedDuration(of: track), usual <= Self.longestOfMany,
            let index = SampleIndex(context), let start = MediaTime(stamp: packet.pointee.dts, timeBase: timeBase),
            let last = index.lastSample(
                beforeHoleUntil: start + duration,
                in: tracks.indices.filter { other in other != number && tracks[other].map { isMedia($0.id) } ?? false })
        else { return .zero }
        return max(duration - max(usual, last - start), .zero)
    }

    /// Samples of a film, and of sound, are not longer.
    private static let longestOfMany = MediaTime.milliseconds(500)

    private func isMedia(_ id: TrackID) -> Bool {
        let type = mediaType(of: id)
        return type == .video || type == .audio
    }

    /// How long a sample lasts by its codec.
    private func codedDuration(of track: Track) -> MediaTime? {
        let parameters = track.parameters
        return parameters.withParameters { codec -> MediaTime? in
            if codec.pointee.codec_type == AVMEDIA_TYPE_VIDEO { return parameters.frameRate?.period }
            // The first sound of a transport stream is read before FFmpeg knows its rate.
            guard codec.pointee.codec_type == AVMEDIA_TYPE_AUDIO, codec.pointee.sample_rate > 0 else { return nil }
            let count = av_get_audio_frame_duration2(UnsafeMutablePointer(mutating: codec), packet.pointee.size)
            return count > 0 ? MediaTime(Int64(count), codec.pointee.sample_rate) : nil
        }
    }
}

// Seeking.
extension Demuxer {
    func seek(to time: MediaTime) throws(MediaError) {
        guard let track = seekTrack else { return }
        // Nothing precedes the start. After a seek to it some demuxers skip sound before the first picture.
        if isAtStart, time <= description.startTime {
            if isWithoutIndex, isVideo(track) { awaitSync(of: track) }
            return
        }
        isAtStart = false
        forgetPlaces()
        hasReportedCut = false
        if holdsFirst { av_packet_unref(packet) }
        holdsFirst = false
        if unwrapper != nil { unwrapper = StampUnwrapper() }
        // Without an index FFmpeg lands at any sample near the position: go back until a sync sample precedes it.
        guard isWithoutIndex, isVideo(track) else { return try seek(track, to: time) }
        for back in [0, 2, 6, 12, 30, 60, 120] {
            let start = time - .seconds(Int64(back))
            if start <= description.startTime {
                try rewind()
                break
            }
            try seek(track, to: start)
            if let first = try firstSync(track), first <= time {
                try seek(track, to: start)
                break
            }
        }
        forgetPlaces()
        awaitSync(of: track)
    }

    /// What comes next does not continue what was read.
    private func forgetPlaces() {
        for number in tracks.indices {
            tracks[number]?.last = nil
            tracks[number]?.link = nil
            tracks[number]?.miscounted = nil
            tracks[number]?.awaitsSync = false
        }
    }

    /// Skips the samples of a track until its next sync sample, and those of no other.
    private func awaitSync(of track: TrackID) {
        for number in tracks.indices { tracks[number]?.awaitsSync = number == track.number }
    }

    private func rewind() throws(MediaError) {
        let code = av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE)
        try check(code, .zero)
    }

    private var isWithoutIndex: Bool { description.format == "mpegts" || description.format == "mpeg" }

    private var isMatroska: Bool { description.format.hasPrefix("matroska") }

    private var seekTrack: TrackID? {
        let all = tracks.indices.filter { tracks[$0] != nil }
        let wanted = all.filter(isWanted)
        return (wanted.first { isVideo(TrackID($0)) } ?? wanted.first ?? all.first).map { TrackID($0) }
    }

    private func isVideo(_ track: TrackID) -> Bool {
        parameters(of: track)?.isVideo ?? false
    }

    private func parameters(of track: TrackID) -> StreamParameters? {
        tracks.indices.contains(track.number) ? tracks[track.number]?.parameters : nil
    }

    /// The presentation time of the next sync sample of a track.
    private func firstSync(_ track: TrackID) throws(MediaError) -> MediaTime? {
        while let sample = try nextSample() {
            if sample.track == tracks[track.number]?.id, sample.isSync { return sample.presentationTime }
        }
        return nil
    }

    private func seek(_ track: TrackID, to time: MediaTime) throws(MediaError) {
        let (track, lead) = guide(to: time, insteadOf: track)
        let stream = context.pointee.streams[track.number]!
        let base = stream.pointee.time_base
        let units = (time - offset - lead).scaled(by: Ratio(Int64(base.den), Int64(base.num)))
        var code = av_seek_frame(context, Int32(track.number), units.unitsRoundedDown(of: 1), AVSEEK_FLAG_BACKWARD)
        if code < 0 {
            // The first sample is the earliest possible position.
            let start = stream.pointee.start_time == marquee_no_pts ? 0 : stream.pointee.start_time
            code = av_seek_frame(context, Int32(track.number), start, 0)
        }
        // What has no stamps is read from its beginning.
        guard code >= 0 || reader.failure != nil else { return try rewind() }
        try check(code, time)
        if isBeforeIndex(stream, units.unitsRoundedDown(of: 1)) { try reopen() }
        if description.format == "flv" { leaveEndMark(stream) }
    }

    /// FLV files end with a mark that there are no more pictures, which FFmpeg takes for a key picture at the time of the last one. It stands behind the sound
    /// that is later: where nothing comes, the key picture before it is taken.
    private func leaveEndMark(_ stream: UnsafeMutablePointer<AVStream>) {
        let code = av_read_frame(context, packet)
        holdsFirst = code >= 0
        guard code == marquee_averror_eof,
            let last = avformat_index_get_entry(stream, avformat_index_get_entries_count(stream) - 1)
        else { return }
        _ = av_seek_frame(context, stream.pointee.index, last.pointee.timestamp - 1, AVSEEK_FLAG_BACKWARD)
    }

    /// The stream by which a position is sought, and how much before it. FFmpeg moves all streams of an MP4 file to the sample that it finds in one:
    /// where a track begins only behind the position, another is taken that begins before it.
    private func guide(to time: MediaTime, insteadOf track: TrackID) -> (track: TrackID, lead: MediaTime) {
        guard let index = SampleIndex(context), let first = index.first(track.number), first > time - offset else {
            return (track, lead(of: track))
        }
        let earlier = tracks.indices.filter { isWanted($0) && tracks[$0].map { mediaType(of: $0.id) == .audio } ?? false }
            .compactMap { number in index.first(number).map { (number, $0) } }
            .filter { $0.1 < first }.min { $0.1 < $1.1 }
        return earlier.map { (TrackID($0.0), Self.soundLead) } ?? (track, lead(of: track))
    }

    /// The first sound behind a seek depends on sound before it.
    private static let soundLead = MediaTime.milliseconds(200)

    /// Whether a position precedes every entry of a Matroska index: FFmpeg then lands on the first entry, after the position.
    /// Pictures before zero are in no index.
    private func isBeforeIndex(_ stream: UnsafeMutablePointer<AVStream>, _ stamp: Int64) -> Bool {
        guard isMatroska, reader.stream.length != nil,
            let first = avformat_index_get_entry(stream, 0)
        else { return false }
        return first.pointee.timestamp > stamp
    }

    /// Seeks to the very start, which an index need not list, by opening the container again.
    private func reopen() throws(MediaError) {
        try reader.stream.seek(to: 0)
        let fresh = try OpenedContainer(reader.stream, hint: hint)
        release()
        (context, reader, packet) = (fresh.context, fresh.reader, fresh.packet)
        holdsFirst = packet.pointee.size > 0
        discardUnwanted()
    }

    /// How far before a position the search for its key picture starts. An MP4 index is searched by decode times, and in MPEG-1
    /// and MPEG-2, pictures shown before a key picture may follow it.
    private func lead(of track: TrackID) -> MediaTime {
        let codec = parameters(of: track)?.withParameters { $0.pointee.codec_id }
        let isReordered = codec == AV_CODEC_ID_MPEG2VIDEO || codec == AV_CODEC_ID_MPEG1VIDEO
        let shift = tracks[track.number]?.edit?.shift ?? .zero
        return isReordered && description.format.hasPrefix("mov") ? shift + .milliseconds(250) : shift
    }

    private func check(_ code: Int32, _ time: MediaTime) throws(MediaError) {
        if let failure = reader.takeFailure() { throw failure }
        guard code >= 0 else {
            throw MediaError(
                .sourceFormat,
                "Seeking to \(time) s in \(reader.stream.name) failed: \(FFmpegError(call: "av_seek_frame", code: code).reason); "
                    + "its server or container may not support seeking.")
        }
    }
}
