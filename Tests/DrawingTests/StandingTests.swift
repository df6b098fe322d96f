import LinuxSupport
import MediaModel
import Screens
import Synchronization
import Testing
import Viewing

@testable import Drawing

/// Each sample screen, left alone: what is bright and does not move burns into some screens.
@Suite("Nothing bright stands still", .serialized)
@MainActor
struct StandingTests {
    /// A little more than five minutes.
    private static let window = Duration.seconds(305)

    @Test("for more than five minutes without a key, in the first ten minutes of every screen")
    func everyScreen() throws {
        let recorder = BoxRecorder()
        let screens = Samples.$recorder.withValue(recorder) { Samples.all }
        let easel = try Easel(width: 480, height: 270)
        defer { easel.stop() }
        // On one a key is down.
        for (name, state) in screens where name != "skipping" {
            guard var box = recorder.box(showing: state) else {
                Issue.record("\(name) is no state of a box")
                continue
            }
            box.pass(.seconds(5))
            for window in 1...2 {
                let standing = try standing(&box, easel)
                let first = standing.first ?? 0
                #expect(
                    standing.isEmpty, "\(name), window \(window): \(standing.count) pixels, from \(first % 480), \(first / 480)")
            }
        }
    }

    @Test("and something that does is found")
    func broken() throws {
        var settings = ViewerSettings()
        settings.screenSaverMinutes = 0
        var box = SampleBox(settings)
        box.send(.homeChanged(SampleFeed.home))
        let easel = try Easel(width: 480, height: 270)
        defer { easel.stop() }
        let standing = try standing(&box, easel)
        #expect(!standing.isEmpty)
    }

    /// The pixels that are bright and have the same colour in all pictures of a window, which passes. Five pictures first; where they leave something, one
    /// for each five seconds, because one thing may have taken the place of another between them.
    private func standing(_ box: inout SampleBox, _ easel: Easel) throws -> [Int] {
        var careful = box
        let found = try standing(&box, easel, pictures: 5)
        return found.isEmpty ? [] : try standing(&careful, easel, pictures: 61)
    }

    private func standing(_ box: inout SampleBox, _ easel: Easel, pictures: Int) throws -> [Int] {
        let first = try picture(box.machine.state, easel)
        // Lighter than a middle grey, over a black picture.
        var standing = (0..<first.count / 4).filter { max(first[$0 * 4], first[$0 * 4 + 1], first[$0 * 4 + 2]) > 128 }
        var place = box.machine.state.screenSaver?.frame
        for _ in 0..<pictures {
            box.pass(Self.window / pictures)
            let newPlace = box.machine.state.screenSaver?.frame
            // What the screen saver has in its new place is another thing, also where its letters cover the grey of others.
            if let newPlace, newPlace != place { standing.removeAll { Self.contains(newPlace, $0) } }
            place = newPlace
            guard !standing.isEmpty else { continue }
            let next = try picture(box.machine.state, easel)
            standing.removeAll { pixel in
                (pixel * 4..<pixel * 4 + 3).contains { abs(Int(first[$0]) - Int(next[$0])) > 16 }
            }
        }
        return standing
    }

    /// Whether a pixel of a picture is inside a rectangle of the interface, whose units are those of 1920x1080.
    private static func contains(_ rect: PixelRect, _ pixel: Int) -> Bool {
        let (x, y) = (pixel % 480 * 4, pixel / 480 * 4)
        return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height
    }

    private func picture(_ state: PresentationState, _ easel: Easel) throws -> [UInt8] {
        var state = state
        // The operator's, such as the logo of a channel.
        state.overlays = []
        return try easel.picture(of: easel.show(state), over: .plain(.black)).rows()
    }
}

/// Keeps boxes whose state was looked at, so that time can pass on them afterwards.
final class BoxRecorder: Sendable {
    private let boxes = Mutex<[SampleBox]>([])

    func note(_ box: SampleBox) { boxes.withLock { $0.append(box) } }

    /// The last box that showed a state.
    func box(showing state: PresentationState) -> SampleBox? {
        boxes.withLock { $0.last { $0.machine.state == state } }
    }
}
