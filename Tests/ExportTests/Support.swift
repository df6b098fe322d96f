import Display
import Export
import Glibc
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Playback
import Synchronization
import TestSupport
import Transfer

/// Exports on the real clock, and what reads their files.
@MainActor
final class Studio {
    let loop: MainLoop
    let folder = ScratchFolder("export")
    let codecs = FFmpegCodecs(videoThreads: 2)
    var services: ExportServices

    init() throws {
        loop = try MainLoop(time: .real)
        let loader = CurlTransfer(clock: loop.clock, version: "test")
        services = ExportServices(clock: loop.clock, loader: loader, codecs: codecs, writers: FFmpegWriters())
        services.renderer = CompositionRenderer(
            loader: loader, codecs: codecs, compositor: PictureCompositor(), clock: loop.clock)
    }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// All names in the folder, those of drafts too.
    var names: [String] {
        guard let stream = opendir(folder.path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    /// Exports and waits for the end.
    @discardableResult
    func export(
        _ input: ExportInput, to name: String = "out.mp4", _ change: (inout ExportSettings) -> Void = { _ in }
    ) -> AssetExportSession {
        var settings = ExportSettings(output: name.hasPrefix("/") ? name : path(name))
        change(&settings)
        let session = AssetExportSession(input, settings, services: services)
        var isOver = false
        session.export { _ in isOver = true }
        loop.run(until: { isOver })
        return session
    }

    /// The samples of a file of one type, as the project's own demuxer reads them.
    func samples(_ path: String, _ type: MediaType) throws -> [EncodedSample] {
        let demuxer = try codecs.openDemuxer(MemoryByteStream(try bytes(path), name: path), hint: nil)
        guard let track = demuxer.description.tracks.first(where: { $0.type == type }) else { return [] }
        demuxer.select([track.id])
        var samples: [EncodedSample] = []
        while let sample = try demuxer.nextSample() { samples.append(sample) }
        return samples
    }

    func description(_ path: String) throws -> ContainerDescription {
        try codecs.openDemuxer(MemoryByteStream(try bytes(path), name: path), hint: nil).description
    }

    func bytes(_ path: String) throws -> [UInt8] {
        guard let bytes = fileBytes(path) else { throw FileFailure(description: "\(path) could not be read") }
        return bytes
    }

    /// The numbers of the pictures that are shown, with their times from the start of the file.
    func pictures(_ path: String) throws -> [(time: MediaTime, number: Int?)] { try frames(path).map { ($0.time, $0.number) } }

    /// The pictures that are shown, with the luma of their fields.
    func frames(_ path: String) throws -> [(time: MediaTime, number: Int?, levels: [Double])] {
        let start = try description(path).startTime
        let samples = try samples(path, .video)
        guard let first = samples.first else { return [] }
        let decoder = try codecs.openVideoDecoder(first.parameters, allocator: MemoryAllocator())
        let frames = try samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)
        return frames.map { ($0.time - start, NumberGrid.number(in: $0.pixels), NumberGrid.levels(in: $0.pixels)) }
    }

    /// The sound that is heard, from the start of the file.
    func sound(_ path: String) throws -> [AudioBuffer] {
        let samples = try samples(path, .audio)
        guard let first = samples.first else { return [] }
        let format = AudioFormat(sampleRate: 48_000, channels: 2)
        let decoder = try codecs.openAudioDecoder(first.parameters, output: format, processing: nil)
        return try samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)
    }
}

extension EncodedSample {
    var bytes: [UInt8] { payload.withBytes { Array($0) } }
}

/// A file of a test that could not be read or written.
struct FileFailure: Error, CustomStringConvertible {
    let description: String
}
