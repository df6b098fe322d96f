import Composition
import MediaModel
import MediaTime

/// What an export makes of its input; the counterpart of the presets of `AVAssetExportSession`.
package enum ExportPreset: String, Sendable, Hashable, CaseIterable {
    /// The samples as they are.
    case passthrough
    /// H.264 within 854x480 and AAC.
    case h264At480 = "h264-480p"
    /// H.264 within 1280x720 and AAC.
    case h264At720 = "h264-720p"
    /// H.264 within 1920x1080 and AAC.
    case h264At1080 = "h264-1080p"
    /// AAC, without pictures.
    case audio
    /// Small pictures at equal distances.
    case thumbnails

    /// The largest picture; nil where pictures are not encoded.
    package var box: (width: Int, height: Int)? {
        switch self {
        case .h264At480: (854, 480)
        case .h264At720: (1280, 720)
        case .h264At1080: (1920, 1080)
        case .passthrough, .audio, .thumbnails: nil
        }
    }

    /// What the machine must be able to encode, for a source with these tracks.
    func encodedFormats(_ types: Set<MediaType>) -> [EncodedFormat] {
        switch self {
        case .passthrough, .thumbnails: []
        case .audio: [.aac]
        case .h264At480, .h264At720, .h264At1080:
            (types.contains(.video) ? [.h264] : []) + (types.contains(.audio) ? [.aac] : [])
        }
    }

    /// The type of its files if no other is asked for.
    package var defaultFileType: ExportFileType { self == .thumbnails ? .bif : .mp4 }

    /// Whether a track takes part.
    package func takes(_ type: MediaType) -> Bool {
        switch type {
        case .video: self != .audio
        case .audio: self != .thumbnails
        case .text, .subtitle, .metadata: false
        }
    }
}

/// The kind of file that is written.
package enum ExportFileType: String, Sendable, Hashable, CaseIterable {
    case mp4
    case fragmentedMP4 = "fragmented-mp4"
    /// A folder with playlists and segments of fragmented MP4.
    case hls
    /// Pictures with an index of times, for scrubbing.
    case bif
    /// Pictures side by side in one JPEG file.
    case jpegSheet = "jpeg-sheet"

    /// Nil for pictures.
    package var container: WrittenContainer? {
        switch self {
        case .mp4: .mp4
        case .fragmentedMP4, .hls: .fragmentedMP4
        case .bif, .jpegSheet: nil
        }
    }
}

/// Which tags of the source are written.
package enum ExportMetadata: String, Sendable, Hashable, CaseIterable {
    case kept
    /// Without those that say where, by whom or whose: `AVMetadataItemFilter.forSharing()`.
    case filteredForSharing
    case none
}

/// What is exported.
package enum ExportInput: Sendable {
    /// A file, by its path or address.
    case asset(String)
    /// An edited programme.
    case composition(CompositionDocument, name: String)

    var name: String {
        switch self {
        case .asset(let url): url
        case .composition(_, let name): name
        }
    }
}

/// How something is exported. A value.
package struct ExportSettings: Sendable {
    /// The file or, for HLS, the folder that is written.
    package var output: String
    package var fileType = ExportFileType.mp4
    package var preset = ExportPreset.passthrough
    /// The part of the input, in its own time; nil for all. An end after that of the input means its end.
    package var range: TimeRange?
    package var metadata = ExportMetadata.kept
    /// Whether an existing file is replaced.
    package var replaces = false
    /// Overrides of the encoder; nil for those of the preset.
    package var quality: Int?
    package var speed: String?
    package var thumbnails = ThumbnailSettings()

    package init(output: String) { self.output = output }
}
