import LinuxSupport
import MediaModel
import Screens

/// How a layer appears, moves and disappears: only alpha and destination change, so nothing is redrawn.
struct LayerMotion: Sendable, Hashable {
    /// Whether it fades in; otherwise it appears at once (a poster must hide what is under it).
    var fadesIn = true
    /// Whether it fades out; otherwise it is gone at once.
    var fadesOut = true
    /// How many pixels further up it slides in from and out to; 0: it does not slide.
    var slide = 0.0
    /// Whether it glides when its position changes.
    var glides = false
    /// Shakes when this changes.
    var shakes = 0
    /// The part of its size with which it appears; 1: it does not grow.
    var growsFrom = 1.0
    /// The end of its row, against which it bumps when that has another number, and by how many pixels.
    var edge: RowEdge?
    var bump = 0.0
    /// The layer with which it appears and glides, if that does so when this one appears.
    var follows: String?
    /// How long it waits before it fades in.
    var waits = Duration.zero
}

/// A layer's final state, and how it gets there.
struct AnimatedLayer: Sendable {
    var layer: InterfaceLayer
    var motion: LayerMotion
}

/// Fades, slides, glides, shakes and growth: a pure value that takes the wanted layers and returns the layers at an instant.
struct LayerAnimator {
    private struct Track {
        var layer: InterfaceLayer
        var motion: LayerMotion
        /// Opacity multiplied with the layer's own.
        var fade: EasedValue
        /// Pixels below its destination.
        var shift: EasedValue
        /// Part of its size.
        var size: EasedValue
        var shakenAt: HostTime?
        var isLeaving = false
    }

    private var tracks: [Track] = []
    /// The end of a row that was bumped against last, and when.
    private var bump: (edge: RowEdge, start: HostTime)?
    private static let shakeLength = Duration.milliseconds(400)

    /// Takes the layers to show from now on.
    ///
    /// - Parameter reducesMotion: cross-fades only.
    mutating func show(_ layers: [AnimatedLayer], at now: HostTime, reducesMotion: Bool) {
        let fadeIn = reducesMotion ? Timing.reducedMotion : Timing.fadeIn
        let fadeOut = reducesMotion ? Timing.reducedMotion : Timing.fadeOut
        var next: [Track] = []
        if let edge = layers.lazy.compactMap(\.motion.edge).first, edge != bump?.edge, !reducesMotion { bump = (edge, now) }
        for wanted in layers {
            let motion = wanted.motion
            if let old = tracks.first(where: { $0.layer.id == wanted.layer.id }) {
                var track = old
                let visible = old.fade.value(at: now)
                if old.isLeaving {
                    track.fade = EasedValue(from: visible, to: 1, start: now, length: motion.fadesIn ? fadeIn : .zero)
                    track.shift = EasedValue(
                        from: old.shift.value(at: now), to: 0, start: now, length: motion.slide > 0 ? Timing.panelSlide : .zero)
                } else if motion.glides, !reducesMotion, old.layer.destination.y != wanted.layer.destination.y {
                    let way = Double(old.layer.destination.y - wanted.layer.destination.y) + old.shift.value(at: now)
                    track.shift = EasedValue(from: way, to: 0, start: now, length: Timing.panelSlide)
                }
                if motion.shakes != old.motion.shakes, !reducesMotion { track.shakenAt = now }
                track.isLeaving = false
                track.layer = wanted.layer
                track.motion = motion
                next.append(track)
            } else {
                var track = Track(
                    layer: wanted.layer, motion: motion, fade: EasedValue(1, at: now), shift: EasedValue(0, at: now),
                    size: EasedValue(1, at: now),
                    shakenAt: nil)
                if motion.fadesIn {
                    let waits = reducesMotion ? Duration.zero : motion.waits
                    track.fade = EasedValue(from: waits > .zero ? 0 : 0.12, to: 1, start: now + waits, length: fadeIn)
                }
                if let leader = motion.follows.flatMap({ id in next.first { $0.layer.id == id } }) {
                    (track.fade, track.shift) = (leader.fade, leader.shift)
                }
                if motion.growsFrom != 1, !reducesMotion {
                    track.size = EasedValue(from: motion.growsFrom, to: 1, start: now, length: Timing.focusScale)
                }
                if motion.slide > 0, !reducesMotion {
                    track.shift = EasedValue(from: -motion.slide, to: 0, start: now, length: Timing.panelSlide)
                }
                if motion.shakes != 0, !reducesMotion { track.shakenAt = now }
                next.append(track)
            }
        }
        for old in tracks where old.motion.fadesOut && !next.contains(where: { $0.layer.id == old.layer.id }) {
            var track = old
            if !old.isLeaving {
                track.isLeaving = true
                track.fade = EasedValue(from: old.fade.value(at: now), to: 0, start: now, length: fadeOut)
                if old.motion.slide > 0, !reducesMotion {
                    track.shift = EasedValue(
                        from: old.shift.value(at: now), to: -old.motion.slide, start: now, length: Timing.panelSlide)
                }
            }
            next.append(track)
        }
        tracks = next
        forget(at: now)
    }

