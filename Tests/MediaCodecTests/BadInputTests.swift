import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Bad input")
struct BadInputTests {
    private func refusal(_ bytes: [UInt8], hint: ContainerHint? = nil) throws -> MediaError {
        try #require(throws: MediaError.self) { try Media.demuxer(bytes, name: "thing.mp4", hint: hint) }
    }

    @Test(
        "content that is not media is named in one sentence, with and without an expected container",
        arguments: [
            ("<!DOCTYPE html>\n<html><body>Sign in</body></html>", "an HTML page"),
            ("  <HTML><head></head></HTML>", "an HTML page"),
            ("{\"error\": \"no such film\"}", "a JSON document"), ("#EXTM3U\n#EXT-X-VERSION:3\n", "an HLS playlist"),
            ("<?xml version=\"1.0\"?><Error/>", "an XML document"), ("%PDF-1.7 ...", "a PDF document"),
            ("There is nothing here but words, and not many of them.\n", "plain text"),
        ])
    func named(text: String, words: String) throws {
        let error = try refusal(Array(text.utf8))
        #expect(error.code == .sourceFormat)
        #expect(error.sentence.contains("thing.mp4") && error.sentence.contains(words))
        #expect(error.sentence.hasSuffix(".") && !error.sentence.contains("\n"))
    }

