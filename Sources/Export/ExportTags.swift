import Metadata

/// The tags of a source that are written.
enum ExportTags {
    static func kept(_ tags: [(key: String, value: String)], _ metadata: ExportMetadata) -> [(key: String, value: String)] {
        switch metadata {
        // The brands of the source's container are not those of the new one.
        case .kept: tags.filter { !technical.contains($0.key) }
        case .filteredForSharing: tags.filter { !technical.contains($0.key) && !MediaMetadata.isPersonal(key: $0.key) }
        case .none: []
        }
    }

    private static let technical: Set = ["major_brand", "minor_version", "compatible_brands", "encoder", "duration"]
}
