import Composition
import MediaModel
import MediaTime

/// Makes the sound of an audio mix from bundles of encoded samples: decodes each track, brings it to the speed of its segments and to its volume, and
/// adds the tracks up. Confined to its thread.
///
/// Places are counted in samples from the start of the composition, so that nothing is missing or inserted at edges. Speeds are made by linear
/// interpolation, which changes the pitch (`AVAudioTimePitchAlgorithm.varispeed`).
final class ComposedSoundDecoder: AudioDecoding {
    /// Decoded sound of a segment, at its own speed from the start of the segment.
    private struct Piece {
        let segment: Int
        let sound: AudioBuffer
    }
    private struct Lane {
        let track: CompositionTrack
        let gain: MixGain?
        let tap: (any SoundTap)?
        let worker: DecodeWorker<AudioBuffer>
        var pieces: [Piece] = []
        /// The segment of the sample that was decoded last.
        var segment = 0
        /// Whether the decoder holds nothing back.
        var isDry = true
        /// From when on samples are still to come; nil if none are.
        var owedFrom: MediaTime?
    }
    private let format: AudioFormat
    private let rate: Int32
    private var lanes: [Lane]
    private var wanted: ArraySlice<TimeRange> = []

    init(
        _ programme: ComposedProgramme, _ gains: [TrackID: MixGain], _ taps: [TrackID: any SoundTap], codecs: any CodecFactory,
        output: AudioFormat, processing: SoundProcessing?
    ) {
        format = output
        rate = Int32(clamping: max(output.sampleRate, 1))
        lanes = programme.tracks.map { track in
            let kind = TrackKind<AudioBuffer>.audio(codecs: codecs, output: output, processing: processing)
            return Lane(
                track: track, gain: gains[track.id],
                tap: taps[track.id], worker: DecodeWorker(kind: kind, clock: programme.clock))
        }
    }

