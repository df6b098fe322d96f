import MediaModel
import MediaTime
import Testing

@testable import Display

/// The position on a turned screen of a pixel of an upright picture: plain index arithmetic, clockwise.
func turnedPlace(_ x: Int, _ y: Int, width: Int, height: Int, degrees: Int) -> (x: Int, y: Int) {
    switch degrees {
    case 90: (height - 1 - y, x)
    case 180: (width - 1 - x, height - 1 - y)
    case 270: (y, width - 1 - x)
    default: (x, y)
    }
}

@Suite("DisplayRotation")
struct RotationTests {
    private let rects = [
        PixelRect(x: 0, y: 0, width: 7, height: 4), PixelRect(x: 1, y: 2, width: 3, height: 1),
        PixelRect(x: 6, y: 3, width: 1, height: 1), PixelRect(x: -3, y: 2, width: 5, height: 9),
        PixelRect(x: 5, y: -6, width: 40, height: 2), PixelRect(x: 2, y: 2, width: 0, height: 0),
    ]

    @Test("every turn of a rectangle covers the pixels that index arithmetic gives", arguments: DisplayRotation.allCases)
    func rectangles(_ rotation: DisplayRotation) {
        for rect in rects {
            let turned = rotation.turn(rect, width: 7, height: 4)
            var pixels = Set<[Int]>()
            for y in rect.y..<rect.y + rect.height {
                for x in rect.x..<rect.x + rect.width {
                    let place = turnedPlace(x, y, width: 7, height: 4, degrees: rotation.rawValue)
                    pixels.insert([place.x, place.y])
                }
            }
            var covered = Set<[Int]>()
            for y in turned.y..<turned.y + turned.height {
                for x in turned.x..<turned.x + turned.width { covered.insert([x, y]) }
            }
            #expect(pixels == covered, "\(rect)")
        }
    }

    @Test("a turn and its inverse are none, and two turns are their sum", arguments: DisplayRotation.allCases)
    func algebra(_ first: DisplayRotation) {
        #expect(first.then(first.inverse) == .none && first.inverse.then(first) == .none)
        for second in DisplayRotation.allCases {
            let both = first.then(second)
            #expect(both.rawValue == (first.rawValue + second.rawValue) % 360)
            for rect in rects {
                let size = first.size(width: 7, height: 4)
                let once = first.turn(rect, width: 7, height: 4)
                #expect(second.turn(once, width: size.width, height: size.height) == both.turn(rect, width: 7, height: 4))
                #expect(first.inverse.turn(once, width: size.width, height: size.height) == rect)
            }
        }
    }

    @Test("sizes and modes change places with the quarter turns only, and any number of quarter turns is one of four")
    func sizes() {
        let mode = DisplayMode(width: 1920, height: 1080, refresh: Ratio(60000, 1001))
        for rotation in [DisplayRotation.quarter, .threeQuarters] {
            #expect(rotation.isSideways && rotation.size(width: 1920, height: 1080) == (1080, 1920))
            #expect(rotation.turn(mode) == DisplayMode(width: 1080, height: 1920, refresh: mode.refresh))
            #expect(rotation.turn(rotation.turn(mode)) == mode)
        }
        for rotation in [DisplayRotation.none, .half] { #expect(!rotation.isSideways && rotation.turn(mode) == mode) }
        let turns = [-5, -1, 0, 1, 2, 3, 4, 7, Int.min, Int.max].map { DisplayRotation(quarterTurns: $0).rawValue }
        #expect(turns == [270, 270, 0, 90, 180, 270, 0, 270, 0, 270])
        #expect(DisplayRotation(rawValue: 45) == nil && DisplayRotation(rawValue: -90) == nil)
    }
}

@Suite("Composing for a turned screen")
struct TurnedCompositionTests {
    private let compositor = Compositor()

