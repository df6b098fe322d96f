import LinuxSupport
import MediaModel
import MediaTime
import Testing
import WireFormats

@testable import Composition

@Suite("Announcements lower programmes")
struct MixDuckingTests {
    private let programme = CompositionTrack(
        id: TrackID(2), type: .audio, segments: [segment("film", TimeRange(start: .zero, duration: .seconds(60)), at: .zero)])

    private func announcements(_ ranges: [(Int64, Int64)], id: Int = 3) -> CompositionTrack {
        var (place, segments) = (MediaTime.zero, [CompositionTrackSegment]())
        for (start, end) in ranges {
            let range = TimeRange(start: .milliseconds(start), end: .milliseconds(end))
            if range.start > place {
                segments.append(CompositionTrackSegment(.empty, target: TimeRange(start: place, end: range.start)))
            }
            segments.append(segment("voice", TimeRange(start: .zero, duration: range.duration), at: range.start))
            place = range.end
        }
        return CompositionTrack(id: TrackID(id), type: .audio, segments: segments)
    }

    /// The ramps in milliseconds.
    private func ramps(_ tracks: [CompositionTrack], _ ducking: MixDucking) -> [String] {
        ducking.curve(in: Composition(tracks: tracks)).ramps.map {
            "\($0.range.start.milliseconds)-\($0.range.end.milliseconds) \($0.from)-\($0.to)"
        }
    }

    @Test("it is low from the first sample of an announcement to 300 ms after its last, and full 500 ms later")
    func curve() {
        let ducking = MixDucking(announcements: [TrackID(3)])
        #expect(
            ramps([programme, announcements([(10_000, 12_000), (20_000, 21_000)])], ducking) == [
                "9900-10000 1.0-0.25", "12300-12800 0.25-1.0", "19900-20000 1.0-0.25", "21300-21800 0.25-1.0",
            ])
        // The end of the rise and the start of the fall: one more millisecond between them makes two of one.
        #expect(ramps([announcements([(1000, 2000), (2900, 3000)])], ducking) == ["900-1000 1.0-0.25", "3300-3800 0.25-1.0"])
        #expect(ramps([announcements([(1000, 2000), (2901, 3000)])], ducking).count == 4)
        // At the start there is no time to fall.
        #expect(ramps([announcements([(0, 1000)])], ducking) == ["0-0 0.25-0.25", "1300-1800 0.25-1.0"])
        #expect(ramps([announcements([(40, 1000)])], ducking).first == "0-40 1.0-0.25")
        // A short announcement of one track within a long one of another, and nothing of tracks that are not named.
        let two = MixDucking(announcements: [TrackID(3), TrackID(4)], volume: 0.5)
        #expect(
            ramps([announcements([(5000, 9000)], id: 4), announcements([(6000, 7000)]), programme], two) == [
                "4900-5000 1.0-0.5", "9300-9800 0.5-1.0",
            ])
        #expect(ramps([programme, announcements([])], ducking) == [])
    }

    @Test("a mix with it is checked and has its JSON; volume and ducking are multiplied")
    func document() throws {
        let composition = Composition(tracks: [programme, announcements([(1000, 2000)])])
        let fade = RampCurve(1.0, [Ramp(TimeRange(start: .milliseconds(500), duration: .seconds(1)), from: 1, to: 0.5)])
        func mix(_ ducking: MixDucking) -> AudioMix {
            AudioMix(inputParameters: [AudioMixInputParameters(track: TrackID(2), volume: fade, ducking: ducking)])
        }
        let good = CompositionDocument(composition, audioMix: mix(MixDucking(announcements: [TrackID(3)], volume: 0.125)))
        let read = CompositionReader.read(Array(good.json.text.utf8), baseURL: "/a.json")
        #expect(read.findings.isEmpty && read.document?.audioMix == good.audioMix)
        let place = "/audioMix/tracks/0"
        func faults(_ announcements: [Int], _ volume: Double = 0.25) -> [String] {
            let ducking = MixDucking(announcements: announcements.map { TrackID($0) }, volume: volume)
            return places(CompositionDocument(composition, audioMix: mix(ducking)).validate())
        }
        #expect(faults([3]) == [])
        #expect(faults([]) == ["empty \(place)/duckedBy"])
        #expect(faults([2, 3]) == ["track \(place)/duckedBy/0"])
        #expect(faults([3, 3, 9]) == ["track \(place)/duckedBy/1", "track \(place)/duckedBy/2"])
        #expect(faults([3], 1.5) == ["limit \(place)/duckedTo"])
        let lonely = #"{"compositionVersion": 1, "tracks": [], "audioMix": {"tracks": [{"track": 1, "duckedTo": 0.5}]}}"#
        #expect(
            places(CompositionReader.read(Array(lonely.utf8), baseURL: "/a.json").findings).contains("form \(place)/duckedTo"))
        // Each sample.
        let gain = try #require(good.audioMix?.gain(of: TrackID(2), in: composition))
        #expect(good.audioMix?.gain(of: TrackID(3), in: composition) == nil)
        var buffer = AudioBuffer(
            format: AudioFormat(sampleRate: 8000, channels: 1), samples: [Float](repeating: 1, count: 32_000), time: .zero)
        gain.apply(to: &buffer)
        let ducked = try #require(good.audioMix?.inputParameters[0].ducking).curve(in: composition)
        let wrong = buffer.samples.indices.first { index in
            let time = MediaTime(Int64(index), 8000)
            return abs(Double(buffer.samples[index]) - fade.value(at: time) * ducked.value(at: time)) > 1e-6
        }
        #expect(wrong == nil)
    }
}
