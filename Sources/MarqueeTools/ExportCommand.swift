import ArgumentParser
import CommandSupport
import Composition
import Export
import Glibc
import Housekeeping
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Transfer
import WireFormats

/// `marquee export`: a file or an edited programme as a new file.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: CommandName.export.abstract,
        discussion: "Presets: \(ExportPreset.allCases.map(\.rawValue).joined(separator: ", ")). "
            + "File types: \(ExportFileType.allCases.map(\.rawValue).joined(separator: ", ")).")

    @Option(name: .customLong("in"), help: "A file or address of media; not with --composition.", completion: .file())
    var source: String?

    @Option(help: "A file or address of a composition; not with --in.", completion: .file())
    var composition: String?

    @Option(name: .customLong("out"), help: "The file to write.", completion: .file())
    var output: String?

    @Option(help: "What to make of the samples.")
    var preset = ExportPreset.passthrough

    @Option(help: "The part to export, in seconds: START+LENGTH or START-END.")
    var range: ExportRange?

    @Option(help: "The kind of file. Default mp4, and bif for thumbnails.")
    var type: ExportFileType?

    @Option(help: "Which tags are written: kept, filteredForSharing or none.")
    var metadata = ExportMetadata.kept

    @Option(help: "The constant quality of H.264, 0 to 51; lower is better. Default 23.")
    var quality: Int?

    @Option(help: "The speed of the H.264 encoder: a preset of libx264. Default medium.")
    var speed: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Print progress and result as JSON, one object a line.")
    var json = false

    @Flag(help: "Print the presets and file types of this machine for the source, and write nothing.")
    var list = false

    func validate() throws {
        if (source == nil) == (composition == nil) { throw ValidationError("Give either --in or --composition.") }
        if output == nil, !list { throw ValidationError("Give the file to write with --out.") }
        if output == "-" {
            throw ValidationError(
                "An export goes back in its file to complete it, which standard output does not allow: give a file with --out.")
        }
        if let output, output.lowercased().hasSuffix(".m3u8") {
            throw ValidationError(
                "\(output) names a playlist, and HLS is a folder of files: give the folder with --out, and --type hls.")
        }
        if let quality, !(0...51).contains(quality) { throw ValidationError("--quality is from 0 to 51.") }
        if let speed, !Self.speeds.contains(speed) {
            throw ValidationError("--speed is one of \(Self.speeds.joined(separator: ", ")).")
        }
    }

    private static let speeds = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
    ]

    func run() throws {
        try MainActor.assumeIsolated {
            StopSignals.hold()
            try export()
        }
    }

    @MainActor
    private func export() throws {
        let loop = try MainLoop(time: .real)
        let loader = CurlTransfer(clock: loop.clock, version: Program.version)
        let services = ExportRun.services(loop, loader)
        let input = try input(loop, loader)
        if list { return try printOffer(input, services) }
        var settings = ExportSettings(output: output ?? "")
        settings.preset = preset
        settings.fileType = type ?? preset.defaultFileType
        settings.range = range?.range
        settings.metadata = metadata
        settings.replaces = force
        settings.quality = quality
        settings.speed = speed
        try ExportRun(json: json).run(AssetExportSession(input, settings, services: services), loop: loop)
    }

    @MainActor
    private func input(_ loop: MainLoop, _ loader: CurlTransfer) throws -> ExportInput {
        guard let composition else { return .asset(source ?? "") }
        return .composition(try ComposeCommand.document(composition, loop: loop, loader: loader), name: composition)
    }

    @MainActor
    private func printOffer(_ input: ExportInput, _ services: ExportServices) throws {
        let types = try ExportOffer.types(of: input, services)
        let presets = ExportOffer.compatiblePresets(for: types, writers: services.writers)
        if json {
            let offers = presets.map { preset in
                JSONText.object([
                    ("preset", .string(preset.rawValue)),
                    (
                        "types",
                        .array(ExportOffer.fileTypes(for: preset, writers: services.writers).map { .string($0.rawValue) })
                    ),
                ])
            }
            return Console.write(JSONText.array(offers).indentedText + "\n")
        }
        for preset in ExportPreset.allCases {
            if let refusal = ExportOffer.refusal(of: preset, preset.defaultFileType, types, services.writers) {
                Console.print("\(preset.rawValue): no. \(refusal.sentence)")
            } else {
                let files = ExportOffer.fileTypes(for: preset, writers: services.writers).map(\.rawValue)
                Console.print("\(preset.rawValue): \(files.joined(separator: ", "))")
            }
        }
    }
}

extension ExportPreset: ExpressibleByArgument {}
extension ExportFileType: ExpressibleByArgument {}
extension ExportMetadata: ExpressibleByArgument {}

/// A range on the command line: `START+LENGTH` or `START-END`, in decimal seconds. Neither is negative; the rest is the export's to refuse.
struct ExportRange: ExpressibleByArgument, Equatable {
    let range: TimeRange

    init?(argument: String) {
        for separator in ["+", "-"] as [Character] {
            let parts = argument.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count == 2, let start = MediaTime(decimalSeconds: parts[0]),
                let second = MediaTime(decimalSeconds: parts[1])
            else { continue }
            if separator == "+" {
                range = TimeRange(start: start, duration: second)
                return
            }
            guard second >= start else { return nil }
            range = TimeRange(start: start, end: second)
            return
        }
        return nil
    }
}
