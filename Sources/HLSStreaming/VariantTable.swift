import HLSPlaylist
import MediaModel
import URLReferences

/// The variants of a presentation: the current variant with its angle and pathway, and the addresses of all playlists.
struct VariantTable {
    /// The address of the multivariant playlist after redirects. References in it are resolved against this address.
    let url: String
    /// Nil for a media playlist without a multivariant playlist.
    let presentation: MultivariantPlaylist?
    /// In the order of the playlist, followed by the clones made by content steering (RFC 8216bis, 7.2).
    private(set) var variants: [Variant]
    /// The current variant: an index into `variants`.
    private(set) var index = 0
    /// The NAME of the VIDEO rendition that is shown; nil: the variants' own pictures.
    private var angle: String?
    private var angleNames: [TrackID: String] = [:]
    /// Clones of pathways by their ID.
    private var clones: [String: SteeringManifest.Clone] = [:]

    init(url: String, presentation: MultivariantPlaylist? = nil) {
        self.url = url
        self.presentation = presentation
        variants = presentation?.variants ?? []
    }

    /// The current variant; nil without a multivariant playlist.
    var current: Variant? { variants.indices.contains(index) ? variants[index] : nil }

    /// The pathway of the current variant. A variant without a PATHWAY-ID is on the pathway ".".
    var pathway: String { current?.pathwayID ?? "." }

    /// Selects another variant.
    ///
    /// - Returns: false when there is no such variant, or when it is selected already.
    mutating func choose(_ new: Int) -> Bool {
        guard variants.indices.contains(new), new != index else { return false }
        index = new
        return true
    }

    // MARK: Addresses

    /// The address of a variant's playlist: that of the selected angle, if the variant has it.
    func address(ofVariant index: Int) -> String {
        let variant = variants[index]
        if let angle, let group = variant.videoGroup,
            let rendition = presentation?.renditions(.video, group: group).first(where: { $0.name == angle }),
            let address = address(of: rendition, pathway: variant.pathwayID)
        {
            return address
        }
        return URLReference.resolve(reference: variant.uri, against: url)
    }

    /// The address of the current variant's counterpart of a selected audio rendition: the same name and language in the
    /// variant's own group; nil when it has no playlist.
    func address(ofAudio chosen: Rendition) -> String? { address(of: chosen, .audio, group: current?.audioGroup) }

    /// The same for captions.
    func address(ofText chosen: Rendition) -> String? { address(of: chosen, .subtitles, group: current?.subtitlesGroup) }

    private func address(of chosen: Rendition, _ type: Rendition.MediaType, group: String?) -> String? {
        let pathway = current?.pathwayID
        guard let group, group != chosen.groupID, let presentation else { return address(of: chosen, pathway: pathway) }
        let others = presentation.renditions(type, group: group).filter { $0.uri != nil }
        let same = others.first { $0.name == chosen.name && $0.language == chosen.language }
        return address(of: same ?? others.first { $0.language == chosen.language } ?? chosen, pathway: pathway)
    }

    private func address(of rendition: Rendition, pathway: String?) -> String? {
        guard let uri = rendition.uri else { return nil }
        guard let clone = pathway.flatMap({ clones[$0] }) else {
            return URLReference.resolve(reference: uri, against: url)
        }
        return clone.address(of: uri, base: url, stableID: rendition.stableRenditionID, in: clone.renditionAddresses)
    }

    /// Where the playlists of this presentation are according to a newer answer, by their addresses here; empty when the answer lists other playlists.
    func addresses(in newer: VariantTable) -> [String: String] {
        guard let presentation, let other = newer.presentation,
            presentation.variants.map(\.bandwidth) == other.variants.map(\.bandwidth),
            presentation.iFrameVariants.map(\.bandwidth) == other.iFrameVariants.map(\.bandwidth),
            presentation.renditions.map(\.name) == other.renditions.map(\.name)
        else { return [:] }
        var pairs = zip(presentation.variants, other.variants).map { ($0.uri, $1.uri) }
        pairs += zip(presentation.iFrameVariants, other.iFrameVariants).map { ($0.uri, $1.uri) }
        for case (let old?, let new?) in zip(presentation.renditions.map(\.uri), other.renditions.map(\.uri)) {
            pairs.append((old, new))
        }
        return Dictionary(
            pairs.map {
                (URLReference.resolve(reference: $0, against: url), URLReference.resolve(reference: $1, against: newer.url))
            }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Angles

    /// The angles of the current variant, as tracks: the first stands for the pictures being read, whatever the angle.
    mutating func describeAngles(like main: TrackDescription) -> [TrackDescription] {
        let renditions = current?.videoGroup.map { presentation?.renditions(.video, group: $0) ?? [] } ?? []
        guard renditions.count > 1 || renditions.first?.uri != nil else { return [main] }
        let first = renditions.firstIndex { $0.isDefault } ?? 0
        let ordered = [renditions[first]] + renditions[..<first] + renditions[(first + 1)...]
        angleNames = [:]
        let tracks = ordered.enumerated().map { number, rendition in
            var track = main
            track.id = number == 0 ? StreamTrack.video : StreamTrack.angle(number)
            track.name = rendition.name
            track.languageTag = rendition.language
            track.isDefault = number == 0
            track.characteristics = rendition.characteristics
            angleNames[track.id] = rendition.name
            return track
        }
        if angle == nil { angle = angleNames[StreamTrack.video] }
        return tracks
    }

    /// Selects another angle.
    ///
    /// - Returns: false when there is no such angle, or when it is selected already.
    mutating func chooseAngle(_ track: TrackID) -> Bool {
        guard let name = angleNames[track], name != angle else { return false }
        angle = name
        return true
    }

    // MARK: Clones of pathways

    /// Adds the variants of the pathways that a steering manifest clones, each pathway once.
    ///
    /// - Returns: the new variants, and for each the index of the original variant.
    mutating func addClones(_ manifest: SteeringManifest) -> [(copies: [Variant], bases: [Int])] {
        var added: [(copies: [Variant], bases: [Int])] = []
        for clone in manifest.clones {
            guard !variants.contains(where: { ($0.pathwayID ?? ".") == clone.id }) else { continue }
            let bases = variants.indices.filter { (variants[$0].pathwayID ?? ".") == clone.baseID }
            guard !bases.isEmpty else { continue }
            clones[clone.id] = clone
            let copies = bases.map { index in
                variants[index].moved(
                    to: clone.address(
                        of: variants[index].uri, base: url, stableID: variants[index].stableVariantID, in: clone.variantAddresses),
                    pathwayID: clone.id)
            }
            variants += copies
            added.append((copies, bases))
        }
        return added
    }
}

/// The numbering of a presentation's tracks.
enum StreamTrack {
    static let video = TrackID(0)
    /// The audio of a variant without an audio group.
    static let muxedAudio = TrackID(1)

    /// The audio of a rendition, by its index in its group.
    static func audio(_ index: Int) -> TrackID { TrackID(index + 1) }

    /// An angle other than the first.
    static func angle(_ index: Int) -> TrackID { TrackID(50 + index) }

    /// Captions with a playlist, by their index in their group.
    static func text(_ index: Int) -> TrackID { TrackID(100 + index) }

    /// Captions inside the pictures, by their index in their group.
    static func closedCaptions(_ index: Int) -> TrackID { TrackID(200 + index) }
}
