import HLSPlaylist
import MediaModel
import MediaTime
import URLReferences

/// Where the playlists of variants and renditions are: as the presentation says, from another angle, or on a copy of a pathway.
extension HLSSource {
    /// What was chosen of the VIDEO renditions, and what content steering has copied.
    struct Places {
        /// The name of the angle that is shown; nil: the variants' own pictures.
        var angle: String?
        /// The names of the angles by their tracks.
        var angles: [TrackID: String] = [:]
        /// Clones of pathways by their names.
        var clones: [String: SteeringManifest.Clone] = [:]
    }

    /// Angles other than the first are numbered from here on.
    private static let firstAngle = 50

    /// The address of a variant's playlist: that of the chosen angle, where the variant has it.
    func address(ofVariant index: Int) -> String {
        let variant = variants[index]
        if let angle = places.angle, let group = variant.videoGroup,
            let rendition = presentation?.renditions(.video, group: group).first(where: { $0.name == angle }),
            let address = address(of: rendition, pathway: variant.pathwayID)
        {
            return address
        }
        return URLReference.resolve(reference: variant.uri, against: url)
    }

    /// The address of a rendition's playlist on a pathway; nil where it has none of its own.
    func address(of rendition: Rendition, pathway: String?) -> String? {
        guard let uri = rendition.uri else { return nil }
        guard let clone = pathway.flatMap({ places.clones[$0] }) else {
            return URLReference.resolve(reference: uri, against: url)
        }
        return clone.address(of: uri, base: url, stableID: rendition.stableRenditionID, in: clone.renditionAddresses)
    }

    // MARK: Angles

    /// The angles of a variant, as tracks: the first stands for the pictures that are read, whichever they are.
    func describeAngles(of playlist: MultivariantPlaylist, variant: Variant, like main: TrackDescription) -> [TrackDescription] {
        let renditions = variant.videoGroup.map { playlist.renditions(.video, group: $0) } ?? []
        guard renditions.count > 1 || renditions.first?.uri != nil else { return [main] }
        let first = renditions.firstIndex { $0.isDefault } ?? 0
        let ordered = [renditions[first]] + renditions[..<first] + renditions[(first + 1)...]
        places.angles = [:]
        let tracks = ordered.enumerated().map { number, rendition in
            var track = main
            track.id = number == 0 ? Self.video : TrackID(Self.firstAngle + number)
            track.name = rendition.name
            track.languageTag = rendition.language
            track.isDefault = number == 0
            track.characteristics = rendition.characteristics
            places.angles[track.id] = rendition.name
            return track
        }
        if places.angle == nil { places.angle = places.angles[Self.video] }
        return tracks
    }
}

extension HLSSource: AngleSource {
    package func selectAngle(_ track: TrackID) -> Bool {
        guard !isClosed, let name = places.angles[track], name != places.angle else { return false }
        places.angle = name
        readers.forEach { $0.reader.leave() }
        let tracker = tracker(ofVariant: variant)
        if tracker.playlist != nil { follow(tracker) } else { followWhenLoaded(tracker, variant) }
        return true
    }
}

// MARK: - Clones of pathways

extension HLSSource {
    /// Makes variants of the pathways that a steering manifest copies, each once.
    func clonePathways(_ manifest: SteeringManifest) {
        for clone in manifest.clones {
            guard !variants.contains(where: { ($0.pathwayID ?? ".") == clone.id }) else { continue }
            let bases = variants.indices.filter { (variants[$0].pathwayID ?? ".") == clone.baseID }
            guard !bases.isEmpty else { continue }
            places.clones[clone.id] = clone
            let copies = bases.map { index in
                variants[index].moved(
                    to: clone.address(
                        of: variants[index].uri, base: url, stableID: variants[index].stableVariantID, in: clone.variantAddresses),
                    pathwayID: clone.id)
            }
            variants += copies
            context.policy.add(copies, standingFor: bases)
        }
    }
}
