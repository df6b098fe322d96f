import BoxAssembly
import Display
import Glibc
import Housekeeping
import LinuxSupport
import MediaCodec
import MediaModel
import Playback
import Sound

/// The devices that the running player found, written to a file for `doctor`, which cannot open the card at the same time.
@MainActor
enum FoundParts {
    private nonisolated static var file: String { (RuntimeFolder.path ?? "/run/marquee") + "/parts" }

    /// The parts of a box.
    static func facts(of box: Box) -> [BoxExamination.Fact] {
        let display = box.display
        let probe = DisplayFactory.probe(display)
        let parts: [BoxExamination.Fact] = [
            ("display", display.name), ("mode", display.mode.description),
            ("video memory", describe(display.videoAllocator)), ("interface memory", describe(display.interfaceAllocator)),
            ("sound", sound(box)), ("passthrough", passthrough(box)),
            ("decoder threads", String(FFmpegCodecs.standardVideoThreads)), ("hardware decoders", hardwareDecoders(box)),
        ]
        let page: [BoxExamination.Fact] =
            box.pageCertificate.map { [("page", "https for other machines, \($0)")] } ?? []
        return parts + page
            + (probe?.memoryFacts.map { ($0.name, $0.words) } ?? [])
            + (probe.map { $0.cardFacts + $0.remarks } ?? []).map { ("found", $0) }
    }

    /// Writes the file, if this is a service.
    static func write(of box: Box) {
        guard let folder = RuntimeFolder.path else { return }
        let text = facts(of: box).map { "\($0.0): \($0.1)\n" }.joined()
        WholeFile.write(Array(text.utf8), to: folder + "/parts")
    }

    /// Removes the file: the player ends, and its parts are free.
    static func remove() {
        guard let folder = RuntimeFolder.path else { return }
        _ = unlink(folder + "/parts")
    }

    /// The file of the player that runs on this machine; nil if none does. Any thread.
    nonisolated static func read() -> [BoxExamination.Fact]? {
        guard let bytes = WholeFile.read(file) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }

    /// The audio output, its number of channels, and the reason for them.
    private static func sound(_ box: Box) -> String {
        let sink = box.player.services.sink
        let device = sink.name == "alsa:default" ? nil : String(sink.name.dropFirst(5))
        let words = "\(sink.name), \(sink.format.channels) channels"
        guard sink.name.hasPrefix("alsa:") else { return words }
        guard let output = SurroundOutput.find(for: device) else { return words + ": no screen reports more channels" }
        return words + ": \(output.screenName.isEmpty ? "the screen" : output.screenName) takes \(output.channels)"
    }

    /// Whether encoded sound is passed through, and to what.
    private static func passthrough(_ box: Box) -> String {
        guard box.player.services.passesSoundThrough else { return "off (audio.passthrough)" }
        let name = box.player.services.sink.name
        guard name.hasPrefix("alsa:") else { return "on; \(name) decides" }
        return PassthroughOutput.find(for: name == "alsa:default" ? nil : String(name.dropFirst(5)))?.words
            ?? "on, but no HDMI or S/PDIF output accepts encoded sound: it is decoded here"
    }

    /// The hardware decoders that are tried.
    private static func hardwareDecoders(_ box: Box) -> String {
        guard box.player.services.decodesInHardware else { return "off" }
        let found = FFmpegCodecs.hardwareDecoders
        return found.isEmpty ? "none in this build of FFmpeg" : found.joined(separator: ", ")
    }

    private static func describe(_ allocator: any FrameAllocator) -> String {
        "\(allocator.name), \(allocator.isCached ? "cached" : "uncached: decoders write elsewhere and pictures are copied")"
    }
}