    /// The greatest difference of a turned picture to the upright one, by index arithmetic over all pixels.
    private func worst(_ turned: PixelBuffer, _ upright: PixelBuffer, _ rotation: DisplayRotation) -> Int {
        var worst = 0
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let place = turnedPlace(x, y, width: upright.width, height: upright.height, degrees: rotation.rawValue)
                worst = max(worst, turned.pixel(place.x, place.y).distance(upright.pixel(x, y)))
            }
        }
        return worst
    }

    /// Video with alpha above a ground, a layer with alpha, one that is scaled and faded, and one that the edge cuts off.
    private func scene(
        _ format: PixelFormat, _ place: PixelRect, quarterTurns: Int = 0, alpha: UInt8 = 255, width: Int, height: Int
    ) throws -> Scene {
        let video = try TestPictures.slopes(format, width: 40, height: 24)
        let label = try TestPictures.rgb(.argb8888, width: 13, height: 9) { x, y in (x * 7, y * 9, 10, 140 + y * 5) }
        return Scene(
            background: OpaqueColour(red: 40, green: 90, blue: 160),
            video: VideoLayer(
                frame: TestPictures.frame(video, quarterTurns: quarterTurns),
                source: PixelRect(x: 2, y: 2, width: 36, height: 20),
                destination: place, alpha: alpha, ground: PixelRect(x: 3, y: 5, width: 41, height: 30)),
            layers: [
                InterfaceLayer(id: "label", pixels: label, destination: PixelRect(x: 5, y: 3, width: 13, height: 9), z: 1),
                InterfaceLayer(
                    id: "faint", pixels: label, destination: PixelRect(x: 20, y: 17, width: 30, height: 11), alpha: 100, z: 2),
                InterfaceLayer(
                    id: "edge", pixels: label, destination: PixelRect(x: width - 6, y: -4, width: 13, height: 9), z: 3),
            ], wantedTime: .zero)
    }

    @Test("is the upright picture turned: every format, sizes and places also odd, scaled, faded, cut off")
    func everything() throws {
        let places = [
            PixelRect(x: 6, y: 8, width: 36, height: 20), PixelRect(x: 7, y: 5, width: 35, height: 27),
            PixelRect(x: 0, y: 0, width: 64, height: 48), PixelRect(x: -9, y: 11, width: 51, height: 50),
        ]
        for format in PixelFormat.allCases {
            for (width, height) in [(64, 48), (63, 47)] {
                for place in places {
                    for alpha in [255, 130] as [UInt8] {
                        let scene = try scene(format, place, alpha: alpha, width: width, height: height)
                        let upright = try compositor.compose(scene, width: width, height: height)
                        for rotation in DisplayRotation.allCases {
                            let size = rotation.size(width: width, height: height)
                            let turned = try compositor.compose(
                                scene, width: size.width, height: size.height, turned: rotation)
                            let difference = worst(turned, upright, rotation)
                            #expect(difference <= 2, "\(format) \(width)x\(height) \(place) \(alpha) \(rotation)")
                            let back = try compositor.upright(turned, turned: rotation)
                            #expect(worst(back, upright, .none) <= 2)
                        }
                    }
                }
            }
        }
    }

    @Test("a picture that is stored turned is turned once, by the sum", arguments: [1, 2, 3])
    func storedTurned(_ quarterTurns: Int) throws {
        let isSideways = quarterTurns != 2
        let place = PixelRect(x: 6, y: 4, width: isSideways ? 20 : 36, height: isSideways ? 36 : 20)
        let scene = try scene(.nv12, place, quarterTurns: quarterTurns, width: 64, height: 48)
        let upright = try compositor.compose(scene, width: 64, height: 48)
        for rotation in DisplayRotation.allCases {
            let size = rotation.size(width: 64, height: 48)
            let turned = try compositor.compose(scene, width: size.width, height: size.height, turned: rotation)
            #expect(worst(turned, upright, rotation) <= 2, "\(rotation)")
        }
    }
}

@Suite("What the ladder does with turned pictures")
struct TurnedLadderTests {
    private func plane(_ rotations: Set<DisplayRotation>) -> PlaneProfile {
        PlaneProfile(
            formats: [.nv12, .yuv422p, .xrgb8888, .argb8888], hasAlpha: true, isCursor: false, rotations: rotations.union([.none])
        )
    }

    private func element(_ format: PixelFormat, _ rotation: DisplayRotation) -> ElementShape {
        ElementShape(
            format: format, sourceWidth: 100, sourceHeight: 100, width: 100, height: 100, isScaled: false, rotation: rotation,
            isCutOff: false, isFaded: false, needsComposing: false, isShowable: true)
    }

    private func ways(_ planes: [PlaneProfile], _ format: PixelFormat, _ rotation: DisplayRotation) -> [Arrangement] {
        PlaneLadder(planes: planes, showsBackground: true, rungs: Set(LadderRung.allCases)).candidates(
            for: SceneShape(video: element(format, rotation), layers: [element(.argb8888, rotation)], showsColour: false))
    }

    @Test("planes that turn do it, and if the card refuses that the CPU turns layers, then video too, then everything")
    func turning() {
        let ways = ways([plane([.quarter]), plane([.quarter])], .nv12, .quarter)
        #expect(
            ways == [
                Arrangement(rung: .planes, base: 0, layers: [1], prepared: []),
                Arrangement(rung: .planes, base: 0, layers: [1], prepared: [0]),
                Arrangement(rung: .scaledVideo, base: 0, layers: [1], prepared: []),
                Arrangement(rung: .scaledVideo, base: 0, layers: [1], prepared: [0]),
                Arrangement(rung: .composed, base: 0, layers: [], prepared: []),
            ])
    }

    @Test("where planes turn by another number only, the CPU turns video in its own format, and layers once")
    func otherTurns() {
        let ways = ways([plane([.half]), plane([.half])], .nv12, .threeQuarters)
        #expect(ways.first == Arrangement(rung: .scaledVideo, base: 0, layers: [1], prepared: [0]))
        #expect(ways.last?.rung == .composed && !ways.contains { $0.rung == .planes })
    }

    @Test("each plane is asked for itself")
    func mixed() {
        #expect(
            ways([plane([.half]), plane([])], .nv12, .half).first
                == Arrangement(rung: .planes, base: 0, layers: [1], prepared: [0]))
        #expect(
            ways([plane([]), plane([.half])], .nv12, .half).first
                == Arrangement(rung: .scaledVideo, base: 0, layers: [1], prepared: []))
    }

    @Test("4:2:2 is turned to the side by planes or composed, and upside down by the CPU too")
    func coarseChroma() {
        #expect(ways([plane([]), plane([])], .yuv422p, .quarter).map(\.rung) == [.composed])
        #expect(ways([plane([]), plane([])], .yuv422p, .half).first?.rung == .scaledVideo)
    }
}
