import MediaModel

/// How much of a scene the display hardware does itself. Each rung down gives the CPU more to do.
package enum LadderRung: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    /// The video's own memory is shown on a plane, the interface's layers on planes above it.
    case planes = 1
    /// The same, but the CPU has scaled the video (in YUV), or brought it into memory that can be shown.
    case scaledVideo = 2
    /// One RGB picture that the CPU composed.
    case composed = 3

    /// Less is better: closer to the hardware.
    package static func < (left: LadderRung, right: LadderRung) -> Bool { left.rawValue < right.rawValue }

    /// For logs.
    package var description: String {
        switch self {
        case .planes: "planes"
        case .scaledVideo: "video scaled by the CPU"
        case .composed: "composed by the CPU"
        }
    }
}

/// What a plane can do, as far as it says so itself; the rest only a test commit knows.
struct PlaneProfile: Sendable, Hashable {
    /// The formats that it shows.
    var formats: Set<PixelFormat>
    /// Whether it can be faded as a whole.
    var hasAlpha: Bool
    /// Whether it is meant for a mouse pointer, and is left alone.
    var isCursor: Bool
}

/// What matters about an element of a scene for how it can be shown. Where it lies does not, so that moving it needs no new test.
struct ElementShape: Sendable, Hashable {
    var format: PixelFormat
    var sourceWidth, sourceHeight: Int
    var width, height: Int
    var isCutOff: Bool
    var isFaded: Bool
    /// Whether no plane can show it, however it is prepared: turned, or too small or too large for one.
    var needsComposing: Bool
    /// Whether its memory can be shown by the card.
    var isShowable: Bool

    var isScaled: Bool { sourceWidth != width || sourceHeight != height }
}

/// What matters about a scene for how it can be shown: tested once, then known.
struct SceneShape: Sendable, Hashable {
    var video: ElementShape?
    var layers: [ElementShape]
    /// Whether a background other than black can be seen.
    var showsColour: Bool
}

/// A way to show a scene.
struct Arrangement: Sendable, Hashable {
    var rung: LadderRung
    /// The plane of the video, or of the composed picture on the lowest rung.
    var base: Int?
    /// The planes of the layers, from the lowest.
    var layers: [Int]
    /// Which layers the CPU copies, scales or fades first.
    var prepared: Set<Int>
}

/// Lists the ways in which a scene could be shown, the best first. Which of them the hardware takes is found out by test commits.
///
/// Planes are given from the lowest to the highest; display hardware fades into the background, so no plane is ever spent on what is not seen.
struct PlaneLadder: Sendable {
    var planes: [PlaneProfile]
    /// Whether the hardware itself can show a background other than black.
    var showsBackground: Bool
    /// The rungs that may be used; the lowest always may.
    var rungs: Set<LadderRung>

    /// How many planes are tried for the lowest element before the next rung is.
    private static let basesTried = 3

    func candidates(for shape: SceneShape) -> [Arrangement] {
        var result: [Arrangement] = []
        for rung in [LadderRung.planes, .scaledVideo] where rungs.contains(rung) {
            // Without a video the second rung is the first again.
            if rung == .scaledVideo, shape.video == nil { continue }
            guard !shape.showsColour || showsBackground else { continue }
            for preparing in preparations(shape) {
                result += arrangements(shape, rung, preparing)
            }
        }
        let screen = planes.firstIndex { !$0.isCursor && $0.formats.contains(.xrgb8888) }
        result.append(Arrangement(rung: .composed, base: screen, layers: [], prepared: []))
        return result
    }

    /// First only what no hardware can show as it is, then also what some hardware scales.
    private func preparations(_ shape: SceneShape) -> [Set<Int>] {
        let unshowable = Set(shape.layers.indices.filter { !shape.layers[$0].isShowable || shape.layers[$0].format != .argb8888 })
        let scaled = unshowable.union(shape.layers.indices.filter { shape.layers[$0].isScaled })
        return scaled == unshowable ? [unshowable] : [unshowable, scaled]
    }

    private func arrangements(_ shape: SceneShape, _ rung: LadderRung, _ preparing: Set<Int>) -> [Arrangement] {
        guard let video = shape.video else {
            return (0..<Self.basesTried).compactMap { skipped in
                place(shape, above: nil, skipping: skipped, preparing).map {
                    Arrangement(rung: .planes, base: nil, layers: $0.planes, prepared: $0.prepared)
                }
            }.withoutRepetition
        }
        guard !video.needsComposing, rung == .scaledVideo || video.isShowable else { return [] }
        if rung == .scaledVideo, video.isScaled, !ColourConversion.canScale(video.format) { return [] }
        let bases = planes.indices.filter { index in
            let plane = planes[index]
            return !plane.isCursor && plane.formats.contains(video.format) && (!video.isFaded || plane.hasAlpha)
        }
        return bases.prefix(Self.basesTried).compactMap { base in
            place(shape, above: base, skipping: 0, preparing).map {
                Arrangement(rung: rung, base: base, layers: $0.planes, prepared: $0.prepared)
            }
        }
    }

    /// Gives each layer the next plane that can show it. A faded layer on a plane that cannot fade is prepared by the CPU.
    private func place(
        _ shape: SceneShape, above base: Int?, skipping: Int, _ preparing: Set<Int>
    ) -> (planes: [Int], prepared: Set<Int>)? {
        var free = planes.indices.filter { index in
            index > base ?? -1 && !planes[index].isCursor && planes[index].formats.contains(.argb8888)
        }.dropFirst(skipping)
        var chosen: [Int] = []
        var prepared = preparing
        for index in shape.layers.indices {
            guard let plane = free.popFirst() else { return nil }
            chosen.append(plane)
            if shape.layers[index].isFaded, !planes[plane].hasAlpha { prepared.insert(index) }
        }
        return (chosen, prepared)
    }
}

extension [Arrangement] {
    fileprivate var withoutRepetition: [Arrangement] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
