import MediaTime

/// How a still picture moves and fades while it is shown: linear over its whole time, and a function of that time alone. So it stands while the picture does, and a
/// seek finds it as playback would have. It needs no other picture: the display does it with the properties of a plane, as far as the card can.
package struct PictureMotion: Sendable, Hashable {
    /// How long a picture is shown whose duration nothing states.
    package static let standardDuration = MediaTime.seconds(10)

    /// How long a picture is shown; nil and zero state nothing.
    package static func duration(stated: MediaTime?) -> MediaTime {
        stated.flatMap { $0 > .zero ? $0 : nil } ?? standardDuration
    }

    /// What is seen of the picture.
    package struct View: Sendable, Hashable {
        /// How many times larger than whole it is, in thousandths: 1000 or more.
        package var zoom: Int
        /// Where the middle of what is seen is, in thousandths of the picture's width and height. Near an edge what is seen ends there.
        package var x: Int
        package var y: Int

        package static let whole = View(zoom: 1000, x: 500, y: 500)

        package init(zoom: Int, x: Int, y: Int) {
            self.zoom = zoom
            self.x = x
            self.y = y
        }
    }

    /// At its first instant.
    package var from: View
    /// At its end.
    package var to: View
    package var fadeIn: MediaTime
    package var fadeOut: MediaTime
    /// How long the picture is shown; positive.
    package var duration: MediaTime

    package init(
        from: View = .whole, to: View = .whole, fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero, duration: MediaTime = .zero
    ) {
        (self.from, self.to) = (from, to)
        (self.fadeIn, self.fadeOut) = (fadeIn, fadeOut)
        self.duration = duration
    }

    /// Where a picture is at a time; nil while it is whole and opaque.
    ///
    /// - Parameters:
    ///   - width: of the picture, which is its own canvas.
    ///   - time: since the picture began.
    package func placement(width: Int, height: Int, at time: MediaTime) -> PicturePlacement? {
        let presence = LayerPresence(start: .zero, end: fadeOut > .zero ? duration : nil, fadeIn: fadeIn, fadeOut: fadeOut)
        let alpha = presence.opacity(at: max(time, .zero))
        let source = seen(width: width, height: height, at: time)
        let whole = PixelRect(x: 0, y: 0, width: width, height: height)
        guard source != whole || alpha < 255 else { return nil }
        return PicturePlacement(width: width, height: height, source: source, destination: whole, alpha: max(alpha, 1))
    }

    private func seen(width: Int, height: Int, at time: MediaTime) -> PixelRect {
        let part = part(at: time)
        func value(_ path: KeyPath<View, Int>) -> Int {
            from[keyPath: path] * Self.steps + (to[keyPath: path] - from[keyPath: path]) * part
        }
        /// One side: where it begins, and how long it is.
        func side(_ whole: Int, _ middle: Int) -> (start: Int, length: Int) {
            let zoom = max(value(\.zoom), 1000 * Self.steps)
            let length = max(1, (whole * 1000 * Self.steps + zoom / 2) / zoom)
            let start = (whole * middle / (1000 * Self.steps)) - length / 2
            return (min(max(start, 0), whole - length), length)
        }
        let across = side(width, value(\.x)), down = side(height, value(\.y))
        return PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
    }

    /// Of the way from the first view to the last one, in steps that are finer than pixels.
    private func part(at time: MediaTime) -> Int {
        guard duration > .zero, time > .zero else { return 0 }
        return time < duration ? Int((time * Self.steps).wholeSteps(of: duration)) : Self.steps
    }

    private static let steps = 1_000_000
}
