import Composition
import LinuxSupport
import MediaModel
import MediaSources

/// What an export needs from outside.
package struct ExportServices: Sendable {
    package var clock: any HostClock
    package var loader: any ByteLoading
    package var codecs: any CodecFactory
    package var writers: any WriterFactory
    /// What renders edited programmes; nil: those that need it are refused.
    package var renderer: (any CompositionRendering)?
    /// Where files are written.
    package var folder: any OutputFolder = DiskFolder()
    /// How thumbnails are made; nil: they are not.
    package var pictures: PictureMaking?

    package init(clock: any HostClock, loader: any ByteLoading, codecs: any CodecFactory, writers: any WriterFactory) {
        self.clock = clock
        self.loader = loader
        self.codecs = codecs
        self.writers = writers
    }
}

/// Writes an asset, or an edited programme, as a new file; the counterpart of `AVAssetExportSession`. The original is only read.
///
/// The file is written under a temporary name and gets its own when it is complete. Lives on the main loop; the work is on the thread `export`.
@MainActor
package final class AssetExportSession {
    /// How far a session is.
    package enum Status: Sendable, Equatable {
        case unknown
        case exporting
        case completed
        case failed(MediaError)
        case cancelled
    }
    package let input: ExportInput
    package let settings: ExportSettings
    package private(set) var status = Status.unknown
    private let services: ExportServices
    private let control = ExportControl()

    package init(_ input: ExportInput, _ settings: ExportSettings, services: ExportServices) {
        self.input = input
        self.settings = settings
        self.services = services
    }

    /// From 0 to 1. It stays at 0 if the source does not state how long it is.
    package var progress: Double { status == .completed ? 1 : control.progress }

    /// What of the source is not in the file, such as captions that it has no place for: a sentence each. Complete when the export is.
    package var remarks: [String] { control.remarks }

    /// Starts the export. Called once.
    ///
    /// - Parameters:
    ///   - onProgress: called two hundred times.
    ///   - completion: called once, with a status that is final.
    package func export(
        onProgress: @escaping @MainActor @Sendable (Double) -> Void = { _ in },
        _ completion: @escaping @MainActor @Sendable (Status) -> Void
    ) {
        precondition(status == .unknown, "a session exports once")
        status = .exporting
        let (input, settings, services, control) = (input, settings, services, control)
        let thread = WorkerThread(name: "export", clock: services.clock)
        let bell = services.clock.makeDoorbell(rank: .media) { [weak self] in
            guard let self, self.status == .exporting else { return }
            onProgress(control.progress)
        }
        services.clock.computeWaiting(on: thread, rank: .media) {
            do throws(MediaError) {
                return try Self.work(input, settings, services, control) { bell.ring() } ? Status.completed : .cancelled
            } catch {
                return control.isCancelled ? .cancelled : .failed(error)
            }
        } then: { status in
            thread.retire()
            self.status = status
            completion(status)
        }
    }

    /// Does the work, on its thread.
    ///
    /// - Returns: false when it was cancelled.
    nonisolated private static func work(
        _ input: ExportInput, _ settings: ExportSettings, _ services: ExportServices, _ control: ExportControl,
        onProgress: @escaping () -> Void
    ) throws(MediaError) -> Bool {
        guard settings.preset == .thumbnails else {
            return try MovieExport(input, settings, services, control, onProgress: onProgress).run()
        }
        if let refusal = ExportOffer.refusal(of: .thumbnails, settings.fileType, [.video], services.writers) { throw refusal }
        guard case .asset(let url) = input else {
            throw MediaError(
                .sourceFormat,
                "Making thumbnails of \(input.name) was refused: it is a composition; export it first, and make them of the new file."
            )
        }
        return try ThumbnailExport(url, settings, services, control, onProgress: onProgress).run()
    }

    /// Ends the export; its completion comes with `cancelled`, unless the file is complete already.
    package func cancel() { control.cancel() }
}
