import Composition
import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Synchronization
import TestSupport
import Testing
import WireFormats

@testable import Export

/// A disk on which writing fails after some bytes.
private final class FullDisk: OutputFolder {
    private let room: Int64
    init(room: Int64) { self.room = room }

    func makeFile(_ path: String, replaces: Bool) throws(MediaError) -> any OutputFile {
        LimitedFile(try DiskFolder().makeFile(path, replaces: replaces), room: room)
    }

    func makeFolder(_ path: String) throws(MediaError) -> any OutputFolderDraft {
        LimitedFolder(try DiskFolder().makeFolder(path), room: room)
    }

    private final class LimitedFolder: OutputFolderDraft {
        private let folder: any OutputFolderDraft
        private var room: Int64
        init(_ folder: any OutputFolderDraft, room: Int64) {
            self.folder = folder
            self.room = room
        }
        var name: String { folder.name }
        func put(_ bytes: [UInt8], as file: String) throws(MediaError) {
            room -= Int64(bytes.count)
            if room < 0 { throw MediaError(.storage, "Writing \(name) failed: the disk is full.") }
            try folder.put(bytes, as: file)
        }
        func commit() throws(MediaError) { try folder.commit() }
        func discard() { folder.discard() }
    }

    private final class LimitedFile: OutputFile {
        private let file: any OutputFile
        private var room: Int64
        init(_ file: any OutputFile, room: Int64) {
            self.file = file
            self.room = room
        }
        var name: String { file.name }
        var length: Int64 { file.length }
        func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            room -= Int64(bytes.count)
            if room < 0 { throw MediaError(.storage, "Writing \(name) failed: the disk is full.") }
            try file.write(bytes)
        }
        func seek(to offset: Int64) throws(MediaError) { try file.seek(to: offset) }
        func read(_ range: Range<Int64>) throws(MediaError) -> [UInt8] { try file.read(range) }
        func commit() throws(MediaError) { try file.commit() }
        func discard() { file.discard() }
    }
}

/// A disk on which writing waits until it is released.
private final class HeldDisk: OutputFolder {
    private let state = Monitor((isWriting: false, isReleased: false), ledger: nil)

    func makeFile(_ path: String, replaces: Bool) throws(MediaError) -> any OutputFile {
        HeldFile(try DiskFolder().makeFile(path, replaces: replaces), self)
    }

    func makeFolder(_ path: String) throws(MediaError) -> any OutputFolderDraft {
        HeldFolder(try DiskFolder().makeFolder(path), self)
    }

    func waitForWriting() { state.wait(until: { $0.isWriting ? () : nil }) }

    func release() { state.update { $0.isReleased = true } }

    private func hold() {
        state.update { $0.isWriting = true }
        state.wait(until: { $0.isReleased ? () : nil })
    }

    private final class HeldFile: OutputFile {
        private let file: any OutputFile
        private let disk: HeldDisk
        init(_ file: any OutputFile, _ disk: HeldDisk) { (self.file, self.disk) = (file, disk) }
        var name: String { file.name }
        var length: Int64 { file.length }
        func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            disk.hold()
            try file.write(bytes)
        }
        func seek(to offset: Int64) throws(MediaError) { try file.seek(to: offset) }
        func read(_ range: Range<Int64>) throws(MediaError) -> [UInt8] { try file.read(range) }
        func commit() throws(MediaError) { try file.commit() }
        func discard() { file.discard() }
    }

    private final class HeldFolder: OutputFolderDraft {
        private let folder: any OutputFolderDraft
        private let disk: HeldDisk
        init(_ folder: any OutputFolderDraft, _ disk: HeldDisk) { (self.folder, self.disk) = (folder, disk) }
        var name: String { folder.name }
        func put(_ bytes: [UInt8], as file: String) throws(MediaError) {
            disk.hold()
            try folder.put(bytes, as: file)
        }
        func commit() throws(MediaError) { try folder.commit() }
        func discard() { folder.discard() }
    }
}

/// A film at every address; one of its openings never delivers anything.
private final class SilentServer: ByteLoading {
    private struct State {
        var openings = 0
        var isReading = false
    }
    private let bytes: [UInt8]
    private let opening: Int
    private let state = Monitor(State(), ledger: nil)

    /// - Parameter opening: the silent one, counted from zero.
    init(_ bytes: [UInt8], at opening: Int) { (self.bytes, self.opening) = (bytes, opening) }

    @MainActor func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { fatalError("exports read streams") }

    func stream(_ url: String) -> any ByteStream {
        let number = state.update { state in
            defer { state.openings += 1 }
            return state.openings
        }
        return number == opening ? SilentStream(url, bytes.count, self) : MemoryByteStream(bytes, name: url)
    }

