import Testing

@testable import Sound

@Suite("More than two channels")
struct ChannelRouteTests {
    private let third = Float(0.5).squareRoot()

    private func table(_ route: ChannelRoute) -> [[Float]] {
        (0..<route.outputs).map { output in (0..<route.inputs).map { route[output, $0] } }
    }

    @Test("channels in the device's own order need no route; alsa-lib's order has the surrounds before the centre")
    func orders() throws {
        #expect(ChannelRoute(inputs: 2, outputs: ChannelPosition.list(alsa: [], count: 2)) == nil)
        #expect(ChannelRoute(inputs: 6, outputs: ChannelPosition.list(alsa: [3, 4, 7, 8, 5, 6], count: 6)) == nil)
        let route = try #require(ChannelRoute(inputs: 6, outputs: ChannelPosition.list(alsa: [], count: 6)))
        let frame: [Float] = [1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6]
        var routed = [Float](repeating: 0, count: 12)
        route.apply(to: frame, &routed, frames: 2)
        #expect(routed == [1, 2, 5, 6, 3, 4, -1, -2, -5, -6, -3, -4])
    }

    @Test("the device's channel map is used: surrounds under either name, unused channels are silent, an invalid map is ignored")
    func maps() throws {
        // A screen with 7.1, whose map calls the side channels rear and the rear ones rear of centre.
        let hdmi = ChannelPosition.list(alsa: [3, 4, 8, 7, 5, 6, 14, 15], count: 8)
        #expect(hdmi == [.frontLeft, .frontRight, .lowFrequency, .frontCentre, .sideLeft, .sideRight, .backLeft, .backRight])
        #expect(ChannelPosition.list(alsa: [3, 4, 5, 6, 0x10007, 2], count: 6)[4...] == [.frontCentre, nil])
        #expect(ChannelPosition.list(alsa: [0, 0], count: 2) == [.frontLeft, .frontRight])
        #expect(ChannelPosition.list(alsa: [3, 4], count: 6).count == 6)
        // 5.1 with its surrounds at the sides.
        let sides = try #require(ChannelRoute(inputs: 6, outputs: ChannelPosition.list(alsa: [3, 4, 9, 10, 7, 8], count: 6)))
        #expect(table(sides)[2] == [0, 0, 0, 0, 1, 0] && table(sides)[3] == [0, 0, 0, 0, 0, 1])
    }

    @Test("fewer channels get a mix by ITU-R BS.775: centre and surrounds 3 dB softer, no low-frequency effects")
    func mixing() throws {
        let stereo = ChannelPosition.list(alsa: [], count: 2)
        let five = try #require(ChannelRoute(inputs: 6, outputs: stereo))
        #expect(table(five) == [[1, 0, third, 0, third, 0], [0, 1, third, 0, 0, third]])
        let seven = try #require(ChannelRoute(inputs: 8, outputs: stereo))
        #expect(table(seven) == [[1, 0, third, 0, third, 0, third, 0], [0, 1, third, 0, 0, third, 0, third]])
        let narrower = try #require(ChannelRoute(inputs: 8, outputs: ChannelPosition.list(alsa: [3, 4, 7, 8, 5, 6], count: 6)))
        #expect(table(narrower)[4] == [0, 0, 0, 0, 1, 0, third, 0] && table(narrower)[3] == [0, 0, 0, 1, 0, 0, 0, 0])
    }

    /// Distinguishes frames and channels.
    private static func value(_ frame: Int, _ channel: Int) -> Float { Float(frame % 100 * 6 + channel + 1) / 1024 }

    /// A main loop's end of the ring, six channels wide, and a device.
    private func hear(_ device: FakeDevice, frames: Int, from first: Int = 0) {
        let exchange = ALSAExchange(channels: 6)
        var feeder = ALSAFeeder(exchange: exchange, sampleRate: 48_000)
        var next = 0
        exchange.start.store(0, ordering: .relaxed)
        exchange.order.store(3, ordering: .releasing)
        while device.heard < frames {
            let count = min(4800, ALSAExchange.capacity - (next - exchange.kept.load(ordering: .acquiring)))
            var samples: [Float] = []
            for frame in next..<next + count { for channel in 0..<6 { samples.append(Self.value(frame, channel)) } }
            samples.withUnsafeBufferPointer { exchange.write($0) }
            next += count
            let outcome = feeder.turn(device)
            #expect(outcome == .wait)
            device.pass(480)
        }
    }

    @Test("the order of channels is changed exactly as by the table of gains, also where a channel stays silent")
    func ordered() throws {
        let frames = 7
        for (inputs, words) in [
            (6, []), (8, []), (6, [3, 4, 7, 8, 9, 10, 14, 15]), (8, [3, 4, 7, 8, 0, 0, 9, 10]), (2, [3, 4, 7]),
        ] as [(Int, [UInt32])] {
            let outputs = ChannelPosition.list(alsa: words, count: words.isEmpty ? inputs : words.count)
            guard let route = ChannelRoute(inputs: inputs, outputs: outputs) else { continue }
            let source = (0..<frames * inputs).map { Float($0 + 1) }
            var target = [Float](repeating: -1, count: frames * route.outputs)
            route.apply(to: source, &target, frames: frames)
            for frame in 0..<frames {
                for output in 0..<route.outputs {
                    let sum = (0..<inputs).reduce(Float(0)) { $0 + source[frame * inputs + $1] * route[output, $1] }
                    #expect(target[frame * route.outputs + output] == sum)
                }
            }
        }
    }

    @Test("each of six channels comes out at its own position, through many rounds of the ring")
    func fed() {
        let device = FakeDevice(channels: 6)
        device.route = ChannelRoute(inputs: 6, outputs: ChannelPosition.list(alsa: [], count: 6))
        hear(device, frames: 3 * ALSAExchange.capacity)
        let places = [0, 1, 4, 5, 2, 3]
        let start = (0..<device.heard).first { device.sample($0, 0) != 0 }!
        var wrong = 0
        for frame in start..<device.heard - 2400 {
            for (channel, source) in places.enumerated() where device.sample(frame, channel) != Self.value(frame - start, source)
            {
                wrong += 1
            }
        }
        #expect(wrong == 0)
    }

    @Test("a device that comes back with two channels gets a stereo mix of the six")
    func mixedToStereo() {
        let device = FakeDevice(channels: 2)
        device.route = ChannelRoute(inputs: 6, outputs: ChannelPosition.list(alsa: [], count: 2))
        hear(device, frames: 9600)
        let frame = (0..<device.heard).first { device.sample($0, 0) != 0 }!
        #expect(abs(device.sample(frame, 0) - (1 + third * 3 + third * 5) / 1024) < 1e-5)
        #expect(abs(device.sample(frame, 1) - (2 + third * 3 + third * 6) / 1024) < 1e-5)
    }
}
