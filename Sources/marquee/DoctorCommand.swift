import ArgumentParser
import LinuxSupport
import MediaModel

/// `marquee doctor`: what was found, what is used, and why not better.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what was found on this machine, what is used, and why not better.")

    @OptionGroup var options: PlayerOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let facts = try MainActor.assumeIsolated { try examine() }
        Console.print(
            json
                ? JSONText.object(facts.map { ($0.0, .string($0.1)) }).text
                : facts.map { "\($0.0): \($0.1)" }.joined(separator: "\n"))
    }

    @MainActor
    private func examine() throws -> [(String, String)] {
        let plan = Box.Plan(display: try options.displayChoice(), audio: try options.audioChoice())
        let box: Box
        do {
            box = try Box(plan)
        } catch let error as MediaError {
            return [("display", error.sentence)]
        }
        defer { box.close() }
        return [
            ("display", box.display.name), ("mode", box.display.mode.description),
            ("video memory", describe(box.display.videoAllocator)),
            ("interface memory", describe(box.display.interfaceAllocator)),
            ("sound", box.player.services.sink.name), ("decoder threads", String(box.codecs.videoThreads)),
        ] + box.log.tail(20).map { ("note", $0) }
    }

    private func describe(_ allocator: any FrameAllocator) -> String {
        "\(allocator.name), \(allocator.isCached ? "cached" : "uncached: decoders write elsewhere and pictures are copied")"
    }
}
