import LinuxSupport
import MediaModel
import Metadata
import TestSupport
import Testing

@testable import Playback

@Suite("Metadata of an asset, by format", .serialized)
@MainActor
struct AssetMetadataTests {
    /// A file, how it is made, and the expected metadata.
    struct Case: Sendable, CustomStringConvertible {
        var name: String
        var bytes: @Sendable () throws -> [UInt8]
        /// The formats in the order of the file.
        var formats: [MetadataKeySpace]
        /// The identifier of the title.
        var title: MetadataIdentifier
        /// The creation date and the identifier that holds it; nil if there is none.
        var date: (MetadataIdentifier, String)?

        var description: String { name }
    }

    /// Half a second of sound with a title and the given options.
    nonisolated private static func tagged(_ suffix: String, codec: [String], _ more: [String]) -> @Sendable () throws -> [UInt8]
    {
        {
            try FFmpegProgram.make(
                ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=0.5"] + codec + ["-metadata", "title=The Hill"] + more, suffix: suffix
            )
        }
    }

    nonisolated private static let aac = ["-c:a", "aac"]
    nonisolated private static let mp3 = ["-c:a", "libmp3lame"]
    nonisolated private static let day = ["-metadata", "date=2024-05-01"]

    /// ID3v2.2, which ffmpeg does not write: frames of three letters and three bytes of length.
    nonisolated private static func oldTag() -> [UInt8] {
        func frame(_ id: String, _ text: String) -> [UInt8] {
            Array(id.utf8) + [0, 0, UInt8(text.utf8.count + 1), 0] + Array(text.utf8)
        }
        let frames = frame("TT2", "The Hill") + frame("TYE", "1999")
        return Array("ID3".utf8) + [2, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
    }

    nonisolated private static let cases: [Case] = [
        Case(
            name: "ID3v2.2", bytes: oldTag, formats: [.id3], title: .init(.id3, "TT2"), date: (.init(.id3, "TYE"), "1999")),
        Case(
            name: "ID3v2.3", bytes: tagged("mp3", codec: mp3, ["-id3v2_version", "3"] + day), formats: [.id3],
            title: .init(.id3, "TIT2"), date: (.init(.id3, "TYER"), "2024")),
        Case(
            name: "ID3v2.4", bytes: tagged("mp3", codec: mp3, ["-id3v2_version", "4"] + day), formats: [.id3],
            title: .init(.id3, "TIT2"), date: (.init(.id3, "TDRC"), "2024-05-01")),
        Case(
            name: "iTunes", bytes: tagged("m4a", codec: aac, day), formats: [.iTunes], title: .init(.iTunes, "\u{A9}nam"),
            date: (.init(.iTunes, "\u{A9}day"), "2024-05-01")),
        Case(
            name: "QuickTime user data", bytes: tagged("mov", codec: aac, day), formats: [.quickTimeUserData],
            title: .init(.quickTimeUserData, "\u{A9}nam"), date: (.init(.quickTimeUserData, "\u{A9}day"), "2024-05-01")),
        Case(
            name: "QuickTime metadata",
            bytes: tagged(
                "mov", codec: aac,
                ["-movflags", "use_metadata_tags", "-metadata", "com.apple.quicktime.creationdate=2024-05-01T12:00:00Z"]),
            formats: [.quickTimeMetadata], title: .init(.quickTimeMetadata, "title"),
            date: (.init(.quickTimeMetadata, "com.apple.quicktime.creationdate"), "2024-05-01T12:00:00Z")),
        Case(
            name: "3GPP", bytes: tagged("3gp", codec: aac + ["-ac", "1"], ["-metadata", "date=1999"]), formats: [.isoUserData],
            title: .init(.isoUserData, "titl"), date: (.init(.isoUserData, "yrrc"), "1999")),
        Case(
            name: "Matroska", bytes: tagged("mka", codec: aac, ["-metadata", "DATE_RELEASED=2024-05"]), formats: [.matroska],
            title: .init(.matroska, "TITLE"), date: (.init(.matroska, "DATE_RELEASED"), "2024-05")),
        Case(
            name: "WebM", bytes: tagged("webm", codec: ["-c:a", "libopus"], day), formats: [.matroska],
            title: .init(.matroska, "TITLE"), date: (.init(.matroska, "DATE"), "2024-05-01")),
        Case(
            name: "FLAC", bytes: tagged("flac", codec: ["-c:a", "flac"], day), formats: [.vorbisComment],
            title: .init(.vorbisComment, "TITLE"), date: (.init(.vorbisComment, "DATE"), "2024-05-01")),
        Case(
            name: "Ogg", bytes: tagged("opus", codec: ["-c:a", "libopus"], day), formats: [.vorbisComment],
            title: .init(.vorbisComment, "TITLE"), date: (.init(.vorbisComment, "DATE"), "2024-05-01")),
        Case(
            name: "FLAC behind ID3v2.2", bytes: { try oldTag() + tagged("flac", codec: ["-c:a", "flac"], day)() },
            formats: [.id3, .vorbisComment], title: .init(.vorbisComment, "TITLE"), date: (.init(.id3, "TYE"), "1999")),
        Case(
            name: "no date", bytes: tagged("m4a", codec: aac, []), formats: [.iTunes], title: .init(.iTunes, "\u{A9}nam"),
            date: nil),
        Case(
            name: "a date that belongs to something else",
            bytes: tagged("mka", codec: aac, ["-metadata", "DATE_ENCODED=2024-05", "-metadata", "DATE_TAGGED=2023"]),
            formats: [.matroska], title: .init(.matroska, "TITLE"), date: nil),
    ]

    nonisolated private static let spaces: [MetadataKeySpace] = [
        .common, .id3, .quickTimeUserData, .quickTimeMetadata, .iTunes, .isoUserData, .matroska, .vorbisComment, .ape, .asf,
        .chunk, .hlsDateRange,
        .hlsSessionData,
    ]

    @Test(
        "the creation date is found under each format's identifier, and each format gives only its own items",
        .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)), arguments: cases)
    func formats(_ file: Case) async throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        var services = rig.player.services
        services.loader = FileLoader(clock: rig.clock, ["file": try file.bytes()])
        let asset = Asset(url: "file", services: services)
        asset.start(.metadata)
        rig.run(until: { if case .loading = asset.status(of: .metadata) { false } else { true } })

        let date = try await asset.load(.creationDate)
        #expect(date?.identifier == file.date?.0)
        #expect(date?.commonIdentifier == (file.date == nil ? nil : .commonCreationDate))
        #expect(date?.dateValue == file.date?.1)

        #expect(try await asset.load(.availableMetadataFormats) == file.formats)
        let all = try await asset.load(.metadata)
        var sum = 0
        for format in Self.spaces {
            let items = try await asset.metadata(forFormat: format)
            #expect(items.isEmpty != file.formats.contains(format), "\(format)")
            #expect(items == all.filter { $0.identifier.keySpace == format })
            sum += items.count
            if format == file.title.keySpace { #expect(items.filtered(by: file.title).map(\.stringValue) == ["The Hill"]) }
        }
        #expect(sum == all.count)
        asset.close()
    }

    @Test("an asset that cannot be loaded gives an error and neither a date nor formats")
    func missing() async throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        var services = rig.player.services
        services.loader = FileLoader(clock: rig.clock)
        let asset = Asset(url: "absent", services: services)
        asset.start(.creationDate)
        rig.run(until: { if case .loading = asset.status(of: .creationDate) { false } else { true } })
        await #expect(throws: MediaError.self) { try await asset.load(.creationDate) }
        await #expect(throws: MediaError.self) { try await asset.metadata(forFormat: .id3) }
    }
}
