import CFFmpeg

/// Codec strings of RFC 6381, as in playlists' CODECS attributes.
enum CodecString {
    /// Whether a decoder exists; nil for unknown strings and for captions, which need no decoder.
    static func canDecode(_ string: String) -> Bool? {
        let parts = string.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let kind = parts.first else { return nil }
        switch kind.lowercased() {
        case "avc1", "avc3": return h264(parts).map { $0 && hasDecoder(AV_CODEC_ID_H264) }
        case "hvc1", "hev1": return hasDecoder(AV_CODEC_ID_HEVC)
        // Dolby Vision profile 5 has no base layer that looks right without the metadata; other profiles are decoded as HEVC.
        case "dvh1", "dvhe": return parts.count > 1 && parts[1] != "05" && hasDecoder(AV_CODEC_ID_HEVC)
        case "mp4a": return mp4Audio(parts)
        case "mp4v": return hasDecoder(AV_CODEC_ID_MPEG4)
        case "ac-3": return hasDecoder(AV_CODEC_ID_AC3)
        case "ec-3": return hasDecoder(AV_CODEC_ID_EAC3)
        case "ac-4": return false
        case "opus": return hasDecoder(AV_CODEC_ID_OPUS)
        case "flac": return hasDecoder(AV_CODEC_ID_FLAC)
        case "alac": return hasDecoder(AV_CODEC_ID_ALAC)
        case "vp8", "vp08": return hasDecoder(AV_CODEC_ID_VP8)
        case "vp9", "vp09": return hasDecoder(AV_CODEC_ID_VP9)
        case "av01": return hasDecoder(AV_CODEC_ID_AV1)
        default: return nil
        }
    }

    private static func hasDecoder(_ id: AVCodecID) -> Bool { avcodec_find_decoder(id) != nil }

    /// `avc1.PPCCLL`: profile, constraints and level in hexadecimal. Old playlists use `avc1.PP.LL` in decimal.
    private static func h264(_ parts: [String]) -> Bool? {
        guard parts.count >= 2 else { return parts.count == 1 ? true : nil }
        let profile = parts.count == 3 ? Int(parts[1]) : parts[1].count == 6 ? Int(parts[1].prefix(2), radix: 16) : nil
        // Baseline, main, extended, high, high 10, high 4:2:2, high 4:4:4 predictive, CAVLC 4:4:4 intra (H.264, annex A).
        return profile.map { [66, 77, 88, 100, 110, 122, 244, 44].contains($0) }
    }

    /// `mp4a.OO.A`: the object type indication in hexadecimal and, for MPEG-4 audio (40), the audio object type in decimal.
    private static func mp4Audio(_ parts: [String]) -> Bool? {
        guard parts.count >= 2 else { return parts.count == 1 ? hasDecoder(AV_CODEC_ID_AAC) : nil }
        switch parts[1].lowercased() {
        case "40":
            guard parts.count == 3, let type = Int(parts[2]) else { return parts.count == 2 ? hasDecoder(AV_CODEC_ID_AAC) : nil }
            // AAC main, LC, LTP, SBR, PS, and the error resilient LC, LD, ELD; MPEG-1 layer 3 is 34; xHE-AAC (42) has no decoder.
            if [1, 2, 4, 5, 17, 23, 29, 39].contains(type) { return hasDecoder(AV_CODEC_ID_AAC) }
            return type == 34 ? hasDecoder(AV_CODEC_ID_MP3) : false
        case "66", "67", "68": return hasDecoder(AV_CODEC_ID_AAC)
        case "69", "6b": return hasDecoder(AV_CODEC_ID_MP3)
        case "a5": return hasDecoder(AV_CODEC_ID_AC3)
        case "a6": return hasDecoder(AV_CODEC_ID_EAC3)
        case "ad": return hasDecoder(AV_CODEC_ID_OPUS)
        default: return nil
        }
    }

    /// The string of a track (RFC 6381, 3.3); nil for codecs whose parameters are not read here.
    static func string(of parameters: StreamParameters) -> String? {
        switch parameters.codecName {
        case "h264": h264(header: parameters.privateData)
        case "aac": aac(parameters.withParameters { $0.pointee.profile })
        case "ac3": "ac-3"
        case "eac3": "ec-3"
        case "opus": "Opus"
        case "flac": "fLaC"
        case "mp3": "mp4a.40.34"
        default: nil
        }
    }

    /// Profile, constraints and level, from `avcC` (ISO/IEC 14496-15, 5.3.3.1) or a sequence parameter set behind a start code.
    private static func h264(header: [UInt8]) -> String? {
        var bytes = header[...]
        if bytes.first == 1 {
            bytes = bytes.dropFirst()
        } else {
            guard let one = bytes.prefix(4).firstIndex(of: 1), bytes.count > one + 1, bytes[one + 1] & 0x1F == 7 else {
                return nil
            }
            bytes = bytes[(one + 2)...]
        }
        guard bytes.count >= 3 else { return nil }
        return "avc1." + bytes.prefix(3).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    /// The audio object type is one more than FFmpeg's profile.
    private static func aac(_ profile: Int32) -> String { "mp4a.40.\(profile >= 0 ? profile + 1 : 2)" }
}
