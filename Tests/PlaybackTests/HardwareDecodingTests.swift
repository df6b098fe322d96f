import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Pictures of hardware decoders", .serialized)
@MainActor
struct HardwareDecodingTests {
    private static let film = FakeMedia(frameCount: 400, soundDuration: .seconds(16))

    private func rig(_ hardware: FakeHardware?, allows: Bool = true) throws -> PlayerRig {
        let rig = try PlayerRig(decodesInHardware: allows)
        rig.codecs.install(hardware)
        return rig
    }

    private func surfaces(_ shape: TestSurfaces.Shape = .rows, count: Int = 14) throws -> TestSurfaces {
        try TestSurfaces(shape, width: 64, height: 36, count: count)
    }

    /// Plays the film to its end and expects each picture once, at its blank.
    private func playWhole(_ rig: PlayerRig, _ source: SourceLocation = #_sourceLocation) {
        rig.open(Self.film)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }), sourceLocation: source)
        let times = (0..<Self.film.frameCount).map { Self.film.time(of: $0) }
        #expect(firstDifference(rig.frames.map(\.time), times) == nil, sourceLocation: source)
        #expect(rig.item?.status == .readyToPlay, sourceLocation: source)
    }

    private func notes(_ rig: PlayerRig) -> [String] { rig.item?.log?.errorEvents.compactMap(\.errorComment) ?? [] }

    @Test(
        "a film is decoded whole in hardware, its numbers in order, and all memory goes back",
        arguments: TestSurfaces.Shape.allCases)
    func whole(_ shape: TestSurfaces.Shape) throws {
        let surfaces = try surfaces(shape)
        let rig = try rig(FakeHardware(surfaces))
        var numbers: [Int: Int] = [:]
        rig.onEvent = { event in
            guard case .frame(let record) = event else { return }
            rig.display.readScreen { picture in
                numbers[Int(record.time.wholeSteps(of: MediaTime(1, 25)))] = picture.flatMap { NumberGrid.number(in: $0.pixels) }
            }
        }
        playWhole(rig)
        rig.run(for: .milliseconds(100))
        #expect(firstDifference(numbers.sorted { $0.key < $1.key }.map(\.value), Array(0..<400)) == nil)
        #expect(rig.codecs.counts.hardwareDecoders == 1 && rig.codecs.counts.videoDecoders == 0)
        #expect(rig.codecs.counts.hardwarePictures == 400)
        #expect(notes(rig) == [])
        // None was copied to make room in the decoder's memory.
        #expect((rig.display.videoAllocator as? MemoryAllocator)?.usage.mostPictures == 0)
        rig.player.replaceCurrentItem(with: nil)
        rig.close()
    }

    @Test(
        "a decoder that does not open, fails, gives nothing, hangs or is refused by the display is left, and software goes on without a lost picture",
        arguments: [
            FakeHardware.Fault.opening, .decoding(picture: 0), .decoding(picture: 100), .nothing(picture: 100),
            .hanging(picture: 100),
            .refusal(picture: 100),
        ])
    func left(_ fault: FakeHardware.Fault) throws {
        let surfaces = try surfaces()
        let rig = try rig(FakeHardware(surfaces, fault: fault))
        defer {
            rig.loader.release()
            rig.close()
        }
        playWhole(rig)
        #expect(rig.codecs.counts.hardwareDecoders == 1)
        #expect(rig.codecs.counts.videoDecoders == 1)
        #expect(notes(rig).count == 1, "\(notes(rig))")
        // From the last key picture before the failure on, and not from the beginning.
        let again = rig.codecs.counts.hardwarePictures + rig.codecs.counts.decodedPictures - Self.film.frameCount
        if fault != .hanging(picture: 100) {
            #expect(again <= Self.film.syncInterval + 12, "\(again) pictures were decoded twice")
        }
        for (frame, next) in zip(rig.frames, rig.frames.dropFirst()) {
            let held = MediaTime.nanoseconds((next.flip - frame.flip).wholeNanoseconds)
            #expect(held <= seconds(3), "frame \(frame.time) stood for \(held) s")
        }
        // What the left decoder had is free, but for what a hanging thread holds.
        rig.player.replaceCurrentItem(with: nil)
        rig.run(for: .milliseconds(100))
        if case .hanging = fault {} else { #expect(surfaces.freeCount == 14) }
    }

    @Test(
        "hardware that was left is tried again after ten minutes, then after twenty; many pictures end that; other codecs are not concerned"
    )
    func tried() throws {
        let rig = try rig(FakeHardware(try surfaces()))
        defer { rig.close() }
        let hardware = HardwareDecoding(clock: rig.clock)
        let parameters = FakeParameters("fake-video")
        func open(_ parameters: FakeParameters) -> SurfaceDecoder? { hardware.open(parameters, rig.codecs, MemoryAllocator()) }
        let error = MediaError(.internal, "It failed.")
        try #require(open(parameters)).failed(error)
        #expect(open(parameters) == nil && open(FakeParameters("other")) != nil)
        rig.run(for: .seconds(599))
        #expect(open(parameters) == nil)
        rig.run(for: .seconds(1))
        try #require(open(parameters)).failed(error)
        rig.run(for: .seconds(1199))
        #expect(open(parameters) == nil)
        rig.run(for: .seconds(1))
        let good = try #require(open(parameters))
        for number in 0..<1500 {
            let time = MediaTime(Int64(number), 25)
            let sample = EncodedSample(
                track: TrackID(0), presentationTime: time, decodeTime: time, duration: MediaTime(1, 25), isSync: true,
                payload: FakePayload(duration: MediaTime(1, 25)), parameters: parameters)
            #expect(try good.decode(sample).count == 1)
        }
        good.failed(error)
        rig.run(for: .seconds(599))
        #expect(open(parameters) == nil)
        rig.run(for: .seconds(1))
        #expect(open(parameters) != nil)
        #expect(hardware.takeReasons().map(\.sentence) == ["It failed.", "It failed.", "It failed."])
        #expect(hardware.takeReasons().isEmpty)
    }

    @Test("seeks, steps back, a pause and backward playback hold no more of the decoder's memory than it can spare")
    func held() throws {
        let surfaces = try surfaces(count: SurfaceDecoder.mostLent + 2)
        let rig = try rig(FakeHardware(surfaces))
        defer { rig.close() }
        rig.open(Self.film)
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(3) }))
        rig.player.pause()
        for second in [9, 2, 12, 5] as [Int64] {
            #expect(rig.seek(to: seconds(second)) == true)
            #expect(rig.frames.last?.time == seconds(second))
        }
        #expect(rig.player.setRate(Ratio(-1)))
        #expect(rig.run(until: { rig.player.currentTime <= seconds(1) }))
        #expect(rig.player.setRate(.one))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.codecs.counts.videoDecoders == 0, "\(notes(rig))")
        #expect(rig.codecs.counts.hardwareDecoders == 1)
    }

    @Test("without the operator's leave no hardware decoder is opened")
    func off() throws {
        let rig = try rig(FakeHardware(try surfaces()), allows: false)
        defer { rig.close() }
        playWhole(rig)
        #expect(rig.codecs.counts.hardwareDecoders == 0 && rig.codecs.counts.videoDecoders == 1)
    }

    @Test("the pause after a failure grows to a day, and ends on time")
    func trust() {
        var trust = HardwareTrust()
        #expect(trust.isDue(at: .zero))
        var now = HostTime.zero
        var pauses: [Duration] = []
        for _ in 0..<10 {
            trust.failed(at: now)
            var pause = Duration.seconds(300)
            while !trust.isDue(at: now + pause) { pause += .seconds(300) }
            pauses.append(pause)
            now = now + pause
        }
        #expect(pauses.prefix(3) == [.seconds(600), .seconds(1200), .seconds(2400)] && pauses.last == .seconds(86_400))
    }
}
