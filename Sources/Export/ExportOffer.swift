import MediaModel

/// What a machine can make of a source, asked before an export; the counterpart of `exportPresets(compatibleWith:)` and `supportedFileTypes`.
package enum ExportOffer {
    /// The presets that can be used for a source with tracks of these types. Whether passthrough can copy their codecs is known once the source is read.
    package static func compatiblePresets(for types: Set<MediaType>, writers: any WriterFactory) -> [ExportPreset] {
        ExportPreset.allCases.filter { preset in
            refusal(of: preset, preset.defaultFileType, types, writers) == nil
        }
    }

    /// The types of the tracks of a source. Waits for its bytes.
    ///
    /// - Throws: why it cannot be read.
    package static func types(of input: ExportInput, _ services: ExportServices) throws(MediaError) -> Set<MediaType> {
        switch input {
        case .composition(let document, _): Set(document.composition.tracks.map(\.type))
        case .asset(let url):
            Set(
                try AssetReader(url: url, loader: services.loader, codecs: services.codecs, streams: OpenStreams()).tracks.map(
                    \.type))
        }
    }

    /// The file types for a preset.
    package static func fileTypes(for preset: ExportPreset, writers: any WriterFactory) -> [ExportFileType] {
        ExportFileType.allCases.filter { type in
            guard let container = type.container else { return preset == .thumbnails }
            return preset != .thumbnails && writers.canWrite(container)
        }
    }

    /// Why a preset cannot be used; nil if it can.
    package static func refusal(
        of preset: ExportPreset, _ fileType: ExportFileType, _ types: Set<MediaType>, _ writers: any WriterFactory
    ) -> MediaError? {
        func refuse(_ reason: String) -> MediaError {
            MediaError(.decoderUnsupported, "Exporting with \(preset.rawValue) was refused: \(reason).")
        }
        guard (fileType.container == nil) == (preset == .thumbnails) else {
            return refuse("\(fileType.rawValue) is not one of its file types; marquee export --list prints them")
        }
        if let container = fileType.container, !writers.canWrite(container) {
            return refuse("this machine's FFmpeg has no muxer of MP4; export on a computer with Debian's FFmpeg")
        }
        if !types.contains(where: preset.takes) {
            return refuse(
                preset == .audio ? "the source has no sound; use a preset with pictures" : "the source has no pictures; use audio"
            )
        }
        let missing = preset.encodedFormats(types).filter { !writers.canEncode($0) }
        guard missing.isEmpty else {
            return refuse(
                "this machine's FFmpeg has no encoder of \(missing.map(\.rawValue).joined(separator: " and ")), as on the box; "
                    + "use passthrough, or export on a computer with Debian's FFmpeg")
        }
        return nil
    }
}