    @Test(
        "lists and manifests of streams that are not played are named by their content, whatever comes before their root element",
        arguments: [
            ("<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\">", "DASH"),
            ("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- made by <MPD> maker -->\n\n<mpd:MPD>", "DASH"),
            ("<?xml version=\"1.0\"?>\n<!--\(String(repeating: "a licence ", count: 90))--><MPD>", "DASH"),
            ("<?xml version=\"1.0\"?><SmoothStreamingMedia MajorVersion=\"2\">", "Smooth Streaming"),
            ("<manifest xmlns=\"http://ns.adobe.com/f4m/1.0\">", "Adobe HTTP Dynamic Streaming"),
            ("<smil><head/></smil>", "SMIL"),
            ("<ASX version=\"3.0\"><Entry/></ASX>", "Windows Media"), ("v=0\r\no=- 1 1 IN IP4 10.0.0.1\r\ns=One\r\n", "RTSP"),
            ("RTSPtext\r\nrtsp://h/x", "RTSP"), ("[playlist]\nFile1=http://h/x.mp3\n", "PLS"),
        ])
    func unplayed(text: String, name: String) throws {
        var forms = [Array(text.utf8)]
        if !text.hasPrefix("\u{FEFF}") {
            forms.append([0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
        }
        for bytes in forms {
            let error = try refusal(bytes)
            #expect(error.code == .sourceFormat && error.sentence.contains("does not play"), "\(error.sentence)")
            #expect(error.sentence.contains(name), "\(error.sentence)")
        }
    }

    @Test(
        "an HTML page instead of a segment is named too", arguments: [ContainerHint.transportStream, .fragmentedMP4, .packedAAC])
    func segment(hint: ContainerHint) throws {
        #expect(try refusal(Array("<html><body>Sign in</body></html>".utf8), hint: hint).sentence.contains("an HTML page"))
    }

    @Test("empty and meaningless content is refused", arguments: [ContainerHint?.none, .transportStream, .fragmentedMP4])
    func empty(hint: ContainerHint?) throws {
        #expect(try refusal([], hint: hint).sentence.contains("empty"))
        #expect(try refusal([UInt8](repeating: 0, count: 5000), hint: hint).code == .sourceFormat)
        var state: UInt64 = 1
        let noise = (0..<20000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        #expect(try refusal(noise, hint: hint).code == .sourceFormat)
    }

    @Test("an error of the stream itself is passed on unchanged", .enabled(if: FFmpegProgram.isPresent))
    func streamError() throws {
        let bytes = try FFmpegProgram.clip(suffix: "ts")
        let wanted = MediaError(.sourceTimeout, "Loading x stalled.")
        #expect(throws: wanted) { try Media.codecs.openDemuxer(MemoryByteStream(bytes, failure: (0, wanted)), hint: nil) }
        let demuxer = try Media.codecs.openDemuxer(
            MemoryByteStream(bytes, isSeekable: false, failure: (bytes.count * 3 / 4, wanted)), hint: .transportStream)
        var count = 0
        let thrown = try #require(throws: MediaError.self) { while try demuxer.nextSample() != nil { count += 1 } }
        #expect(thrown == wanted && count > 20)
    }

    @Test("a truncated MP4 plays up to the cut and then reports it", .enabled(if: FFmpegProgram.isPresent))
    func cut() throws {
        let bytes = try FFmpegProgram.clip(extra: ["-movflags", "+faststart"], suffix: "mp4")
        let demuxer = try Media.demuxer(Array(bytes.prefix(bytes.count * 2 / 3)), name: "cut.mp4")
        var samples: [EncodedSample] = []
        let error = try #require(throws: MediaError.self) {
            while let sample = try demuxer.nextSample() { samples.append(sample) }
        }
        #expect(error.code == .sourceFormat && error.sentence.contains("cut.mp4") && error.sentence.contains("is truncated"))
        #expect(try demuxer.nextSample() == nil)
        #expect(samples.count > 50)
        let cutInIndex = try refusal(Array(bytes.prefix(700)))
        #expect(cutInIndex.code == .sourceFormat && cutInIndex.sentence.contains("is truncated"))
        let behind = try FFmpegProgram.clip(suffix: "mp4")
        #expect(try refusal(Array(behind.prefix(behind.count / 2))).code == .sourceFormat)
    }

    @Test("a truncated transport stream gives all available frames", .enabled(if: FFmpegProgram.isPresent))
    func cutTransportStream() throws {
        let bytes = try FFmpegProgram.clip(suffix: "ts")
        let demuxer = try Media.demuxer(Array(bytes.prefix(bytes.count / 2 + 77)), hint: .transportStream, isSeekable: false)
        let video = try Media.track(.video, of: demuxer)
        let frames = try Media.frames(try Media.samples(demuxer).filter { $0.track == video.id })
        #expect(frames.count > 10 && frames.count < 50)
    }

    @Test(
        "flipped bits cause no crash and no hang, and any failure has a sentence", .enabled(if: FFmpegProgram.isPresent),
        arguments: [
            ("mp4", ContainerHint?.none), ("ts", .transportStream), ("ts", nil), ("mkv", nil), ("mp4", .fragmentedMP4),
        ])
    func flips(suffix: String, hint: ContainerHint?) throws {
        let bytes = try FFmpegProgram.clip(seconds: 1, size: "160x90", suffix: suffix)
        var state: UInt64 = 42
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        for round in 0..<60 {
            var damaged = bytes
            // Damage in headers is the most dangerous: half of the rounds stay within the first and last few kilobytes.
            let reach = round % 2 == 0 ? damaged.count : min(2000, damaged.count)
            for _ in 0..<(1 + round / 4) {
                let place = random(reach)
                damaged[round % 4 == 1 ? place : damaged.count - 1 - place] ^= UInt8(1 << random(8))
            }
            do {
                let demuxer = try Media.demuxer(damaged, hint: hint, isSeekable: hint == nil)
                var decoders: [TrackID: any VideoDecoding] = [:]
                var listeners: [TrackID: any AudioDecoding] = [:]
                for track in demuxer.description.tracks {
                    guard let parameters = track.parameters else { continue }
                    if track.type == .video {
                        decoders[track.id] = try Media.codecs.openVideoDecoder(parameters, allocator: MemoryAllocator())
                    }
                    if track.type == .audio {
                        listeners[track.id] = try Media.codecs.openAudioDecoder(
                            parameters, output: AudioFormat(sampleRate: 48000, channels: 2), processing: nil)
                    }
                }
                while let sample = try demuxer.nextSample() {
                    _ = try decoders[sample.track]?.decode(sample)
                    _ = try listeners[sample.track]?.decode(sample)
                }
            } catch let error as MediaError {
                #expect(error.sentence.hasSuffix("."))
            }
        }
    }
}
