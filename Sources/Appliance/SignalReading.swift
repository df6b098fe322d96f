import MediaModel
import MediaTime
import Playback
import Screens

/// Reads from the player what is played and what goes out. Main loop only.
@MainActor
struct SignalReading {
    let player: Player

    var facts: SignalFacts {
        var facts = SignalFacts()
        let item = player.currentItem
        let frame = player.presentsVideo ? player.scheduler.currentFrame : nil
        if let frame, let track = item?.videoTrack {
            let rate = track.frameRate ?? Self.rate(of: frame.duration)
            let size = frame.shownSize
            facts.picture = SignalFacts.Picture(
                width: size.width, height: size.height, rate: rate, range: .init(frame.original),
                codec: Self.name(ofCodec: track.codec))
        }
        let (mode, range) = (player.services.display.mode, player.services.display.range.current)
        facts.screen = SignalFacts.Picture(
            width: mode.width, height: mode.height, rate: mode.refresh, range: range.map { .init($0.colour) } ?? .standard)
        if let track = item?.audioTrack {
            facts.sound = SignalFacts.Sound(
                format: Self.name(ofCodec: track.codec) ?? "", channels: track.channels, sampleRate: track.sampleRate)
            let format = player.services.sink.format
            if let codec = player.passedCodec {
                facts.output = SignalFacts.Sound(format: Self.name(ofCodec: codec) ?? codec)
            } else {
                facts.output = SignalFacts.Sound(format: "PCM", channels: format.channels, sampleRate: format.sampleRate)
            }
        }
        return facts
    }

    private static func rate(of duration: MediaTime) -> Ratio? {
        duration.value > 0 ? Ratio(Int64(duration.timescale), duration.value) : nil
    }

    /// The usual name of a codec, of which the source has FFmpeg's name or that of RFC 6381; nil if it has none.
    static func name(ofCodec codec: String) -> String? {
        let word = codec.lowercased().prefix { $0 != "." }
        switch word {
        case "": return nil
        case "h264", "avc1", "avc3": return "H.264"
        case "hevc", "hvc1", "hev1": return "HEVC"
        case "av1", "av01": return "AV1"
        case "vp9", "vp09": return "VP9"
        case "mpeg2video": return "MPEG-2"
        case "mpeg4", "mp4v": return "MPEG-4"
        case "aac", "mp4a": return "AAC"
        case "ac3", "ac-3": return "AC-3"
        case "eac3", "ec-3": return "E-AC-3"
        case "mp2", "mp3", "opus", "flac", "alac", "dts": return word == "opus" ? "Opus" : word.uppercased()
        case _ where word.hasPrefix("pcm"): return "PCM"
        default: return word.uppercased()
        }
    }
}

extension SignalFacts.DynamicRange {
    init(_ colour: ColourDescription) {
        switch colour.transfer {
        case .standard: self = .standard
        case .pq: self = .hdr10
        case .hlg: self = .hlg
        }
    }
}

/// The words of the log for a screen.
enum ScreenWords {
    /// What follows the mode: nothing for a standard range.
    static func range(_ range: ScreenRange) -> String {
        if let current = range.current { return ", \(SignalFacts.DynamicRange(current.colour).rawValue)" }
        return range.refusal.map { "; HDR is shown as SDR: \($0)" } ?? ""
    }
}
