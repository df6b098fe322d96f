import MediaModel
import MediaTime
import WireFormats

/// How small pictures are made of frames; the executable passes in the scaler of `MediaCodec` and the JPEG files of `Display`. Worker threads.
package struct PictureMaking: Sendable {
    /// A frame as an `argb8888` picture that fits a size.
    package var scale: @Sendable (_ frame: VideoFrame, _ width: Int, _ height: Int) throws(MediaError) -> PixelBuffer
    /// A picture as a JPEG file.
    package var jpeg: @Sendable (_ pixels: PixelBuffer) throws(MediaError) -> [UInt8]

    package init(
        scale: @escaping @Sendable (_ frame: VideoFrame, _ width: Int, _ height: Int) throws(MediaError) -> PixelBuffer,
        jpeg: @escaping @Sendable (_ pixels: PixelBuffer) throws(MediaError) -> [UInt8]
    ) {
        self.scale = scale
        self.jpeg = jpeg
    }
}

/// Which thumbnails are made. A value.
package struct ThumbnailSettings: Sendable, Hashable {
    /// Between two pictures.
    package var interval = MediaTime.seconds(10)
    /// The width of each in pixels; pictures that are higher than wide have it as their height.
    package var width = 320

    package init() {}

    /// The limits of what is asked for.
    package static let intervals = MediaTime.milliseconds(100)...MediaTime.seconds(86_400)
    package static let widths = 16...1920
}

/// Writes the key pictures of a file as small ones, in a BIF file or on a sheet. Runs on one thread, which waits for bytes, the processor and the disk.
final class ThumbnailExport {
    private let url: String
    private let settings: ExportSettings
    private let services: ExportServices
    private let control: ExportControl
    private let onProgress: () -> Void

    /// JPEG files have at most 65,535 pixels a side; a sheet must also fit in memory.
    private static let longestSide = 16_384
    /// Columns of a sheet.
    private static let columns = 10

    init(
        _ url: String, _ settings: ExportSettings, _ services: ExportServices, _ control: ExportControl,
        onProgress: @escaping () -> Void
    ) {
        self.url = url
        self.settings = settings
        self.services = services
        self.control = control
        self.onProgress = onProgress
    }

    private func refuse(_ reason: String) -> MediaError {
        MediaError(.sourceFormat, "Making thumbnails of \(url) was refused: \(reason).")
    }

    /// Makes the pictures. Nothing is left under the final name if that fails or is cancelled.
    ///
    /// - Returns: false when it was cancelled.
    /// - Throws: why it failed. A cancelled source looks truncated.
    func run() throws(MediaError) -> Bool {
        guard let making = services.pictures else { throw refuse("this program cannot make pictures; use marquee thumbnails") }
        guard ThumbnailSettings.intervals.contains(settings.thumbnails.interval),
            ThumbnailSettings.widths.contains(settings.thumbnails.width)
        else {
            throw refuse(
                "the distance is from \(ThumbnailSettings.intervals.lowerBound) to \(ThumbnailSettings.intervals.upperBound) s, "
                    + "and the width from \(ThumbnailSettings.widths.lowerBound) to \(ThumbnailSettings.widths.upperBound) pixels"
            )
        }
        let reader = try AssetReader(url: url, loader: services.loader, codecs: services.codecs, streams: control.streams)
        if SameFile.isSame(url, settings.output) { throw refuse("the output is the source, which is never changed") }
        let times = try times(reader)
        let frames = KeyPictures(reader, try reader.track(nil, of: .video), services.codecs)
        let file = try services.folder.makeFile(settings.output, replaces: settings.replaces)
        defer { file.discard() }
        let isComplete =
            settings.fileType == .bif
            ? try writeFile(times, frames, making, to: file) : try writeSheet(times, frames, making, to: file)
        guard isComplete, !control.isCancelled else { return false }
        try file.commit()
        return true
    }

    /// The times of the pictures in the asset.
    private func times(_ reader: AssetReader) throws(MediaError) -> [MediaTime] {
        guard let duration = reader.duration else { throw refuse("it does not state its duration; copy it into MP4 first") }
        let range = try ExportPlan.checked(settings.range, within: duration, url) ?? TimeRange(start: .zero, duration: duration)
        let part = TimeRange(start: range.start, end: min(range.end, duration))
        let count = (part.duration - .nanoseconds(1)).wholeSteps(of: settings.thumbnails.interval) + 1
        guard count <= BIFFormat.mostPictures else {
            throw refuse("it would have \(count) pictures, more than \(BIFFormat.mostPictures); use a longer distance")
        }
        return (0..<Int(max(count, 1))).map { part.start + settings.thumbnails.interval * $0 }
    }

    private func report(_ done: Int, of count: Int) {
        if control.reach(Double(done) / Double(count)) { onProgress() }
    }

