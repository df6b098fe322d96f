/// The film with which a viewer matches sound and picture: each second a flash and, at the same instant, a click. A mark runs towards the place of the
/// flash, so that the eye knows when it comes.
///
/// The file is made in memory when it is opened (`GeneratedLoading`): QuickTime with H.264 pictures and PCM sound, of which one second is stored and
/// all seconds of the sample tables point to it.
package enum LipSyncFilm {
    /// Its address.
    package static let address = "marquee:lip-sync"
    /// How long it is.
    package static let seconds = 600

    static let framesPerSecond = 30
    static let sampleRate = 48_000
    /// How long the flash is seen.
    static let flashFrames = 2
    /// How long the click is heard, in samples.
    static let clickSamples = 480

    private static let (width, height) = (640, 360)
    /// The brightness of the ground, of the marks and of the flash.
    private static let (dark, dim, bright): (UInt8, UInt8, UInt8) = (26, 110, 235)

    /// The whole file.
    static func file() -> [UInt8] {
        var writer = PlainPictures(width: width, height: height)
        let pictures = (0..<framesPerSecond).map { writer.sample(blocks($0, writer), isKey: $0 == 0) }
        let sound = click()
        let head = QuickTimeBox("ftyp", Array("qt  ".utf8) + QuickTimeBox.number(0) + Array("qt  ".utf8)).bytes
        // The contents of `mdat` begin behind its header; the tables are behind it.
        let pictureOffset = head.count + 8
        let soundOffset = pictureOffset + pictures.reduce(0) { $0 + $1.count }
        let media = QuickTimeBox("mdat", pictures.flatMap { $0 } + sound).bytes
        let movie = QuickTimeBox(
            "moov",
            [
                QuickTimeBox.movieHeader(seconds: seconds, tracks: 2),
                QuickTimeBox.pictureTrack(
                    width: width, height: height, configuration: writer.configuration, framesPerSecond: framesPerSecond,
                    seconds: seconds, sizes: pictures.map(\.count), offset: pictureOffset),
                QuickTimeBox.soundTrack(sampleRate: sampleRate, seconds: seconds, offset: soundOffset),
            ])
        return head + media + movie.bytes
    }

    /// A frame of each second: a line with a gap in the middle, the mark that moves along it, and the flash. All are above the line on which the delay
    /// is set, in larger text too.
    private static func blocks(_ frame: Int, _ picture: PlainPictures) -> [UInt8] {
        var blocks = Array(repeating: dark, count: picture.columns * picture.rows)
        func paint(_ columns: Range<Int>, _ rows: Range<Int>, _ value: UInt8) {
            for row in rows { for column in columns { blocks[row * picture.columns + column] = value } }
        }
        let middle = picture.columns / 2, line = 13
        paint(middle..<middle + 1, line - 2..<line - 1, dim)
        paint(middle..<middle + 1, line + 2..<line + 3, dim)
        // It passes the middle with the flash, and is at the ends in between.
        let place = (frame + framesPerSecond / 2) % framesPerSecond - framesPerSecond / 2
        paint(middle + place..<middle + place + 1, line - 1..<line + 2, bright)
        if frame < flashFrames { paint(middle - 3..<middle + 4, 3..<10, bright) }
        return blocks
    }

    /// A second of stereo sound with 16 bits: a short tone that begins at once and fades.
    private static func click() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sampleRate * 4)
        for index in 0..<sampleRate {
            var value: Int16 = 0
            if index < clickSamples {
                // A square wave of 2 kHz.
                let level = 16_000 * (clickSamples - index) / clickSamples
                value = Int16(index / 12 % 2 == 0 ? level : -level)
            }
            let (low, high) = (UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8))
            bytes += [low, high, low, high]
        }
        return bytes
    }
}
