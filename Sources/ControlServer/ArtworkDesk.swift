import LinuxSupport
import MediaModel

/// Loads and encodes the pictures of programmes for the page, a few at a time, so that a page full of posters takes nothing from playback.
/// An actor, so that the encoding runs off the main loop.
actor ArtworkDesk {
    /// The answer to a request.
    enum Answer: Sendable {
        case jpeg([UInt8])
        /// There is none, or it cannot be loaded now.
        case missing
        case crowded
    }

    private let desk: ControlDesk
    private let encode: @Sendable (ScreenPicture) -> [UInt8]?
    private let limits: ControlLimits
    private var underWay = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(desk: ControlDesk, limits: ControlLimits, encode: @escaping @Sendable (ScreenPicture) -> [UInt8]?) {
        self.desk = desk
        self.limits = limits
        self.encode = encode
    }

    /// The picture of an item, channel or series.
    func picture(of id: String) async -> Answer {
        if underWay < limits.artworks {
            underWay += 1
        } else {
            guard waiting.count < limits.artworkRequests else { return .crowded }
            // It takes over the place of one that has ended.
            await withCheckedContinuation { waiting.append($0) }
        }
        let (desk, size) = (desk, limits.artworkSize)
        let pixels = await RealTime.answerOnMain(within: limits.artworkTime) {
            desk.readArtwork(of: id, width: size.width, height: size.height, $0)
        }
        if waiting.isEmpty { underWay -= 1 } else { waiting.removeFirst().resume() }
        guard let pixels, let jpeg = encode(ScreenPicture(pixels: pixels, frameTime: nil, time: .zero, serial: 0)) else {
            return .missing
        }
        return .jpeg(jpeg)
    }
}