    func waitForReading() { state.wait(until: { $0.isReading ? () : nil }) }

    private final class SilentStream: ByteStream {
        let name: String
        let length: Int64?
        private let server: SilentServer
        private let isCancelled = Monitor(false, ledger: nil)

        init(_ name: String, _ count: Int, _ server: SilentServer) {
            (self.name, length, self.server) = (name, Int64(count), server)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
            server.state.update { $0.isReading = true }
            isCancelled.wait(until: { $0 ? () : nil })
            return 0
        }
        func seek(to offset: Int64) throws(MediaError) {}
        func cancel() { isCancelled.update { $0 = true } }
    }
}

/// Counts the writings.
private final class CountingDisk: OutputFolder {
    let writings = Mutex(0)

    func makeFile(_ path: String, replaces: Bool) throws(MediaError) -> any OutputFile {
        CountingFile(try DiskFolder().makeFile(path, replaces: replaces), self)
    }

    func makeFolder(_ path: String) throws(MediaError) -> any OutputFolderDraft { try DiskFolder().makeFolder(path) }

    private final class CountingFile: OutputFile {
        private let file: any OutputFile
        private let disk: CountingDisk
        init(_ file: any OutputFile, _ disk: CountingDisk) { (self.file, self.disk) = (file, disk) }
        var name: String { file.name }
        var length: Int64 { file.length }
        func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            disk.writings.withLock { $0 += 1 }
            try file.write(bytes)
        }
        func seek(to offset: Int64) throws(MediaError) { try file.seek(to: offset) }
        func read(_ range: Range<Int64>) throws(MediaError) -> [UInt8] { try file.read(range) }
        func commit() throws(MediaError) { try file.commit() }
        func discard() { file.discard() }
    }
}