    private func writeFile(
        _ times: [MediaTime], _ frames: KeyPictures, _ making: PictureMaking, to file: any OutputFile
    ) throws(MediaError) -> Bool {
        // The index is first, and its length is known: the pictures are written behind it.
        let blank = BIFFile.header(sizes: times.map { _ in 1 }, interval: 0) ?? []
        try blank.withUnsafeBytesTyped { bytes throws(MediaError) in try file.write(bytes) }
        var sizes: [Int] = []
        for (index, time) in times.enumerated() {
            if control.isCancelled { return false }
            let width = settings.thumbnails.width
            let jpeg = try making.jpeg(making.scale(try frames.frame(at: time), width, width))
            try jpeg.withUnsafeBytesTyped { bytes throws(MediaError) in try file.write(bytes) }
            sizes.append(jpeg.count)
            report(index + 1, of: times.count)
        }
        let interval = UInt32(clamping: settings.thumbnails.interval.milliseconds)
        guard let header = BIFFile.header(sizes: sizes, interval: interval) else {
            throw refuse("its pictures are longer than 4 GiB together; use a longer distance or a smaller width")
        }
        try file.seek(to: 0)
        try header.withUnsafeBytesTyped { bytes throws(MediaError) in try file.write(bytes) }
        return true
    }

    private func writeSheet(
        _ times: [MediaTime], _ frames: KeyPictures, _ making: PictureMaking, to file: any OutputFile
    ) throws(MediaError) -> Bool {
        var sheet: PixelBuffer?
        var cell = (width: 0, height: 0)
        let columns = min(Self.columns, times.count)
        let rows = (times.count + columns - 1) / columns
        for (index, time) in times.enumerated() {
            if control.isCancelled { return false }
            let width = settings.thumbnails.width
            let picture = try making.scale(try frames.frame(at: time), width, width)
            if sheet == nil {
                cell = (picture.width, picture.height)
                guard columns * cell.width <= Self.longestSide, rows * cell.height <= Self.longestSide else {
                    throw refuse(
                        "a sheet of \(times.count) pictures has more than \(Self.longestSide) pixels a side; use a longer distance or a smaller width"
                    )
                }
                let blank = try MemoryAllocator().makeBuffer(
                    format: .argb8888, width: columns * cell.width, height: rows * cell.height)
                blank.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
                sheet = blank
            }
            if let sheet { Self.copy(picture, to: sheet, x: index % columns * cell.width, y: index / columns * cell.height) }
            report(index + 1, of: times.count)
        }
        guard let sheet else { throw refuse("there is no picture in the range; use another one") }
        try making.jpeg(sheet).withUnsafeBytesTyped { bytes throws(MediaError) in try file.write(bytes) }
        return true
    }

    /// Copies a picture; what does not fit into the sheet is cut off.
    private static func copy(_ picture: PixelBuffer, to sheet: PixelBuffer, x: Int, y: Int) {
        let (from, to) = (picture.planes[0], sheet.planes[0])
        let (width, height) = (min(picture.width, sheet.width - x), min(picture.height, sheet.height - y))
        picture.withBytes { source in
            sheet.withMutableBytes { target in
                for row in 0..<height {
                    (target.baseAddress! + to.offset + (y + row) * to.stride + 4 * x)
                        .copyMemory(from: source.baseAddress! + from.offset + row * from.stride, byteCount: 4 * width)
                }
            }
        }
    }
}

/// Decodes key pictures of a file. Confined to one thread.
private final class KeyPictures {
    private let reader: AssetReader
    private let track: TrackDescription
    private let codecs: any CodecFactory
    private let allocator = MemoryAllocator()
    private var decoder: (any VideoDecoding)?
    private var last: (time: MediaTime, frame: VideoFrame)?

    init(_ reader: AssetReader, _ track: TrackDescription, _ codecs: any CodecFactory) {
        self.reader = reader
        self.track = track
        self.codecs = codecs
    }

    /// The key picture at or before a time; before the first one the first, and after one that cannot be decoded the last that could.
    func frame(at time: MediaTime) throws(MediaError) -> VideoFrame {
        guard let sample = try reader.keyPicture(at: time, of: track.id) else {
            if let last { return last.frame }
            throw MediaError(.sourceFormat, "Making thumbnails of \(reader.url) failed: it has no key picture; create it again.")
        }
        if let last, last.time == sample.presentationTime { return last.frame }
        if decoder == nil { decoder = try codecs.openVideoDecoder(sample.parameters, allocator: allocator) }
        guard let decoder else { fatalError("a decoder was opened") }
        var frames = try decoder.decode(sample)
        if frames.isEmpty { frames = try decoder.decode(nil) }
        decoder.flush()
        guard let frame = frames.first ?? last?.frame else {
            throw MediaError(
                .sourceFormat,
                "Making thumbnails of \(reader.url) failed: its picture at \(sample.presentationTime) s is damaged; create it again."
            )
        }
        last = (sample.presentationTime, frame)
        return frame
    }
}
