import Cryptography
import HLSPlaylist
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

@Suite("AES-128 of whole segments", .serialized)
@MainActor
struct EncryptionTests {
    private static let firstKey = [UInt8](1...16)
    private static let secondKey = [UInt8](101...116)

    @Test("NIST's example of AES-128-CBC (SP 800-38A, F.2.2) in pieces of any size", arguments: [1, 5, 16, 17, 64])
    func example(_ piece: Int) throws {
        let key: [UInt8] = [0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c]
        let cipherText: [UInt8] = [
            0x76, 0x49, 0xab, 0xac, 0x81, 0x19, 0xb2, 0x46, 0xce, 0xe9, 0x8e, 0x9b, 0x12, 0xe9, 0x19, 0x7d,
            0x50, 0x86, 0xcb, 0x9b, 0x50, 0x72, 0x19, 0xee, 0x95, 0xdb, 0x11, 0x3a, 0x91, 0x76, 0x78, 0xb2,
        ]
        let clear: [UInt8] = [
            0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a,
            0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51,
        ]
        let cipher = try #require(CBCDecryption(key: key, initializationVector: [UInt8](0...15)))
        var result: [UInt8] = []
        for start in stride(from: 0, to: cipherText.count, by: piece) {
            result += cipher.decrypt(Array(cipherText[start..<min(start + piece, cipherText.count)]))
        }
        // It has no padding, and none is removed.
        #expect(result + cipher.finish() == clear)
    }

    @Test("padding is removed at every length", arguments: [1, 15, 16, 17, 376, 5000])
    func padding(_ length: Int) throws {
        let clear = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let cipherText = Enciphered.bytes(clear, key: Self.firstKey, vector: Enciphered.vector(3))
        #expect(CBCDecryption.decrypt(cipherText, key: Self.firstKey, initializationVector: Enciphered.vector(3)) == clear)
    }

    @Test("a key of another length is refused")
    func wrongLength() {
        #expect(CBCDecryption(key: [1, 2, 3], initializationVector: Enciphered.vector(0)) == nil)
    }

    /// Four segments: two under one key with their numbers as IV, one under another key with its own IV, one unencrypted.
    private func makeRig(keys: Bool = true) throws -> SourceRig {
        let rig = try SourceRig()
        rig.put(
            """
            #EXTM3U
            #EXT-X-VERSION:5
            #EXT-X-TARGETDURATION:1
            #EXT-X-MEDIA-SEQUENCE:7
            #EXT-X-KEY:METHOD=AES-128,URI="first.key"
            #EXTINF:1,
            0.ts
            #EXTINF:1,
            1.ts
            #EXT-X-KEY:METHOD=AES-128,URI="second.key",IV=0x000102030405060708090a0b0c0d0e0f
            #EXTINF:1,
            2.ts
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:1,
            3.ts
            #EXT-X-ENDLIST
            """, at: "http://test/main.m3u8")
        func clear(_ number: Int64) -> [UInt8] { FakeSegment.bytes(kinds: "va", start: 900_000 + number * 90_000) }
        rig.loader.put(Enciphered.bytes(clear(0), key: Self.firstKey, vector: Enciphered.vector(7)), at: "http://test/0.ts")
        rig.loader.put(Enciphered.bytes(clear(1), key: Self.firstKey, vector: Enciphered.vector(8)), at: "http://test/1.ts")
        rig.loader.put(Enciphered.bytes(clear(2), key: Self.secondKey, vector: [UInt8](0...15)), at: "http://test/2.ts")
        rig.loader.put(clear(3), at: "http://test/3.ts")
        if keys {
            rig.loader.put(Self.firstKey, at: "http://test/first.key")
            rig.loader.put(Self.secondKey, at: "http://test/second.key")
        }
        return rig
    }

