import LinuxSupport
import MediaModel
import MediaTime
import Testing
import WireFormats

@testable import Composition

@Suite("Video compositions and audio mixes")
struct MixTests {
    private let film = Composition(tracks: [
        CompositionTrack(id: TrackID(1), type: .video, segments: [segment("a", frames(0, 100), at: .zero)]),
        CompositionTrack(id: TrackID(2), type: .video, segments: [segment("b", frames(0, 100), at: .zero)]),
        CompositionTrack(id: TrackID(3), type: .audio, segments: [segment("a", frames(0, 100), at: .zero)]),
    ])

    private func video(
        _ ranges: [TimeRange], layers: [LayerInstruction] = [LayerInstruction(track: TrackID(1))],
        size: RenderSize = RenderSize(width: 1280, height: 720)
    ) -> VideoComposition {
        VideoComposition(
            renderSize: size, frameDuration: frame(1), background: 0x102030,
            instructions: ranges.map { VideoCompositionInstruction($0, layers: layers) })
    }

    private func layer(_ ramps: [Ramp<Double>]) -> LayerInstruction {
        LayerInstruction(track: TrackID(1), opacity: RampCurve(1, ramps))
    }

    @Test("a value is 1 before the first ramp, linear in each, and its last value until the next one")
    func curve() {
        let curve = RampCurve(
            1.0, [Ramp(frames(10, 10), from: 0.25, to: 0.75), Ramp(at: frame(30), 0), Ramp(frames(40, 4), from: 1, to: 0)])
        let wanted: [(Int, Double)] = [
            (-5, 1), (9, 1), (10, 0.25), (15, 0.5), (20, 0.75), (29, 0.75), (30, 0), (39, 0), (40, 1), (41, 0.75), (43, 0.25),
            (44, 0),
            (1000, 0),
        ]
        for (number, value) in wanted { #expect(curve.value(at: frame(number)) == value, "frame \(number)") }
        #expect(curve.value(at: frame(31) - .nanoseconds(1)) == 0)
    }

    @Test("random ramps agree with a plain calculation, stay between their ends and follow one another")
    func ramps() {
        var chance = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var ramps: [Ramp<Double>] = []
            var place = 0
            for _ in 0..<chance.number(0...6) {
                place += chance.number(1...50)
                let length = chance.number(0...40)
                ramps.append(
                    Ramp(
                        TimeRange(start: MediaTime(Int64(place), 30_000), duration: MediaTime(Int64(length), 30_000)),
                        from: Double(chance.number(0...1000)) / 1000, to: Double(chance.number(0...1000)) / 1000))
                place += length
            }
            let curve = RampCurve(1.0, ramps)
            for _ in 0..<40 {
                let tick = chance.number(-10...place + 60)
                var wanted = 1.0
                for ramp in ramps {
                    let (start, length) = (ramp.range.start.units(of: 30_000), ramp.range.duration.units(of: 30_000))
                    if tick >= start + length {
                        wanted = ramp.to
                    } else if tick >= start {
                        wanted = ramp.from + (ramp.to - ramp.from) * Double(Int64(tick) - start) / Double(length)
                    }
                }
                let value = curve.value(at: MediaTime(Int64(tick), 30_000))
                #expect(abs(value - wanted) < 1e-12, "tick \(tick) of \(ramps)")
                #expect((0...1).contains(value))
            }
        }
    }