    /// The layers at an instant, in the order of `z`.
    mutating func layers(at now: HostTime) -> [InterfaceLayer] {
        forget(at: now)
        return tracks.compactMap { track in
            var layer = track.layer
            let alpha = Double(layer.alpha) * track.fade.value(at: now)
            layer.alpha = UInt8(min(max(alpha.rounded(), 0), 255))
            layer.destination = layer.destination.scaled(track.size.value(at: now))
            layer.destination.y += Int(track.shift.value(at: now).rounded())
            if let shakenAt = track.shakenAt {
                layer.destination.x += Self.shake(at: (now - shakenAt) / Self.shakeLength, height: layer.destination.height)
            }
            if let bump, track.motion.edge == bump.edge {
                layer.destination.x += Self.bump(bump.edge, at: (now - bump.start) / Timing.bump, by: track.motion.bump)
            }
            return layer.alpha == 0 ? nil : layer
        }.sorted { ($0.z, $0.id) < ($1.z, $1.id) }
    }

    /// Whether the picture changes at the next vertical blank.
    func isMoving(at now: HostTime) -> Bool {
        if let bump, now < bump.start + Timing.bump, tracks.contains(where: { $0.motion.edge == bump.edge }) { return true }
        return tracks.contains { track in
            track.fade.isMoving(at: now) || track.shift.isMoving(at: now) || track.size.isMoving(at: now)
                || track.shakenAt.map { now < $0 + Self.shakeLength } == true || track.isLeaving
        }
    }

    private mutating func forget(at now: HostTime) {
        tracks.removeAll { $0.isLeaving && !$0.fade.isMoving(at: now) }
    }

    /// Away from the end, where there is nothing more, and back: at first fast, then slowly.
    private static func bump(_ edge: RowEdge, at part: Double, by length: Double) -> Int {
        guard part >= 0, part < 1 else { return 0 }
        let way = part < 0.25 ? part * 4 : (1 - part) * (1 - part) * 16 / 9
        return Int((way * length).rounded()) * (edge.isRight ? -1 : 1)
    }

    /// Six damped swings, as wide as a quarter of the layer's height.
    private static func shake(at part: Double, height: Int) -> Int {
        guard part >= 0, part < 1 else { return 0 }
        let swing = part * 6
        let inSwing = swing - swing.rounded(.down)
        let side: Double = Int(swing) % 2 == 0 ? 1 : -1
        // A parabola instead of a sine: the same result on every machine.
        return Int((side * 4 * inSwing * (1 - inSwing) * (1 - part) * Double(height) / 4).rounded())
    }
}

extension PixelRect {
    /// A part of the size, round the same middle.
    fileprivate func scaled(_ part: Double) -> PixelRect {
        guard part != 1 else { return self }
        let wide = Int((Double(width) * part).rounded()), high = Int((Double(height) * part).rounded())
        return PixelRect(x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high)
    }
}
