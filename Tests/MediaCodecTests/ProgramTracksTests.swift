import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

/// Transport streams whose tables change: what comes later, moves, or has another codec.
@Suite("Tracks of the moment", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct ProgramTracksTests {
    private static let pictures = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"]

    /// A piece of a stream that begins at a second.
    private func piece(
        from start: Int, seconds: Int = 3, video: Bool = true, audio: [String]? = ["-c:a", "aac"], pids: [Int] = []
    ) throws -> [UInt8] {
        var arguments: [String] = []
        if video { arguments += ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=\(seconds)"] }
        if audio != nil { arguments += ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=\(seconds)"] }
        if video { arguments += Self.pictures }
        arguments += audio ?? []
        for (number, pid) in pids.enumerated() { arguments += ["-streamid", "\(number):\(pid)"] }
        return try FFmpegProgram.make(
            arguments + ["-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset", "\(start)", "-f", "mpegts"], suffix: "ts")
    }

    /// The samples of a stream by tracks, and the tracks that came in the middle. All of them are wanted.
    private func read(_ pieces: [[UInt8]], hint: ContainerHint?) throws -> (
        samples: [TrackID: [EncodedSample]], description: ContainerDescription, added: [TrackDescription]
    ) {
        let demuxer = try Media.demuxer(pieces.flatMap(\.self), hint: hint, isSeekable: hint == nil)
        var added: [TrackDescription] = []
        demuxer.offerNewTracks { track in
            added.append(track)
            return true
        }
        demuxer.select(Set(demuxer.description.tracks.map(\.id)))
        return (Dictionary(grouping: try Media.samples(demuxer), by: \.track), demuxer.description, added)
    }

    private func seconds(_ samples: [EncodedSample]) throws -> Double {
        Double(try Media.sound(samples).map(\.frameCount).reduce(0, +)) / 48_000
    }

    @Test("sound that a later table adds is heard from its first sample", arguments: [ContainerHint.transportStream, nil])
    func soundIsAdded(hint: ContainerHint?) throws {
        let found = try read([try piece(from: 0, audio: nil), try piece(from: 3)], hint: hint)
        let sound = try #require(found.added.first)
        #expect(found.added.count == 1 && sound.type == .audio && found.description.tracks.map(\.id).contains(sound.id))
        let samples = try #require(found.samples[sound.id])
        #expect(abs(try seconds(samples) - 3) < 0.1)
        let first = try #require(found.description.tracks.first { $0.type == .video })
        #expect(found.samples[first.id]?.count == 150)
        let lead = samples[0].presentationTime - (try #require(found.samples[first.id])[0].presentationTime)
        #expect((lead - .seconds(3)).magnitude < .milliseconds(110))
    }

    @Test("pictures that a later table adds are seen from their first sample", arguments: [ContainerHint.transportStream, nil])
    func picturesAreAdded(hint: ContainerHint?) throws {
        let found = try read([try piece(from: 0, video: false), try piece(from: 3)], hint: hint)
        let pictures = try #require(found.added.first { $0.type == .video })
        let samples = try #require(found.samples[pictures.id])
        #expect(samples.count == 75 && samples[0].isSync)
        #expect(try Media.frames(samples).count == 75)
        let sound = try #require(found.description.tracks.first { $0.type == .audio && found.samples[$0.id] != nil })
        #expect(abs(try seconds(try #require(found.samples[sound.id])) - 6) < 0.15)
    }

    @Test(
        "pictures and sound that move to other PIDs and back remain the same tracks",
        arguments: [ContainerHint.transportStream, nil],
        [[0x1e1, 0x1e2], [0x100, 0x1e2], [0x1e1, 0x101], [0x101, 0x100]])
    func tracksMove(hint: ContainerHint?, pids: [Int]) throws {
        let found = try read(
            [try piece(from: 0), try piece(from: 3, pids: pids), try piece(from: 6)], hint: hint)
        #expect(found.added.isEmpty && found.description.tracks.count == 2)
        for track in found.description.tracks {
            let samples = try #require(found.samples[track.id])
            if track.type == .video {
                #expect(samples.count == 225)
            } else {
                var runs: [[EncodedSample]] = []
                for sample in samples {
                    if let last = runs.last?.last, last.parameters.canContinue(as: sample.parameters) {
                        runs[runs.count - 1].append(sample)
                    } else {
                        runs.append([sample])
                    }
                }
                #expect(abs(try runs.map(seconds).reduce(0, +) - 9) < 0.3)
            }
        }
    }

    @Test(
        "another codec on the same PID has its own decoder",
        arguments: [("ac3", "aac"), ("aac", "ac3"), ("mp2", "aac"), ("aac", "eac3")], [ContainerHint.transportStream, nil])
    func codecChanges(codecs: (String, String), hint: ContainerHint?) throws {
        let found = try read(
            [try piece(from: 0, audio: ["-c:a", codecs.0]), try piece(from: 3, audio: ["-c:a", codecs.1])], hint: hint)
        #expect(found.added.isEmpty)
        let track = try #require(found.description.tracks.first { $0.type == .audio })
        let samples = try #require(found.samples[track.id])
        let split = try #require(samples.firstIndex { $0.parameters.codecName == codecs.1 })
        // FFmpeg calls all MPEG audio mp3 until it has parsed a frame.
        #expect(
            samples[..<split].allSatisfy { [codecs.0, codecs.0 == "mp2" ? "mp3" : codecs.0].contains($0.parameters.codecName) })
        for half in [samples[..<split], samples[split...]] { #expect(abs(try seconds(Array(half)) - 3) < 0.15) }
    }

    @Test("pictures in another codec on the same PID have their own decoder")
    func pictureCodecChanges() throws {
        let other = try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=3", "-c:v", "mpeg2video", "-g", "12", "-muxdelay", "0",
                "-muxpreload", "0",
                "-output_ts_offset", "3", "-f", "mpegts",
            ], suffix: "ts")
        let found = try read([try piece(from: 0, audio: nil), other], hint: .transportStream)
        let track = try #require(found.description.tracks.first)
        let samples = try #require(found.samples[track.id])
        let split = try #require(samples.firstIndex { $0.parameters.codecName == "mpeg2video" })
        #expect(found.added.isEmpty && split == 75)
        #expect(try Media.frames(Array(samples[split...])).count == 75)
    }

    @Test("a stream says which tracks it has at its place")
    func lists() throws {
        let demuxer = try Media.demuxer(
            [try piece(from: 0), try piece(from: 3, audio: nil)].flatMap(\.self), hint: .transportStream, isSeekable: false)
        let sound = try Media.track(.audio, of: demuxer)
        #expect(demuxer.lists(sound.id))
        var last = true
        while let sample = try demuxer.nextSample() {
            last = demuxer.lists(sound.id)
            #expect(sample.track != sound.id || last)
        }
        #expect(!last)
    }

    @Test(
        "AAC that goes on at another rate under the same tables is heard whole, and in step",
        arguments: [ContainerHint.transportStream, nil], [(48_000, 44_100), (44_100, 48_000), (48_000, 24_000)])
    func rateChanges(hint: ContainerHint?, rates: (Int, Int)) throws {
        func piece(_ rate: Int, from start: Int) throws -> [UInt8] {
            try FFmpegProgram.make(
                ["-f", "lavfi", "-i", "sine=f=440:r=\(rate):d=4", "-c:a", "aac", "-muxdelay", "0", "-muxpreload", "0"]
                    + ["-output_ts_offset", "\(start)", "-f", "mpegts"], suffix: "ts")
        }
        let found = try read([try piece(rates.0, from: 0), try piece(rates.1, from: 4)], hint: hint)
        let track = try #require(found.description.tracks.first { $0.type == .audio })
        let samples = try #require(found.samples[track.id])
        #expect(abs(try seconds(samples) - 8) < 0.1)
        // FFmpeg begins each piece of its own with priming.
        let steps = zip(samples, samples.dropFirst()).map { $1.presentationTime - $0.presentationTime - ($0.duration ?? .zero) }
        #expect(
            steps.filter { $0.magnitude > .milliseconds(1) }.count <= 1, "\(steps.filter { $0.magnitude > .milliseconds(1) })")
        let buffers = try Media.sound(samples)
        let holes = zip(buffers, buffers.dropFirst()).filter { ($1.time - $0.end).magnitude > .milliseconds(1) }
        #expect(holes.count <= 1)
    }
}
