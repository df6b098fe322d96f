import CFFmpeg
import Glibc
import LinuxSupport
import MediaModel
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Hardware decoders")
struct HardwareDecoderTests {
    /// A frame as a decoder gives it, with a descriptor that the test changes.
    private final class SharedFrame {
        let frame = av_frame_alloc()!
        let source: TestSurfaces

        init(_ shape: TestSurfaces.Shape, _ change: (inout AVDRMFrameDescriptor) -> Void = { _ in }) throws {
            source = try TestSurfaces(shape, width: 64, height: 36, count: 1)
            var descriptor = AVDRMFrameDescriptor()
            let (layout, numbers) = (source.layout, source.descriptors(of: 0))
            descriptor.nb_objects = Int32(numbers.count)
            withUnsafeMutableBytes(of: &descriptor.objects) { bytes in
                let objects = bytes.bindMemory(to: AVDRMObjectDescriptor.self)
                for (index, number) in numbers.enumerated() {
                    objects[index] = AVDRMObjectDescriptor(
                        fd: number, size: layout.byteCounts[index], format_modifier: layout.tiling.modifier)
                }
            }
            descriptor.nb_layers = 1
            descriptor.layers.0.format = Self.code("NV12")
            descriptor.layers.0.nb_planes = 2
            for (index, plane) in layout.planes.enumerated() {
                let stated = AVDRMPlaneDescriptor(object_index: Int32(plane.buffer), offset: plane.offset, pitch: plane.pitch)
                if index == 0 { descriptor.layers.0.planes.0 = stated } else { descriptor.layers.0.planes.1 = stated }
            }
            change(&descriptor)
            let size = MemoryLayout<AVDRMFrameDescriptor>.size
            let buffer = av_buffer_alloc(size)!
            memcpy(buffer.pointee.data, &descriptor, size)
            frame.pointee.buf.0 = buffer
            frame.pointee.data.0 = buffer.pointee.data
            frame.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
            (frame.pointee.width, frame.pointee.height) = (64, 36)
        }

        static func code(_ name: String) -> UInt32 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

        deinit {
            var frame: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&frame)
        }
    }

    @Test(
        "a frame in shared memory is read as its picture, and kept until the picture is released",
        arguments: TestSurfaces.Shape.allCases)
    func taken(_ shape: TestSurfaces.Shape) throws {
        let shared = try SharedFrame(shape)
        shared.source.fill(0, number: 4711)
        let pool = SurfacePool()
        do {
            let surface = try SharedSurface(shared.frame, pool: pool)
            #expect(surface.layout == shared.source.layout)
            #expect(NumberGrid.number(in: surface.pixels) == 4711)
            #expect(av_buffer_get_ref_count(shared.frame.pointee.buf.0) == 2)
        }
        #expect(av_buffer_get_ref_count(shared.frame.pointee.buf.0) == 1)
    }

    @Test("luma and chroma as two layers are one picture")
    func layers() throws {
        let shared = try SharedFrame(.rowsInTwoBuffers) { descriptor in
            descriptor.nb_layers = 2
            let chroma = descriptor.layers.0.planes.1
            (descriptor.layers.0.format, descriptor.layers.0.nb_planes) = (SharedFrame.code("R8  "), 1)
            (descriptor.layers.1.format, descriptor.layers.1.nb_planes) = (SharedFrame.code("GR88"), 1)
            descriptor.layers.1.planes.0 = chroma
        }
        shared.source.fill(0, number: 99)
        #expect(NumberGrid.number(in: try SharedSurface(shared.frame, pool: SurfacePool()).pixels) == 99)
    }

    @Test("hostile descriptors are refused with one sentence, and nothing of them is kept")
    func hostile() throws {
        typealias Change = (inout AVDRMFrameDescriptor) -> Void
        let changes: [Change] = [
            { $0.nb_objects = 0 }, { $0.nb_objects = -1 }, { $0.nb_objects = 5 }, { $0.nb_objects = .max }, { $0.nb_objects = 2 },
            { $0.nb_layers = 0 }, { $0.nb_layers = -1 }, { $0.nb_layers = 5 }, { $0.nb_layers = .max }, { $0.nb_layers = 2 },
            { $0.layers.0.nb_planes = 0 }, { $0.layers.0.nb_planes = -7 }, { $0.layers.0.nb_planes = 5 },
            { $0.layers.0.nb_planes = .max }, { $0.layers.0.nb_planes = 1 }, { $0.layers.0.nb_planes = 3 },
            { $0.layers.0.format = 0 }, { $0.layers.0.format = .max }, { $0.layers.0.format = SharedFrame.code("P030") },
            { $0.layers.0.planes.0.object_index = -1 }, { $0.layers.0.planes.1.object_index = 1 },
            { $0.layers.0.planes.1.object_index = .max }, { $0.layers.0.planes.0.offset = -1 },
            { $0.layers.0.planes.0.offset = .max },
            { $0.layers.0.planes.1.offset = .min }, { $0.layers.0.planes.0.pitch = 0 }, { $0.layers.0.planes.0.pitch = .max },
            { $0.layers.0.planes.1.pitch = -64 }, { $0.objects.0.size = 0 }, { $0.objects.0.size = .max },
            { $0.objects.0.size = 1 << 40 }, { $0.objects.0.fd = -1 }, { $0.objects.0.fd = .max },
            { $0.objects.0.format_modifier = .max }, { $0.objects.0.format_modifier = 1 << 56 },
        ]
        let pool = SurfacePool()
        for (index, change) in changes.enumerated() {
            let shared = try SharedFrame(.rows, change)
            let error = #expect(throws: MediaError.self, "change \(index)") { try SharedSurface(shared.frame, pool: pool) }
            #expect(error?.code == .decoderUnsupported && error?.sentence.contains("software") == true)
            #expect(av_buffer_get_ref_count(shared.frame.pointee.buf.0) == 1)
        }
        let shared = try SharedFrame(.rows)
        shared.frame.pointee.crop_left = 2
        #expect(throws: MediaError.self) { try SharedSurface(shared.frame, pool: pool) }
        shared.frame.pointee.crop_left = 0
        shared.frame.pointee.format = AV_PIX_FMT_NV12.rawValue
        #expect(throws: MediaError.self) { try SharedSurface(shared.frame, pool: pool) }
        #expect(pool.lentCount == 0 && pool.knownCount == 0)
    }

    @Test("what this build of FFmpeg has is listed, and a machine without the hardware says so or has none")
    func routes() throws {
        for route in HardwareDecoder.allRoutes {
            #expect(route.name.hasPrefix(String(cString: route.codec.pointee.name)))
            #expect(HardwareDecoder.routes(for: route.codec.pointee.id).contains { $0.name == route.name })
        }
        #expect(FFmpegCodecs.hardwareDecoders == HardwareDecoder.allRoutes.map(\.name))
        #expect(HardwareDecoder.routes(for: AV_CODEC_ID_NONE).isEmpty)
    }
}
