import Testing

@testable import MediaCodec

@Suite("Codec strings")
struct CodecStringTests {
    @Test(
        "codec strings of playlists are decodable, not decodable, or unknown",
        arguments: [
            ("avc1.64001f", true), ("avc1.4D401E", true), ("avc1.66.30", true), ("avc1.990000", false), ("mp4a.40.2", true),
            ("mp4a.40.5", true), ("mp4a.40.42", false), ("mp4a.6B", true), ("ac-3", true), ("ec-3", true),
            ("hvc1.2.4.L123.B0", true),
            ("ac-4", false), ("dvh1.05.06", false), ("dvh1.08.06", true), ("fLaC", true), ("av01.0.04M.08", true), ("Opus", true),
        ])
    func decides(string: String, expected: Bool) {
        #expect(FFmpegCodecs().canDecode(codecString: string) == expected)
    }

    @Test(
        "captions, nonsense and truncated strings are unknown",
        arguments: ["wvtt", "stpp.ttml.im1t", "", "zzzz.1", "avc1.64", "mp4a.40.x"])
    func unknown(string: String) {
        #expect(FFmpegCodecs().canDecode(codecString: string) == nil)
    }
}
