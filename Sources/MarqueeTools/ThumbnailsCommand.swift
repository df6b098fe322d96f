import ArgumentParser
import CommandSupport
import Export
import Housekeeping
import LinuxSupport
import MediaTime
import Transfer

/// `marquee thumbnails`: small pictures of a film for scrubbing.
struct ThumbnailsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails", abstract: CommandName.thumbnails.abstract)

    @Option(name: .customLong("in"), help: "A file or address of media.", completion: .file())
    var source: String

    @Option(name: .customLong("out"), help: "The file to write: NAME.bif, or a sheet as NAME.jpg.", completion: .file())
    var output: String

    @Option(help: "Seconds between two pictures.")
    var interval = "10"

    @Option(help: "Their width in pixels; the height, if they are higher than wide.")
    var width = 320

    @Option(help: "The part of the film, in seconds: START+LENGTH or START-END.")
    var range: ExportRange?

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Print progress and result as JSON, one object a line.")
    var json = false

    func validate() throws {
        guard let interval = MediaTime(decimalSeconds: interval), ThumbnailSettings.intervals.contains(interval) else {
            throw ValidationError("--interval is from 0.1 to 86400 seconds.")
        }
        guard ThumbnailSettings.widths.contains(width) else { throw ValidationError("--width is from 16 to 1920 pixels.") }
        if fileType == nil { throw ValidationError("The name of the file to write ends with .bif or .jpg.") }
    }

    private var fileType: ExportFileType? {
        let name = output.lowercased()
        if name.hasSuffix(".bif") { return .bif }
        return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") ? .jpegSheet : nil
    }

    func run() throws {
        try MainActor.assumeIsolated {
            StopSignals.hold()
            let loop = try MainLoop(time: .real)
            let services = ExportRun.services(loop, CurlTransfer(clock: loop.clock, version: Program.version))
            var settings = ExportSettings(output: output)
            settings.preset = .thumbnails
            settings.fileType = fileType ?? .bif
            settings.range = range?.range
            settings.replaces = force
            settings.thumbnails.interval = MediaTime(decimalSeconds: interval) ?? settings.thumbnails.interval
            settings.thumbnails.width = width
            try ExportRun(json: json).run(AssetExportSession(.asset(source), settings, services: services), loop: loop)
        }
    }
}
