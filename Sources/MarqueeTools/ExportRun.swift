import BoxModel
import CommandSupport
import Display
import Export
import Housekeeping
import LinuxSupport
import MediaCodec
import MediaModel
import Playback
import Transfer
import WireFormats

/// Runs an export of the command line: its bar or its lines of JSON, and its end by a signal.
@MainActor
struct ExportRun {
    var json: Bool

    /// The quality of thumbnails, 1…100.
    nonisolated private static let jpegQuality = 80

    /// The engines of this machine.
    static func services(_ loop: MainLoop, _ loader: CurlTransfer) -> ExportServices {
        var services = ExportServices(clock: loop.clock, loader: loader, codecs: FFmpegCodecs(), writers: FFmpegWriters())
        services.renderer = CompositionRenderer(
            loader: loader, codecs: services.codecs, compositor: PictureCompositor(), clock: loop.clock)
        services.pictures = PictureMaking { frame, width, height throws(MediaError) in
            try FrameScaler.picture(frame, fittingWidth: width, height: height)
        } jpeg: { pixels throws(MediaError) in
            try pixels.jpeg(quality: jpegQuality)
        }
        return services
    }

    /// Exports, and reports the end. Blocks until done.
    ///
    /// - Throws: `CommandFault` if the file was not written.
    func run(_ session: AssetExportSession, loop: MainLoop) throws {
        let signals = try StopSignals(loop: loop)
        let bar = ProgressBar()
        var result: AssetExportSession.Status?
        let isJSON = json
        session.export { progress in
            if isJSON {
                Console.print(JSONText.object([("progress", .number("\(Double(Int(progress * 1000)) / 1000)"))]).text)
            } else {
                bar.show(done: Int(progress * 100), total: 100)
            }
        } _: {
            result = $0
        }
        loop.run(until: { result != nil || signals.hasCome })
        if result == nil { session.cancel() }
        loop.run(until: { result != nil })
        bar.clear()
        try report(session)
    }

    private func report(_ session: AssetExportSession) throws {
        let (word, error): (String, MediaError?) =
            switch session.status {
            case .failed(let error): ("failed", error)
            case .cancelled: ("cancelled", nil)
            case .completed: ("completed", nil)
            case .exporting: ("exporting", nil)
            case .unknown: ("unknown", nil)
            }
        if json {
            Console.print(
                JSONText.object([
                    ("status", .string(word)), ("output", .string(session.settings.output)),
                    ("code", .optional(error?.code.rawValue)), ("error", .optional(error?.sentence)),
                    ("remarks", .array(session.remarks.map { .string($0) })),
                ]).text)
        }
        switch session.status {
        case .failed(let error): throw CommandFault(json ? "" : error.sentence)
        case .cancelled: throw CommandFault(json ? "" : "The export was cancelled; nothing was written.")
        case .completed:
            guard !json else { break }
            Console.print("\(session.settings.output) was written.")
            session.remarks.forEach { Console.print($0) }
        case .exporting, .unknown: break
        }
    }
}