    func flush() {
        wanted = []
        for index in lanes.indices {
            lanes[index].worker.begin()
            lanes[index].pieces = []
            lanes[index].isDry = true
            lanes[index].owedFrom = nil
        }
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [AudioBuffer] {
        if let sample {
            guard let bundle = sample.payload as? ComposedBundle, bundle.feeds.count == lanes.count else { return [] }
            for index in lanes.indices { try take(bundle.feeds[index], &lanes[index]) }
            wanted.append(TimeRange(start: sample.presentationTime, duration: sample.duration ?? .zero))
        } else {
            for index in lanes.indices { try take(ComposedBundle.Feed(isDrained: true), &lanes[index]) }
        }
        var mixed: [AudioBuffer] = []
        while let next = wanted.first, lanes.allSatisfy({ isReady($0, until: next.end) }) {
            wanted.removeFirst()
            if let sound = mix(next) { mixed.append(sound) }
        }
        return mixed
    }

    private func take(_ feed: ComposedBundle.Feed, _ lane: inout Lane) throws(MediaError) {
        func keep(_ sounds: [AudioBuffer]) { lane.pieces += sounds.map { Piece(segment: lane.segment, sound: $0) } }
        do throws(DecodeWorker<AudioBuffer>.DecodeFailure) {
            for sample in feed.samples {
                keep(try lane.worker.prepare(for: sample))
                lane.segment = sample.run
                keep(try lane.worker.decode(sample))
                lane.isDry = false
            }
            if feed.isDrained, !lane.isDry {
                keep(try lane.worker.drain())
                lane.isDry = true
            }
            lane.owedFrom = feed.owed?.segmentStart
        } catch {
            throw error.reason
        }
    }

    /// The number of the first sample at a time.
    private func place(_ time: MediaTime) -> Int {
        Int(clamping: (time + MediaTime(1, 2 * min(rate, .max / 2))).unitsRoundedDown(of: rate))
    }

    /// The segments of a track that are heard in a range of samples, with their part of it.
    private func parts(_ track: CompositionTrack, of range: Range<Int>) -> [(segment: Int, range: Range<Int>)] {
        let time = MediaTime(Int64(range.lowerBound), rate)
        var index = track.segments.partitioningIndex { $0.target.end > time }
        var parts: [(Int, Range<Int>)] = []
        while index < track.segments.count {
            let target = track.segments[index].target
            let part =
                max(
                    place(target.start), range.lowerBound)..<max(
                    place(target.start), range.lowerBound, min(place(target.end), range.upperBound))
            if place(target.start) >= range.upperBound { break }
            if !part.isEmpty, !track.segments[index].isEmpty { parts.append((index, part)) }
            index += 1
        }
        return parts
    }

    /// Where the sound of a segment is read for a sample of the composition: whole samples and a fraction, counted as its pieces are.
    private func position(of sample: Int, in segment: CompositionTrackSegment) -> (whole: Int, fraction: Float) {
        let start = place(segment.target.start)
        guard let speed = segment.rate, speed != .one else { return (sample, 0) }
        let top = Int128(sample - start) * Int128(speed.numerator)
        let whole = top / Int128(speed.denominator)
        let rest = top - whole * Int128(speed.denominator)
        return (start + Int(clamping: whole), Float(rest) / Float(speed.denominator))
    }

    private func isReady(_ lane: Lane, until end: MediaTime) -> Bool {
        if lane.isDry, lane.owedFrom.map({ end <= $0 }) ?? true { return true }
        guard let part = parts(lane.track, of: place(end) - 1..<place(end)).last else { return true }
        guard let last = lane.pieces.last else { return false }
        if last.segment != part.segment { return last.segment > part.segment }
        let needed = position(of: part.range.upperBound - 1, in: lane.track.segments[part.segment])
        return place(last.sound.time) + last.sound.frameCount > needed.whole + (needed.fraction > 0 ? 1 : 0)
    }

    private func mix(_ range: TimeRange) -> AudioBuffer? {
        let places = place(range.start)..<place(range.end)
        guard !places.isEmpty else { return nil }
        let start = MediaTime(Int64(places.lowerBound), rate)
        var sum = AudioBuffer(format: format, samples: [Float](repeating: 0, count: places.count * format.channels), time: start)
        for index in lanes.indices {
            var own = AudioBuffer(
                format: format, samples: [Float](repeating: 0, count: places.count * format.channels), time: start)
            for part in parts(lanes[index].track, of: places) { draw(part.segment, part.range, of: &lanes[index], into: &own) }
            lanes[index].gain?.apply(to: &own)
            lanes[index].tap?.hear(own)
            for place in sum.samples.indices { sum.samples[place] += own.samples[place] }
        }
        return sum
    }

    /// Draws a segment's sound for a range of samples of the composition.
    private func draw(_ number: Int, _ range: Range<Int>, of lane: inout Lane, into own: inout AudioBuffer) {
        let (channels, origin) = (format.channels, place(own.time))
        let segment = lane.track.segments[number]
        let first = position(of: range.lowerBound, in: segment).whole
        lane.pieces.removeAll { piece in
            piece.segment < number || (piece.segment == number && place(piece.sound.time) + piece.sound.frameCount <= first)
        }
        let pieces = lane.pieces.filter { $0.segment == number }
        if segment.rate == .one {
            for piece in pieces {
                let begin = place(piece.sound.time)
                let shared =
                    max(
                        begin, range.lowerBound)..<max(
                        begin, range.lowerBound, min(begin + piece.sound.frameCount, range.upperBound))
                for place in shared {
                    for channel in 0..<channels {
                        own.samples[(place - origin) * channels + channel] =
                            piece.sound.samples[(place - begin) * channels + channel]
                    }
                }
            }
            return
        }
        var index = 0
        for place in range {
            let (whole, fraction) = position(of: place, in: segment)
            while index + 1 < pieces.count, self.place(pieces[index + 1].sound.time) <= whole { index += 1 }
            for channel in 0..<channels {
                let value = sample(whole, channel, pieces, index)
                let next = fraction > 0 ? sample(whole + 1, channel, pieces, index) : value
                own.samples[(place - origin) * channels + channel] = value + (next - value) * fraction
            }
        }
    }

    /// One sample of a segment, from a piece or the one after it; 0 where there is none.
    private func sample(
        _ position: Int, _ channel: Int, _ pieces: [Piece], _ index: Int
    ) -> Float {
        for piece in pieces[min(index, pieces.count)..<min(index + 2, pieces.count)] {
            let offset = position - place(piece.sound.time)
            if (0..<piece.sound.frameCount).contains(offset) { return piece.sound.samples[offset * format.channels + channel] }
        }
        return 0
    }
}
