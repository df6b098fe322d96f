import MediaModel

/// How much of a scene the display hardware does. Each rung down gives the CPU more work.
package enum LadderRung: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    /// The video's own memory is scanned out on a plane, and the interface's layers on planes above it.
    case planes = 1
    /// The same, but the CPU has scaled or turned the video or faded it to black (in YUV), or copied it to memory that can be scanned out.
    case scaledVideo = 2
    /// One RGB picture that the CPU composed.
    case composed = 3

    /// Smaller is better: more is done by the hardware.
    package static func < (left: LadderRung, right: LadderRung) -> Bool { left.rawValue < right.rawValue }

    package var description: String {
        switch self {
        case .planes: "planes"
        case .scaledVideo: "video scaled or turned by the CPU"
        case .composed: "composed by the CPU"
        }
    }
}

/// What a plane reports that it can do. Only a test commit knows the rest.
struct PlaneProfile: Sendable, Hashable {
    var formats: Set<PixelFormat>
    /// Whether it supports a plane alpha.
    var hasAlpha: Bool
    /// Whether it is a cursor plane, which is not used.
    var isCursor: Bool
    /// The formats that it also shows when their samples are in columns (`SurfaceLayout.Tiling.sand128`).
    var columnFormats: Set<PixelFormat> = []
    /// How far it turns pictures.
    var rotations: Set<DisplayRotation> = [.none]
}

/// The facts about a scene's element that decide how it can be shown. Its position does not, so that moving it needs no new test.
struct ElementShape: Sendable, Hashable {
    var format: PixelFormat
    /// Those of the video are coarse.
    var sourceWidth, sourceHeight: Int
    var width, height: Int
    var isScaled: Bool
    /// How far it is turned, by its plane or by the CPU.
    var rotation = DisplayRotation.none
    var isCutOff: Bool
    var isFaded: Bool
    /// Whether no plane can show it, even prepared: it is too small or too large, or has a ground.
    var needsComposing: Bool
    /// Whether the card can scan out its memory.
    var isShowable: Bool
    /// Whether its samples are in columns, which only some planes show.
    var isInColumns = false
}

/// The facts about a scene that decide how it can be shown: tested once, then cached.
struct SceneShape: Sendable, Hashable {
    var video: ElementShape?
    var layers: [ElementShape]
    /// Whether a background other than black is visible.
    var showsColour: Bool
}

/// A way to show a scene.
struct Arrangement: Sendable, Hashable {
    var rung: LadderRung
    /// The plane of the video, or on the lowest rung of the composed picture.
    var base: Int?
    /// The planes of the layers, from the lowest.
    var layers: [Int]
    /// The layers that the CPU copies, scales or fades first, and turns. Planes turn the others.
    var prepared: Set<Int>
    /// Whether the CPU fades the video, because its plane has no alpha.
    var fadesVideo = false
}

/// Lists the ways to show a scene, best first. Test commits find out which of them the hardware accepts.
///
/// Planes are listed from the lowest to the highest. Display hardware fades into the background, so no plane is used for
/// invisible elements.
struct PlaneLadder: Sendable {
    var planes: [PlaneProfile]
    /// Whether the hardware itself can show a background other than black.
    var showsBackground: Bool
    /// The rungs that may be used; the lowest is always allowed.
    var rungs: Set<LadderRung>

    /// The number of planes tried for the lowest element before the next rung.
    private static let basesTried = 3

    func candidates(for shape: SceneShape) -> [Arrangement] {
        var result: [Arrangement] = []
        for rung in [LadderRung.planes, .scaledVideo] where rungs.contains(rung) {
            // Without a video the second rung is the same as the first.
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

    /// First only elements that no hardware can show directly, then also those that some hardware can scale, then those that some can turn.
    private func preparations(_ shape: SceneShape) -> [Set<Int>] {
        let unshowable = Set(shape.layers.indices.filter { !shape.layers[$0].isShowable || shape.layers[$0].format != .argb8888 })
        let scaled = unshowable.union(shape.layers.indices.filter { shape.layers[$0].isScaled })
        let turned = scaled.union(shape.layers.indices.filter { shape.layers[$0].rotation != .none })
        return [unshowable, scaled, turned].reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
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
        // Rectangles of video are even.
        let even = PixelRect(x: 0, y: 0, width: 2, height: 2)
        if rung == .scaledVideo, !PlaneTurning.canTurn(video.format, area: even, by: video.rotation) { return [] }
        // A picture that is faded by the CPU is mixed with black.
        let canFade = rung == .scaledVideo && !shape.showsColour && ColourConversion.canFade(video.format)
        let bases = planes.indices.filter { index in
            let plane = planes[index]
            // What the CPU has made is in rows.
            let formats = rung == .planes && video.isInColumns ? plane.columnFormats : plane.formats
            let turns = rung == .scaledVideo || plane.rotations.contains(video.rotation)
            let isFit = !plane.isCursor && formats.contains(video.format) && turns
            return isFit && (!video.isFaded || plane.hasAlpha || canFade)
        }
        return bases.prefix(Self.basesTried).compactMap { base in
            place(shape, above: base, skipping: 0, preparing).map {
                Arrangement(
                    rung: rung, base: base, layers: $0.planes, prepared: $0.prepared,
                    fadesVideo: video.isFaded && !planes[base].hasAlpha)
            }
        }
    }

    /// Gives each layer the next plane that can show it. The CPU prepares a faded layer on a plane without alpha, and one that the plane does not turn.
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
            let layer = shape.layers[index]
            if layer.isFaded && !planes[plane].hasAlpha || !planes[plane].rotations.contains(layer.rotation) {
                prepared.insert(index)
            }
        }
        return (chosen, prepared)
    }
}

extension [Arrangement] {
    fileprivate var withoutRepetition: [Arrangement] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
