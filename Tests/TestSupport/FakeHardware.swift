import LinuxSupport
import MediaModel

/// Hardware that decodes fake films into shared memory: each picture carries its number (`NumberGrid`). Any thread.
package final class FakeHardware: Sendable {
    /// How its first decoders fail.
    package enum Fault: Sendable, Equatable {
        case none
        /// They do not open.
        case opening
        /// From a picture on: they throw, give nothing, or do not return.
        case decoding(picture: Int), nothing(picture: Int), hanging(picture: Int)
        /// The display refuses what it is shown from a picture on.
        case refusal(picture: Int)
    }
    package let surfaces: TestSurfaces
    private let fault: Fault
    /// How many decoders have it.
    private let decoders: Int

    package init(_ surfaces: TestSurfaces, fault: Fault = .none, decoders: Int = .max) {
        self.surfaces = surfaces
        self.fault = fault
        self.decoders = decoders
    }

    func open(_ number: Int, pool: SurfacePool, for codecs: FakeCodecs) throws(MediaError) -> any VideoDecoding {
        let fault = number <= decoders ? fault : .none
        guard fault != .opening else {
            throw MediaError(.decoderUnsupported, "Opening a hardware decoder failed: this one does not open.")
        }
        return FakeHardwareDecoder(self, fault, pool, codecs)
    }
}

private final class FakeHardwareDecoder: VideoDecoding {
    private let hardware: FakeHardware
    private let fault: FakeHardware.Fault
    private let pool: SurfacePool
    private let codecs: FakeCodecs
    var skipsNonReference = false

    init(_ hardware: FakeHardware, _ fault: FakeHardware.Fault, _ pool: SurfacePool, _ codecs: FakeCodecs) {
        self.hardware = hardware
        self.fault = fault
        self.pool = pool
        self.codecs = codecs
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame] {
        guard let sample, let payload = sample.payload as? FakePayload, !sample.doesNotDisplay else { return [] }
        let number = Int(sample.presentationTime.wholeSteps(of: payload.duration))
        switch fault {
        case .none, .opening: break
        case .decoding(let picture):
            if number >= picture { throw MediaError(.internal, "Decoding in hardware failed: it was made to.") }
        case .nothing(let picture): if number >= picture { return [] }
        case .hanging(let picture): if number >= picture { payload.hang() }
        case .refusal(let picture):
            if number >= picture { pool.refuse(MediaError(.internal, "Showing a picture of hardware failed: it was made to.")) }
        }
        // A driver without free memory gives no picture, and its caller comes back with the next sample: the picture is lost.
        guard let pixels = try hardware.surfaces.picture(pool, number: number) else {
            throw MediaError(.internal, "Decoding in hardware failed: all of its memory is held.")
        }
        codecs.count { $0.hardwarePictures += 1 }
        return [
            VideoFrame(
                pixels: pixels, time: sample.presentationTime, duration: sample.duration ?? payload.duration,
                colour: ColourDescription(matrix: .bt709, isFullRange: false))
        ]
    }

    func flush() {}
}