@Suite("Files of exports", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct OutputTests {
    private let film = NumberedFilm("export.mp4").with {
        $0.frames = 250; $0.soundSeconds = "10"
    }

    @Test(
        "a disk that is full at any moment leaves no file, neither under the name nor under another",
        arguments: [ExportFileType.mp4, .fragmentedMP4, .hls])
    func fullDisk(type: ExportFileType) throws {
        let studio = try Studio()
        let source = try film.path()
        let whole = studio.export(.asset(source), to: "whole") { $0.fileType = type }
        #expect(whole.status == .completed)
        let files = type == .hls ? Folder.names(studio.path("whole")).map { "whole/\($0)" } : ["whole"]
        let length = try files.reduce(Int64(0)) { $0 + Int64(try studio.bytes(studio.path($1)).count) }
        for room in [0, 10, 1000, length / 2, length - 2000, length - 1] {
            studio.services.folder = FullDisk(room: room)
            let session = studio.export(.asset(source)) { $0.fileType = type }
            guard case .failed(let error) = session.status else {
                Issue.record("\(room) bytes were enough")
                continue
            }
            #expect(error.code == .storage, "\(error)")
            #expect(studio.names == ["whole"])
        }
    }

    @Test(
        "a cancelled export leaves no file, and an existing one as it was", arguments: [ExportFileType.mp4, .fragmentedMP4, .hls])
    func cancelled(type: ExportFileType) throws {
        let studio = try Studio()
        let held = HeldDisk()
        studio.services.folder = held
        let name = type == .hls ? "out" : "out.mp4"
        if type != .hls { studio.folder.put("old", name) }
        var settings = ExportSettings(output: studio.path(name))
        settings.fileType = type
        settings.replaces = type != .hls
        let session = AssetExportSession(.asset(try film.path()), settings, services: studio.services)
        var isOver = false
        session.export { _ in isOver = true }
        // Its thread waits in the first writing.
        held.waitForWriting()
        #expect(session.status == .exporting)
        session.cancel()
        held.release()
        studio.loop.run(until: { isOver })
        #expect(session.status == .cancelled)
        #expect(session.progress < 1)
        #expect(studio.names == (type == .hls ? [] : [name]))
        if type != .hls { #expect(studio.folder.get(name) == "old") }
    }

    /// A programme of two pieces whose pictures are composed and whose sound is mixed.
    private func rendered() throws -> ExportInput {
        let source = SourceReference(url: try film.path())
        func track(_ id: Int, _ type: MediaType) -> CompositionTrack {
            CompositionTrack(
                id: TrackID(id), type: type,
                segments: [
                    CompositionTrackSegment(source, TimeRange(start: .seconds(2), duration: .seconds(1)), at: .zero),
                    CompositionTrackSegment(source, TimeRange(start: .seconds(5), duration: .seconds(1)), at: .seconds(1)),
                ])
        }
        let video = VideoComposition(
            renderSize: RenderSize(width: 128, height: 72), frameDuration: MediaTime(1, 25),
            instructions: [
                VideoCompositionInstruction(
                    TimeRange(start: .zero, duration: .seconds(2)), layers: [LayerInstruction(track: TrackID(1))])
            ])
        let composition = Composition(tracks: [track(1, .video), track(2, .audio), track(3, .audio)])
        return .composition(CompositionDocument(composition, videoComposition: video), name: "programme")
    }

    /// The same pieces as they are.
    private func pieces() throws -> ExportInput {
        guard case .composition(let document, _) = try rendered() else { preconditionFailure("it is a composition") }
        return .composition(
            CompositionDocument(Composition(tracks: Array(document.composition.tracks.prefix(2)))), name: "pieces")
    }

    nonisolated private static let programmes: [(ExportPreset, ExportFileType)] = [
        (.passthrough, .mp4), (.h264At480, .mp4), (.h264At480, .fragmentedMP4), (.h264At480, .hls),
    ]

    @Test("a disk that is full at any moment of the export of an edited programme leaves no file", arguments: programmes)
    func fullDiskOfProgramme(preset: ExportPreset, type: ExportFileType) throws {
        let studio = try Studio()
        let input = preset == .passthrough ? try pieces() : try rendered()
        func export(_ name: String) -> AssetExportSession.Status {
            studio.export(input, to: name) {
                ($0.preset, $0.fileType, $0.speed) = (preset, type, "ultrafast")
            }.status
        }
        #expect(export("whole") == .completed)
        let files = type == .hls ? Folder.names(studio.path("whole")).map { "whole/\($0)" } : ["whole"]
        let length = try files.reduce(Int64(0)) { $0 + Int64(try studio.bytes(studio.path($1)).count) }
        for room in [0, 1000, length / 2, length - 1] {
            studio.services.folder = FullDisk(room: room)
            guard case .failed(let error) = export("out") else {
                Issue.record("\(room) bytes were enough")
                continue
            }
            #expect(error.code == .storage && studio.names == ["whole"], "\(error)")
        }
    }

    @Test("the export of an edited programme that is cancelled while it writes leaves no file", arguments: programmes)
    func cancelledProgramme(preset: ExportPreset, type: ExportFileType) throws {
        let studio = try Studio()
        let held = HeldDisk()
        studio.services.folder = held
        var settings = ExportSettings(output: studio.path("out"))
        (settings.preset, settings.fileType, settings.speed) = (preset, type, "ultrafast")
        let input = preset == .passthrough ? try pieces() : try rendered()
        let session = AssetExportSession(input, settings, services: studio.services)
        var isOver = false
        session.export { _ in isOver = true }
        held.waitForWriting()
        session.cancel()
        held.release()
        studio.loop.run(until: { isOver })
        #expect(session.status == .cancelled && studio.names == [])
    }

    /// The first opening is for the chapters, the second one for what is written.
    @Test("an export that waits for a source ends when it is cancelled, and leaves no file", arguments: [0, 1], [false, true])
    func cancelledWhileReading(opening: Int, isRendered: Bool) throws {
        let studio = try Studio()
        let source = SilentServer(try film.bytes(), at: opening)
        studio.services.loader = source
        var settings = ExportSettings(output: studio.path("out"))
        settings.preset = .h264At480
        let session = AssetExportSession(isRendered ? try rendered() : try pieces(), settings, services: studio.services)
        var isOver = false
        session.export { _ in isOver = true }
        source.waitForReading()
        session.cancel()
        studio.loop.run(until: { isOver })
        #expect(session.status == .cancelled && studio.names == [])
    }

    @Test("an existing file is replaced on request only; the source never is, by whatever name")
    func existing() throws {
        let studio = try Studio()
        let source = studio.path("film.mp4")
        let bytes = try film.bytes()
        try bytes.write(source)
        symlink("film.mp4", studio.path("other.mp4"))
        link(source, studio.path("hard.mp4"))
        mkdir(studio.path("folder"), 0o755)
        mkfifo(studio.path("pipe"), 0o644)
        studio.folder.put("old", "old.mp4")
        for (name, words) in [
            ("film.mp4", "never changed"), ("other.mp4", "never changed"), ("hard.mp4", "never changed"),
            ("old.mp4", "exists already"),
            ("folder", "is a folder"), ("pipe", "not a regular file"), ("gone/out.mp4", "No such file"),
            ("/sys/out.mp4", "/sys/"), ("folder/", "folder"),
        ] {
            let replaces = name != "old.mp4"
            guard case .failed(let error) = studio.export(.asset(source), to: name, { $0.replaces = replaces }).status else {
                Issue.record("\(name) was written")
                continue
            }
            #expect(error.code == .storage && error.sentence.contains(words), "\(error.sentence)")
        }
        #expect(try studio.bytes(source) == bytes)
        #expect(studio.folder.get("old.mp4") == "old")
        #expect(studio.names == ["film.mp4", "folder", "hard.mp4", "old.mp4", "other.mp4", "pipe"])
        #expect(studio.export(.asset(source), to: "old.mp4") { $0.replaces = true }.status == .completed)
        #expect(try studio.pictures(studio.path("old.mp4")).count == 250)
    }

    @Test("samples are written many at a time, not each by itself")
    func blocks() throws {
        let studio = try Studio()
        let disk = CountingDisk()
        studio.services.folder = disk
        #expect(studio.export(.asset(try film.path())).status == .completed)
        let count = disk.writings.withLock { $0 }
        let samples =
            try studio.samples(studio.path("out.mp4"), .video).count + studio.samples(studio.path("out.mp4"), .audio).count
        #expect(count > 0 && count < samples / 10, "\(count) writings of \(samples) samples")
    }

    @Test("fragments last two seconds at least, begin with key pictures, and hold all samples")
    func fragments() throws {
        let studio = try Studio()
        let source = try film.path()
        #expect(studio.export(.asset(source)) { $0.fileType = .fragmentedMP4 }.status == .completed)
        let bytes = try studio.bytes(studio.path("out.mp4"))
        let boxes = MP4Box.boxes(in: bytes[...])
        #expect(boxes.map(\.type) == ["ftyp", "moov"] + Array(repeating: ["moof", "mdat"], count: 5).flatMap { $0 })
        // The header and the first two fragments are four seconds of film, from its first key picture on.
        let third = boxes.filter { $0.type == "moof" }[2].start
        try Array(bytes[..<third]).write(studio.path("two.mp4"))
        let two = try studio.samples(studio.path("two.mp4"), .video)
        #expect(two.count == 100 && two.first?.isSync == true)
        try (Array(bytes[..<boxes[2].start]) + bytes[third...]).write(studio.path("rest.mp4"))
        let rest = try studio.samples(studio.path("rest.mp4"), .video)
        #expect(rest.count == 150 && rest.first?.isSync == true)
        #expect(try (two + rest).map(\.bytes) == studio.samples(source, .video).map(\.bytes))
    }

    @Test("what a killed export left is written over; a file that another export is writing is refused")
    func drafts() throws {
        let studio = try Studio()
        let source = try film.path()
        studio.folder.put("left", ".out.mp4.partial")
        #expect(studio.export(.asset(source)).status == .completed)
        #expect(studio.names == ["out.mp4"])
        let other = try DiskFolder().makeFile(studio.path("busy.mp4"), replaces: false)
        guard case .failed(let error) = studio.export(.asset(source), to: "busy.mp4").status else {
            Issue.record("two exports wrote one file")
            return
        }
        #expect(error.sentence.contains("another export is writing it"))
        other.discard()
        #expect(studio.names == ["out.mp4"])
    }

    @Test("a file that comes while an export runs is not replaced without the request")
    func late() throws {
        let studio = try Studio()
        let folder = studio.folder
        let file = try DiskFolder().makeFile(studio.path("out.mp4"), replaces: false)
        folder.put("theirs", "out.mp4")
        #expect(throws: MediaError.self) { try file.commit() }
        file.discard()
        #expect(folder.get("out.mp4") == "theirs")
        #expect(studio.names == ["out.mp4"])
    }

    @Test("a film that is cut off in its middle fails, and leaves no file")
    func truncated() throws {
        let studio = try Studio()
        let bytes = try film.with { $0.extra = ["-movflags", "+faststart"] }.bytes()
        try Array(bytes.prefix(bytes.count / 2)).write(studio.path("cut.mp4"))
        guard case .failed(let error) = studio.export(.asset(studio.path("cut.mp4"))).status else {
            Issue.record("half a film was exported as a whole one")
            return
        }
        #expect(error.sentence.contains("truncated"), "\(error.sentence)")
        #expect(studio.names == ["cut.mp4"])
    }
}

extension [UInt8] {
    func write(_ path: String) throws {
        guard WholeFile.write(self, to: path, isSynced: false) else {
            throw FileFailure(description: "\(path) was not written")
        }
    }
}
