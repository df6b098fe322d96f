import Captions
import MediaModel
import MediaTime
import Synchronization

/// The stores of the caption tracks of a file. Any thread.
final class TrackCueStores: Sendable {
    private let stores = Mutex<[TrackID: CueStore]>([:])

    subscript(_ track: TrackID) -> CueStore? { stores.withLock { $0[track] } }

    /// The store of a track, which is made if necessary.
    func make(_ track: TrackID) -> CueStore {
        stores.withLock { stores in
            if let store = stores[track] { return store }
            let store = CueStore()
            stores[track] = store
            return store
        }
    }
}

/// The supported caption codecs.
enum CaptionCodec {
    private static let bitmaps: Set<String> = ["hdmv_pgs_subtitle", "dvb_subtitle", "dvd_subtitle", "xsub"]

    /// Whether captions in a codec are supported.
    static func isShown(_ name: String) -> Bool {
        TextSampleReader.reads(name) || bitmaps.contains(name) || name.hasPrefix(TrackDescription.closedCaptionPrefix)
    }

    static func isBitmap(_ name: String) -> Bool { bitmaps.contains(name) }
}

/// Converts the samples of a file's caption tracks to cues as they are read. Used only on the demuxer's thread.
///
/// All tracks are read, because text is small, so that captions that are turned on appear at once.
final class SampleCaptionReader {
    /// The tracks to read.
    let tracks: Set<TrackID>
    private let stores: [TrackID: CueStore]
    private let codecs: any CodecFactory
    private let video: (width: Int, height: Int)
    private var bitmapDecoders: [TrackID: any BitmapCaptionDecoding] = [:]
    private var failed: Set<TrackID> = []
    private var readers: [TrackID: TextSampleReader] = [:]
    /// The captions without a stated end that the last samples began, by track: the next sample ends them.
    private var open: [TrackID: [CaptionCue]] = [:]
    private let languages: [TrackID: String]

    init?(tracks: [TrackDescription], codecs: any CodecFactory, stores: TrackCueStores) {
        let wanted = tracks.filter { ($0.type == .text || $0.type == .subtitle) && CaptionCodec.isShown($0.codec) }
        guard !wanted.isEmpty else { return nil }
        self.tracks = Set(wanted.map(\.id))
        self.stores = Dictionary(uniqueKeysWithValues: wanted.map { ($0.id, stores.make($0.id)) })
        languages = wanted.reduce(into: [:]) { $0[$1.id] = $1.languageTag }
        self.codecs = codecs
        let pictures = tracks.first { $0.type == .video }
        video = (pictures?.width ?? 0, pictures?.height ?? 0)
    }

    /// Reading continues at another position.
    func restart() {
        for (track, decoder) in bitmapDecoders.sorted(by: { $0.key < $1.key }) {
            decoder.flush()
            // These formats report only changes, so new captions would not fit the old state.
            stores[track]?.removeAll()
        }
    }

    /// Takes a sample if it belongs to a caption track.
    ///
    /// - Returns: whether it did.
    func take(_ sample: EncodedSample) -> Bool {
        guard let store = stores[sample.track] else { return false }
        let codec = sample.parameters.codecName
        if CaptionCodec.isBitmap(codec) { takeBitmap(sample, into: store) } else { takeText(sample, codec, into: store) }
        return true
    }

    private func takeText(_ sample: EncodedSample, _ codec: String, into store: CueStore) {
        let start = sample.presentationTime
        let over = open[sample.track, default: []].filter { $0.start < start }
        if !over.isEmpty {
            let ended = over.map { cue in
                var cue = cue
                cue.end = min(cue.end, start)
                return cue
            }
            store.replace(over, with: ended)
            open[sample.track]?.removeAll { $0.start < start }
        }
        guard TextSampleReader.isOpen(sample.duration) else { return store.insert(cues(of: sample, codec)) }
        // One that is read again after a seek has the end that it got.
        let new = cues(of: sample, codec).map { store.stored($0) ?? $0 }
        open[sample.track, default: []] += new
        store.insert(new)
    }

    private func cues(of sample: EncodedSample, _ codec: String) -> [CaptionCue] {
        guard
            var reader = readers.removeValue(forKey: sample.track)
                ?? TextSampleReader(
                    codec: codec, privateData: sample.parameters.privateData, language: languages[sample.track])
        else { return [] }
        defer { readers[sample.track] = reader }
        return reader.cues(
            sample.payload.withBytes { Array($0) }, start: sample.presentationTime, duration: sample.duration,
            beside: sample.payload.cueIdentifier)
    }

    // MARK: Bitmaps

    private func takeBitmap(_ sample: EncodedSample, into store: CueStore) {
        guard let decoder = decoder(for: sample) else { return }
        for caption in decoder.decode(sample) {
            let end = caption.end ?? caption.start + TextSampleReader.longest
            let cues = caption.parts.map { part in
                CaptionCue(
                    start: caption.start, end: end, nodes: [], box: Self.box(part.frame, of: caption.canvas),
                    image: CaptionImage(coding: .bgra, pixels: part.pixels, width: part.frame.width, height: part.frame.height))
            }
            store.show(cues, from: caption.start)
        }
    }

    private static func box(_ frame: PixelRect, of canvas: (width: Int, height: Int)) -> CaptionBox {
        let (width, height) = (Double(max(canvas.width, 1)), Double(max(canvas.height, 1)))
        return CaptionBox(
            x: Double(frame.x) / width, y: Double(frame.y) / height, width: Double(frame.width) / width,
            height: Double(frame.height) / height)
    }

    private func decoder(for sample: EncodedSample) -> (any BitmapCaptionDecoding)? {
        if let decoder = bitmapDecoders[sample.track] { return decoder }
        guard !failed.contains(sample.track), let codecs = codecs.bitmapCaptions,
            let decoder = try? codecs.openBitmapCaptionDecoder(sample.parameters, video: video)
        else {
            failed.insert(sample.track)
            return nil
        }
        bitmapDecoders[sample.track] = decoder
        return decoder
    }
}
