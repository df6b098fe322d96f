/// How far a picture is turned for a screen that hangs turned, clockwise and in degrees: with 90 the upper edge of the picture is at the right edge of the
/// screen's own picture, which is uppermost where the screen was turned to the left.
///
/// The only place where anything is turned by arithmetic. Scenes, modes and pictures of the screen are upright, as viewers see them; what goes to a screen is
/// turned.
package enum DisplayRotation: Int, Sendable, Hashable, CaseIterable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// - Parameter quarterTurns: clockwise; any number.
    package init(quarterTurns: Int) { self = Self.allCases[quarterTurns & 3] }

    /// Clockwise, 0…3.
    package var quarterTurns: Int { rawValue / 90 }
    /// Whether width and height change places.
    package var isSideways: Bool { quarterTurns & 1 == 1 }
    /// The rotation that undoes this one.
    package var inverse: DisplayRotation { DisplayRotation(quarterTurns: -quarterTurns) }
    /// This rotation and then another one.
    package func then(_ other: DisplayRotation) -> DisplayRotation {
        DisplayRotation(quarterTurns: quarterTurns + other.quarterTurns)
    }

    /// The size of a turned picture.
    package func size(width: Int, height: Int) -> (width: Int, height: Int) {
        isSideways ? (height, width) : (width, height)
    }

    /// The mode that viewers see of a screen's, and the other way round.
    package func turn(_ mode: DisplayMode) -> DisplayMode {
        let size = size(width: mode.width, height: mode.height)
        return DisplayMode(width: size.width, height: size.height, refresh: mode.refresh)
    }

    /// Where a rectangle of a picture is when the picture is turned.
    ///
    /// - Parameters:
    ///   - width: the picture's, before it is turned.
    ///   - height: the picture's, before it is turned.
    package func turn(_ rect: PixelRect, width: Int, height: Int) -> PixelRect {
        let (right, bottom) = (width - rect.x - rect.width, height - rect.y - rect.height)
        return switch self {
        case .none: rect
        case .quarter: PixelRect(x: bottom, y: rect.x, width: rect.height, height: rect.width)
        case .half: PixelRect(x: right, y: bottom, width: rect.width, height: rect.height)
        case .threeQuarters: PixelRect(x: rect.y, y: right, width: rect.height, height: rect.width)
        }
    }

    /// The video of an upright scene on the turned screen.
    ///
    /// - Parameters:
    ///   - width: the scene's.
    ///   - height: the scene's.
    package func turn(_ video: VideoLayer, width: Int, height: Int) -> VideoLayer {
        guard self != .none else { return video }
        var video = video
        video.destination = turn(video.destination, width: width, height: height)
        video.ground = video.ground.map { turn($0, width: width, height: height) }
        video.frame.quarterTurns = video.frame.rotation.then(self).quarterTurns
        return video
    }

    /// A layer of an upright scene on the turned screen; its pixels are as they were.
    ///
    /// - Parameters:
    ///   - width: the scene's.
    ///   - height: the scene's.
    package func turn(_ layer: InterfaceLayer, width: Int, height: Int) -> InterfaceLayer {
        var layer = layer
        layer.destination = turn(layer.destination, width: width, height: height)
        return layer
    }
}
