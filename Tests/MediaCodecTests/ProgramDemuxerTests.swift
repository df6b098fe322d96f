import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

/// Recordings whose tables change. What is to be heard and seen is what the pieces give alone.
@Suite("Recordings of several programmes", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct ProgramDemuxerTests {
    /// A piece of a stream.
    struct Piece {
        var start = 0
        var seconds = 4
        var video: [String]? = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"]
        var audio: [[String]] = [["-c:a", "aac"]]
        var languages: [String] = []
        var pids: [Int] = []

        func bytes() throws -> [UInt8] {
            var arguments: [String] = []
            if video != nil { arguments += ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=\(seconds)"] }
            for number in audio.indices {
                arguments += ["-f", "lavfi", "-i", "sine=f=\(440 * (number + 1)):r=48000:d=\(seconds)"]
            }
            for input in 0..<(audio.count + (video == nil ? 0 : 1)) { arguments += ["-map", "\(input)"] }
            arguments += video ?? []
            for (number, codec) in audio.enumerated() { arguments += ["-c:a:\(number)"] + codec.dropFirst() }
            for (number, language) in languages.enumerated() { arguments += ["-metadata:s:a:\(number)", "language=\(language)"] }
            for (number, pid) in pids.enumerated() { arguments += ["-streamid", "\(number):\(pid)"] }
            return try FFmpegProgram.make(
                arguments + ["-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset", "\(start)", "-f", "mpegts"], suffix: "ts")
        }
    }
    private static let ac3 = ["-c:a", "ac3"]
    private static let sequences: [String: [Piece]] = [
        "codec": [Piece(audio: [ac3]), Piece(start: 4)],
        "there and back": [Piece(), Piece(start: 4, seconds: 3, pids: [0x1e1, 0x1e2]), Piece(start: 7)],
        "sound only": [Piece(video: nil), Piece(start: 4, video: nil, audio: [ac3]), Piece(start: 8, video: nil)],
        "another picture codec": [
            Piece(), Piece(start: 4, video: ["-c:v", "mpeg2video", "-g", "12"]), Piece(start: 8),
        ],
        "stamps that restart": [Piece(audio: [ac3]), Piece(), Piece(seconds: 3, audio: [ac3])],
    ]

    /// The payloads of a sample of each track, in order, with the seconds of their times from the first one.
    private func read(_ demuxer: any Demuxing) throws -> [TrackID: [EncodedSample]] {
        demuxer.offerNewTracks { _ in true }
        return Dictionary(grouping: try Media.samples(demuxer), by: \.track)
    }

    private func payload(_ sample: EncodedSample) -> [UInt8] { sample.payload.withBytes { Array($0) } }

    private func demuxer(_ bytes: [UInt8], _ hint: ContainerHint?, isSeekable: Bool) throws -> any Demuxing {
        try Media.demuxer(bytes, hint: hint, isSeekable: isSeekable)
    }

    private func packets(of bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 188).map { Array(bytes[$0..<$0 + 188]) }
    }

    /// Whether a packet has the PID of ffmpeg's table, which begins in it.
    private func isTable(_ packet: [UInt8]) -> Bool { packet[1] & 0x1F == 0x10 && packet[2] == 0 }

    private func table(of packets: [[UInt8]]) throws -> [UInt8] { try #require(packets.first(where: isTable)) }

    @Test("every sample of every piece comes once, in order, as from the pieces alone", arguments: Self.sequences.keys.sorted())
    func everySample(name: String) throws {
        let pieces = try #require(Self.sequences[name]).map { try $0.bytes() }
        for (hint, isSeekable) in [(nil, true), (nil, false), (ContainerHint.transportStream, false)] {
            let whole = try demuxer(pieces.flatMap(\.self), hint, isSeekable: isSeekable)
            let types = Dictionary(uniqueKeysWithValues: whole.description.tracks.map { ($0.id, $0.type) })
            let found = try read(whole)
            for (track, samples) in found {
                let type = try #require(types[track])
                let alone = try pieces.flatMap { piece in
                    let demuxer = try demuxer(piece, .transportStream, isSeekable: false)
                    let id = try Media.track(type, of: demuxer).id
                    return try Media.samples(demuxer).filter { $0.track == id }
                }
                #expect(samples.map(payload) == alone.map(payload), "\(name), \(type), \(samples.count) of \(alone.count)")
                #expect(zip(samples, alone).allSatisfy { $0.parameters.codecName == $1.parameters.codecName })
                // ffmpeg lets its pieces overlap by what a decoder needs before them.
                let steps = zip(samples, samples.dropFirst()).map { $1.decodeTime - $0.decodeTime }
                #expect(hint != nil || steps.allSatisfy { $0.magnitude < .milliseconds(200) }, "\(name), \(type)")
            }
            #expect(found.count == whole.description.tracks.count)
        }
    }

    @Test("its duration is that of all pieces", arguments: Self.sequences.keys.sorted())
    func duration(name: String) throws {
        let pieces = try #require(Self.sequences[name])
        let demuxer = try demuxer(try pieces.flatMap { try $0.bytes() }, nil, isSeekable: true)
        let whole = MediaTime.seconds(Int64(pieces.map(\.seconds).reduce(0, +)))
        let duration = try #require(demuxer.description.duration)
        #expect((duration - whole).magnitude < .milliseconds(150), "\(name): \(duration)")
    }

    @Test(
        "a seek lands at the key frame before it, in every piece, forwards and backwards", arguments: Self.sequences.keys.sorted()
    )
    func seeks(name: String) throws {
        let bytes = try #require(Self.sequences[name]).flatMap { try $0.bytes() }
        let reference = try demuxer(bytes, nil, isSeekable: true)
        let ruling = try #require(
            reference.description.tracks.first { $0.type == .video } ?? reference.description.tracks.first)
        let all = try read(reference)
        let samples = try #require(all[ruling.id])
        let start = reference.description.startTime
        let end = try #require(samples.last).presentationTime
        for isRead in [false, true] {
            let demuxer = try demuxer(bytes, nil, isSeekable: true)
            demuxer.offerNewTracks { _ in true }
            if isRead { _ = try Media.samples(demuxer) }
            for tenths in [0, 95, 20, 73, 45, 101, 39, 81, 5, 60] as [Int64] {
                let time = start + .milliseconds(100 * tenths)
                guard time < end else { continue }
                try demuxer.seek(to: time)
                var first: EncodedSample?
                var last: EncodedSample?
                while last.map({ $0.presentationTime < time }) ?? true, let sample = try demuxer.nextSample() {
                    guard sample.track == ruling.id else { continue }
                    first = first ?? sample
                    last = sample
                }
                let landed = try #require(first, "\(name), \(time)")
                let index = try #require(
                    samples.firstIndex {
                        payload($0) == payload(landed)
                            && ($0.presentationTime - landed.presentationTime).magnitude < .milliseconds(1)
                    },
                    "\(name): \(landed.presentationTime) for \(time) is where it is when read through")
                // A container without an index is searched two seconds back for its key frames.
                #expect(landed.presentationTime <= max(time, samples[0].presentationTime), "\(name), \(time)")
                #expect(time - landed.presentationTime < .milliseconds(3100), "\(name), \(time)")
                // What follows is complete.
                let next = samples[index...].prefix(20)
                var following = [landed]
                try demuxer.seek(to: time)
                following = []
                while following.count < next.count, let sample = try demuxer.nextSample() {
                    if sample.track == ruling.id { following.append(sample) }
                }
                #expect(following.map(payload) == next.map(payload), "\(name), \(time)")
            }
        }
    }

    @Test("a programme in the middle of a long recording is found by a seek, and what follows it too")
    func middle() throws {
        let noise = [
            "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-b:v", "3M", "-minrate", "3M", "-maxrate", "3M", "-bufsize",
            "1M",
            "-x264-params", "nal-hrd=cbr",
        ]
        let pieces = [
            Piece(seconds: 12, video: noise),
            Piece(start: 12, seconds: 9, video: noise, audio: [Self.ac3], pids: [0x1e1, 0x1e2]),
            Piece(start: 21, seconds: 12, video: noise),
        ]
        let bytes = try pieces.flatMap { try $0.bytes() }
        // The tables at both ends are the same.
        #expect(bytes.count > 8 << 20)
        let demuxer = try demuxer(bytes, nil, isSeekable: true)
        let (video, sound) = (try Media.track(.video, of: demuxer), try Media.track(.audio, of: demuxer))
        for (second, codec) in [
            (16, "ac3"), (4, "aac"), (28, "aac"), (13, "ac3"), (20, "ac3"), (11, "aac"), (30, "aac"), (18, "ac3"),
        ] {
            let time = demuxer.description.startTime + .seconds(Int64(second)) + .milliseconds(500)
            try demuxer.seek(to: time)
            var (picture, heard): (EncodedSample?, EncodedSample?)
            while picture == nil || heard == nil, let sample = try demuxer.nextSample() {
                if sample.track == video.id { picture = picture ?? sample }
                if sample.track == sound.id { heard = heard ?? sample }
            }
            let landed = try #require(picture).presentationTime
            #expect(landed <= time && time - landed < .milliseconds(3100), "\(second): \(landed)")
            #expect(heard?.parameters.codecName == codec, "\(second)")
        }
        #expect(demuxer.description.tracks.count == 2)
        let duration = try #require(demuxer.description.duration)
        #expect((duration - .seconds(33)).magnitude < .milliseconds(150))
    }

    @Test("languages decide which sound goes on, whatever its PID")
    func languages() throws {
        let two = [["-c:a", "aac"], Self.ac3]
        let pieces = [
            Piece(audio: two, languages: ["eng", "deu"]), Piece(start: 4, audio: two, languages: ["deu", "eng"]),
            Piece(start: 8, audio: [["-c:a", "mp2"]], languages: ["deu"]),
            Piece(start: 12, audio: two, languages: ["eng", "fra"]),
        ]
        let demuxer = try demuxer(try pieces.flatMap { try $0.bytes() }, nil, isSeekable: true)
        let tracks = Dictionary(uniqueKeysWithValues: demuxer.description.tracks.map { ($0.languageTag ?? "", $0.id) })
        let (english, german) = (try #require(tracks["en"]), try #require(tracks["de"]))
        let found = try read(demuxer)
        func codecs(_ track: TrackID) -> [String] {
            (found[track] ?? []).map(\.parameters.codecName).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
        #expect(codecs(english) == ["aac", "ac3", "aac"] && codecs(german).starts(with: ["ac3", "aac", "mp2"]))
        #expect(demuxer.description.tracks.count <= 4)
    }

    @Test("packets of 192 and 204 bytes, tables with new versions and damaged ones", arguments: [188, 192, 204])
    func packets(length: Int) throws {
        let pieces = [try Piece(audio: [Self.ac3]).bytes(), try Piece(start: 4).bytes()]
        // A damaged table says in the middle of the first piece that there is sound only.
        var damaged = packets(of: pieces[0])
        var table = try table(of: damaged)
        table[20] = 0x0F
        damaged.insert(table, at: damaged.count / 2)
        let all = damaged + packets(of: pieces[1])
        let framed = all.flatMap { packet in
            switch length {
            case 192: [0, 0, 0, 0] + packet
            case 204: packet + [UInt8](repeating: 0, count: 16)
            default: packet
            }
        }
        for isSeekable in [true, false] {
            let demuxer = try demuxer(framed, nil, isSeekable: isSeekable)
            let sound = try Media.track(.audio, of: demuxer)
            let found = try read(demuxer)
            let codecs = try #require(found[sound.id]).map(\.parameters.codecName)
            #expect(codecs.filter { $0 == "ac3" }.count == 125 && codecs.last == "aac")
            let pictures = try #require(found[try Media.track(.video, of: demuxer).id])
            #expect(pictures.count == 200 && demuxer.description.tracks.count == 2)
            #expect(try Media.frames(pictures).count == 200)
        }
    }

    @Test("a table that comes inside a picture costs nothing of what goes on", arguments: [true, false])
    func insidePictures(isSeekable: Bool) throws {
        // The tables of a stream with other sound, in the middle of pictures that go on.
        let film = try Piece(seconds: 6).bytes()
        let other = try Piece(seconds: 2, audio: [["-c:a", "aac"], Self.ac3]).bytes()
        let table = try table(of: packets(of: other))
        var packets = packets(of: film)
        let middle = packets.count / 2
        let inside = try #require(
            packets.indices.dropFirst(middle).first { packets[$0][1] == 0x01 && packets[$0 + 1][1] == 0x01 })
        for index in packets.indices where index > inside && isTable(packets[index]) {
            packets[index] = table
        }
        packets.insert(table, at: inside + 1)
        let alone = try read(try demuxer(film, .transportStream, isSeekable: false))
        let demuxer = try demuxer(packets.flatMap(\.self), nil, isSeekable: isSeekable)
        let found = try read(demuxer)
        for type in [MediaType.video, .audio] {
            let track = try Media.track(type, of: demuxer).id
            #expect(found[track]?.map(payload) == alone[track]?.map(payload), "\(type)")
        }
        let pictures = try #require(found[try Media.track(.video, of: demuxer).id])
        let first = pictures[0].parameters
        #expect(pictures.allSatisfy { first.canContinue(as: $0.parameters) }, "the decoder goes on")
        #expect(try Media.frames(pictures).count == 150)
    }

    @Test("tables without tracks and tracks without media are passed over")
    func nothing() throws {
        let pieces = [try Piece().bytes(), try Piece(start: 4).bytes()]
        // An association and a table that list nothing but a stream of data.
        var data = try table(of: packets(of: pieces[0]))
        data = tableWithoutTracks(like: data)
        for isSeekable in [true, false] {
            for bytes in [pieces[0] + data + pieces[1], data + pieces[0] + data + pieces[1] + data] {
                let demuxer = try demuxer(Array(pieces[0].prefix(188 * 2)) + bytes, nil, isSeekable: isSeekable)
                let found = try read(demuxer)
                #expect(found[try Media.track(.video, of: demuxer).id]?.count == 200)
            }
        }
    }

    /// A table of the same program with its checksum.
    private func tableWithoutTracks(like packet: [UInt8]) -> [UInt8] {
        var section = Array(packet[5..<17])
        (section[1], section[2]) = (0xB0, 13)
        (section[10], section[11]) = (0xF0, 0)
        var remainder: UInt32 = 0xFFFF_FFFF
        for byte in section {
            for bit in 0..<8 {
                let isSet = (remainder >> 31 == 1) != (byte >> (7 - bit) & 1 == 1)
                remainder = remainder << 1 ^ (isSet ? 0x04C1_1DB7 : 0)
            }
        }
        let sum = (0..<4).map { UInt8(truncatingIfNeeded: remainder >> (24 - 8 * $0)) }
        let bytes = Array(packet[..<5]) + section + sum
        return bytes + [UInt8](repeating: 0xFF, count: 188 - bytes.count)
    }
}