    @Test(
        "keys rotate, IVs are numbers or stated, an unencrypted segment follows: no sample is missing, and each key is loaded once"
    )
    func rotation() throws {
        let rig = try makeRig()
        defer { rig.close() }
        _ = rig.prepare("http://test/main.m3u8")
        let deliveries = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), TrackID(1)]), [0, 1])
        #expect(deliveries[0]!.times == frames(0..<100))
        #expect(deliveries[1]!.times == frames(0..<100))
        // One run: the demuxer does not notice the keys.
        #expect(Set(deliveries[0]!.samples.map(\.run)) == [0])
        #expect(rig.loader.requests.filter { $0.hasSuffix(".key") } == ["http://test/first.key", "http://test/second.key"])
    }

    @Test("a session key is loaded before a segment needs it, and only once; one that was missing is asked for again")
    func sessionKeys() throws {
        for isThere in [true, false] {
            let rig = try makeRig(keys: isThere)
            defer { rig.close() }
            rig.put(
                """
                #EXTM3U
                #EXT-X-SESSION-KEY:METHOD=AES-128,URI="first.key"
                #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"
                #EXT-X-STREAM-INF:BANDWIDTH=100000
                main.m3u8
                """, at: "http://test/all.m3u8")
            _ = rig.prepare("http://test/all.m3u8")
            rig.run { rig.loader.requests.contains("http://test/first.key") }
            #expect(rig.loader.requests.filter { $0.hasSuffix("key") || $0.hasSuffix(".ts") } == ["http://test/first.key"])
            rig.loader.put(Self.firstKey, at: "http://test/first.key")
            rig.loader.put(Self.secondKey, at: "http://test/second.key")
            let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]
            #expect(delivery?.times == frames(0..<100) && delivery?.error == nil)
            #expect(rig.loader.requests.filter { $0.hasSuffix("first.key") }.count == (isThere ? 1 : 2))
        }
    }

    @Test("a seek into the middle loads only the key that applies there")
    func seek() throws {
        let rig = try makeRig()
        defer { rig.close() }
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .milliseconds(2500), tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(50..<100))
        #expect(rig.loader.requests.filter { $0.hasSuffix(".key") } == ["http://test/second.key"])
    }

    @Test("a missing key and an invalid one are reported with their address")
    func missingKey() throws {
        let missing = try makeRig(keys: false)
        defer { missing.close() }
        _ = missing.prepare("http://test/main.m3u8")
        let delivery = missing.read(missing.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.error?.sentence.contains("first.key") == true)
        let wrong = try makeRig()
        defer { wrong.close() }
        wrong.put("<html>", at: "http://test/first.key")
        _ = wrong.prepare("http://test/main.m3u8")
        let other = wrong.read(wrong.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(other.error?.code == .sourceFormat)
        #expect(other.error?.sentence.contains("16 bytes") == true)
    }

    @Test(
        "keys that the box does not have are reported as protected content",
        arguments: [
            ("METHOD=SAMPLE-AES,URI=\"k\"", "SAMPLE-AES"),
            (
                "METHOD=SAMPLE-AES-CTR,URI=\"data:x\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"",
                "SAMPLE-AES-CTR"
            ),
            ("METHOD=AES-128,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", "com.apple.streamingkeydelivery"),
        ])
    func protected(_ attributes: String, _ name: String) throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:\(attributes)\n#EXTINF:1,\n0.ts\n#EXT-X-ENDLIST\n",
            at: "http://test/main.m3u8")
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.error?.code == .protected)
        #expect(delivery.error?.sentence.contains(name) == true)
        #expect(!rig.loader.requests.contains("http://test/0.ts"))
    }

    @Test("an encrypted initialization section is decrypted with the key at its tag")
    func initialization() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put(
            """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:1
            #EXT-X-KEY:METHOD=AES-128,URI="first.key",IV=0x000102030405060708090a0b0c0d0e0f
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:1,
            0.m4s
            #EXT-X-ENDLIST
            """, at: "http://test/main.m3u8")
        rig.loader.put(Self.firstKey, at: "http://test/first.key")
        rig.loader.put(
            Enciphered.bytes(FakeSegment.initialisation(), key: Self.firstKey, vector: [UInt8](0...15)),
            at: "http://test/init.mp4")
        rig.loader.put(
            Enciphered.bytes(FakeSegment.bytes(start: 0), key: Self.firstKey, vector: [UInt8](0...15)), at: "http://test/0.m4s")
        _ = rig.prepare("http://test/main.m3u8")
        #expect(rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!.times == frames(0..<25))
    }
}