    @Test("ramps of any size can be evaluated, and never leave their ends")
    func extremes() {
        var chance = SeededGenerator(seed: 11)
        for _ in 0..<3000 {
            let ramp = Ramp(chance.wildRange(), from: chance.one(of: [0.0, 0.1, 1.0]), to: chance.one(of: [0.0, 0.7, 1.0]))
            let curve = RampCurve(0.5, [ramp])
            for time in [chance.wildTime(), ramp.range.start, ramp.range.end, ramp.range.start + .nanoseconds(1)] {
                let value = curve.value(at: time)
                #expect(
                    time < ramp.range.start ? value == 0.5 : (min(ramp.from, ramp.to)...max(ramp.from, ramp.to)).contains(value))
            }
        }
    }

    @Test("a dissolve is both pictures by their opacities, and an invisible layer is left out")
    func picture() {
        let dissolve = VideoComposition(
            renderSize: RenderSize(width: 640, height: 360), frameDuration: frame(1), background: 0x102030,
            instructions: [
                VideoCompositionInstruction(frames(0, 40), layers: [LayerInstruction(track: TrackID(1))]),
                VideoCompositionInstruction(
                    frames(40, 60), background: 0xFFFFFF,
                    layers: [
                        LayerInstruction(
                            track: TrackID(1), opacity: RampCurve(1, [Ramp(frames(40, 20), from: 1, to: 0)]),
                            transform: RampCurve(
                                .identity,
                                [
                                    Ramp(
                                        frames(40, 20), from: .identity,
                                        to: LayerTransform(x: 100, y: -50, scaleX: 0.5, scaleY: 2))
                                ]),
                            crop: RampCurve(
                                .whole, [Ramp(frames(40, 20), from: .whole, to: LayerCrop(x: 0.5, y: 0, width: 0.5, height: 1))])),
                        LayerInstruction(track: TrackID(2)),
                    ]),
            ])
        #expect(dissolve.validate(for: film).isEmpty)
        #expect(dissolve.picture(at: frame(39))?.layers.map(\.track) == [TrackID(1)])
        #expect(dissolve.picture(at: frame(39))?.background == 0x102030)
        let middle = dissolve.picture(at: frame(50))
        #expect(middle?.background == 0xFFFFFF)
        #expect(middle?.layers.map(\.opacity) == [0.5, 1])
        #expect(middle?.layers[0].transform == LayerTransform(x: 50, y: -25, scaleX: 0.75, scaleY: 1.5))
        #expect(middle?.layers[0].crop == LayerCrop(x: 0.25, y: 0, width: 0.75, height: 1))
        #expect(dissolve.picture(at: frame(60))?.layers.map(\.track) == [TrackID(2)])
        #expect(dissolve.picture(at: frame(100)) == nil && dissolve.picture(at: frame(-1)) == nil)
    }

    @Test("instructions must cover the composition without gap and overlap")
    func coverage() {
        #expect(video([frames(0, 100)]).validate(for: film).isEmpty)
        #expect(
            places(video([frames(0, 50), frames(60, 40)]).validate(for: film)) == ["gap /videoComposition/instructions/1/range"])
        #expect(
            places(video([frames(0, 50), frames(40, 60)]).validate(for: film)) == [
                "overlap /videoComposition/instructions/1/range"
            ])
        #expect(places(video([frames(0, 99)]).validate(for: film)) == ["gap /videoComposition/instructions"])
        #expect(places(video([frames(0, 101)]).validate(for: film)) == ["overlap /videoComposition/instructions"])
        #expect(places(video([]).validate(for: film)) == ["gap /videoComposition/instructions"])
    }

    @Test("layers and their values are checked")
    func layers() {
        func faults(_ layers: [LayerInstruction]) -> [String] {
            places(video([frames(0, 100)], layers: layers).validate(for: film))
        }
        let layers = "/videoComposition/instructions/0/layers"
        #expect(faults([LayerInstruction(track: TrackID(9))]) == ["track \(layers)/0/track"])
        #expect(faults([LayerInstruction(track: TrackID(3))]) == ["track \(layers)/0/track"])
        #expect(faults([layer([]), layer([])]) == ["track \(layers)/1/track"])
        #expect(
            faults([layer([]), LayerInstruction(track: TrackID(2)), LayerInstruction(track: TrackID(3))]).contains(
                "limit \(layers)"))
        #expect(faults([layer([Ramp(frames(0, 5), from: 1, to: 1.5)])]) == ["limit \(layers)/0/opacity/0/to"])
        #expect(faults([layer([Ramp(frames(0, 5), from: .nan, to: 1)])]) == ["limit \(layers)/0/opacity/0/from"])
        #expect(
            faults([layer([Ramp(frames(0, 5), from: 0, to: 1), Ramp(at: frame(4), 1)])]) == ["overlap \(layers)/0/opacity/1"])
        #expect(faults([layer([Ramp(at: frame(4), 0), Ramp(at: frame(4), 1)])]) == ["overlap \(layers)/0/opacity/1"])
        #expect(faults([layer([Ramp(at: frame(100), 0)])]) == ["unused \(layers)/0/opacity/0"])
        #expect(faults([layer([Ramp(frames(-4, 5), from: 0, to: 1)])]) == ["negative \(layers)/0/opacity/0/start"])
        let placed = LayerTransform(x: 1e9, y: 0, scaleX: 1, scaleY: 1), flat = LayerTransform(x: 0, y: 0, scaleX: 0, scaleY: 1)
        for transform in [placed, flat] {
            let layer = LayerInstruction(track: TrackID(1), transform: RampCurve(.identity, [Ramp(at: .zero, transform)]))
            #expect(faults([layer]) == ["limit \(layers)/0/transform/0/to"])
        }
        let crop = LayerInstruction(
            track: TrackID(1), crop: RampCurve(.whole, [Ramp(at: .zero, LayerCrop(x: 0.5, y: 0, width: 0.6, height: 1))]))
        #expect(faults([crop]) == ["limit \(layers)/0/crop/0/to"])
        let large = video([frames(0, 100)], size: RenderSize(width: 5000, height: 0))
        #expect(places(large.validate(for: film)) == ["limit /videoComposition/renderSize"])
        // Each lasting is a number of composed pictures a second.
        for (duration, isGood) in [
            (MediaTime(1, 240), true), (MediaTime(1, 241), false), (.nanoseconds(1), false), (.zero, false), (.seconds(10), true),
            (.milliseconds(10_001), false),
        ] {
            let paced = VideoComposition(
                renderSize: large.renderSize, frameDuration: duration,
                instructions: [VideoCompositionInstruction(frames(0, 100), layers: [LayerInstruction(track: TrackID(1))])])
            let isRefused = places(paced.validate(for: film)).contains("limit /videoComposition/frameDuration")
            #expect(isRefused != isGood, "\(duration)")
        }
    }

    @Test("a mix has the volume of each track at each time")
    func mix() {
        let mix = AudioMix(inputParameters: [
            AudioMixInputParameters(
                track: TrackID(3),
                volume: RampCurve(1, [Ramp(TimeRange(start: .seconds(1), duration: .seconds(2)), from: 1, to: 0)]))
        ])
        #expect(mix.validate(for: film).isEmpty)
        for sample in [0, 44_100, 48_000, 48_001, 96_000, 143_999, 144_000, 200_000] {
            let wanted = max(0, min(1, 1 - Double(sample - 48_000) / 96_000))
            #expect(abs(mix.volume(of: TrackID(3), at: MediaTime(Int64(sample), 48_000)) - wanted) < 1e-15)
        }
        #expect(mix.volume(of: TrackID(4), at: .seconds(2)) == 1)
        let wrong = AudioMix(inputParameters: [
            AudioMixInputParameters(track: TrackID(1), volume: RampCurve(1)),
            AudioMixInputParameters(track: TrackID(3), volume: RampCurve(1, [Ramp(at: .zero, -0.1)])),
            AudioMixInputParameters(track: TrackID(3), volume: RampCurve(1)),
        ])
        #expect(
            places(wrong.validate(for: film)) == [
                "track /audioMix/tracks/0/track", "limit /audioMix/tracks/1/volume/0/to", "track /audioMix/tracks/2/track",
            ])
    }

    @Test("a volume without ramps is that of all sound")
    func constant() {
        let format = AudioFormat(sampleRate: 48_000, channels: 2)
        func heard(_ volume: Double) -> [Float] {
            var buffer = AudioBuffer(format: format, samples: [Float](repeating: 0.5, count: 8), time: .seconds(3))
            MixGain(RampCurve(volume)).apply(to: &buffer)
            return buffer.samples
        }
        #expect(heard(1) == [Float](repeating: 0.5, count: 8) && RampCurve(1.0).isFull)
        #expect(heard(0.5) == [Float](repeating: 0.25, count: 8) && !RampCurve(0.5).isFull)
    }
}
