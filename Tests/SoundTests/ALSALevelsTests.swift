import Testing

@testable import Sound

@Suite("The gain of each frame")
struct ALSALevelsTests {
    /// The gains of the next frames.
    private func gains(
        _ levels: inout ALSALevels, _ frames: Int, at device: Int, volume: Float = 1, fade: Float = 1
    ) -> [Float] {
        let ones = [Float](repeating: 1, count: frames)
        var output = [Float](repeating: 0, count: frames)
        levels.apply(to: ones, &output, frames: frames, channels: 1, device: device, volume: volume, fade: fade)
        return output
    }

    @Test("a change of volume takes as many frames as the ramp and reaches the volume with the next one")
    func volume() {
        var levels = ALSALevels(volume: 1, rampFrames: 3)
        let falling = gains(&levels, 5, at: 0, volume: 0), rising = gains(&levels, 3, at: 5, volume: 0.5)
        #expect(falling == [0.75, 0.5, 0.25, 0, 0] && rising == [0.25, 0.5, 0.5])
    }

    @Test("a fade multiplies with the volume, and its remaining audible frames are counted")
    func fade() {
        var levels = ALSALevels(volume: 0.5, rampFrames: 3)
        var left: [Int] = [levels.framesToSilence]
        let falling = gains(&levels, 2, at: 0, volume: 0.5, fade: 0)
        left.append(levels.framesToSilence)
        let silent = gains(&levels, 3, at: 2, volume: 0.5, fade: 0)
        left.append(levels.framesToSilence)
        let rising = gains(&levels, 5, at: 5, volume: 0.5, fade: 1)
        #expect(falling == [0.375, 0.25] && silent == [0.125, 0, 0] && rising == [0.125, 0.25, 0.375, 0.5, 0.5])
        #expect(left == [3, 1, 0])
    }

    @Test("every channel of a frame has the same gain")
    func channels() {
        var levels = ALSALevels(volume: 1, rampFrames: 3)
        let input: [Float] = [1, 2, 3, 4, 5, 6]
        var output = [Float](repeating: 0, count: 6)
        levels.apply(to: input, &output, frames: 2, channels: 3, device: 0, volume: 0, fade: 1)
        #expect(output == [0.75, 1.5, 2.25, 2, 2.5, 3])
    }

    @Test("after silence sound fades in at the wanted volume, except at a beginning")
    func silence() {
        var levels = ALSALevels(volume: 1, rampFrames: 3)
        levels.fall(device: 0, count: 2, volume: 0.5)
        let rising = gains(&levels, 4, at: 2, volume: 0.5)
        levels.fall(device: 6, count: 1, volume: 0.5)
        levels.begin()
        let beginning = gains(&levels, 2, at: 7, volume: 0.5)
        #expect(rising == [0.125, 0.25, 0.375, 0.5] && beginning == [0.5, 0.5])
    }

    @Test("frames that were taken back are written again with the same gains")
    func takenBack() {
        var levels = ALSALevels(volume: 1, rampFrames: 7)
        let first = gains(&levels, 6, at: 0, volume: 0)
        levels.goBack(to: 2)
        let again = gains(&levels, 4, at: 2, volume: 0)
        #expect(again == Array(first.dropFirst(2)))
        // Silence is remembered too.
        levels.fall(device: 6, count: 4, volume: 1)
        levels.goBack(to: 9)
        let risen = gains(&levels, 2, at: 9, volume: 1)
        #expect(risen == [0.125, 0.25])
        levels.goBack(to: 0)
        let kept = gains(&levels, 1, at: 0, volume: 1)
        #expect(kept == [0.375])
    }
}
