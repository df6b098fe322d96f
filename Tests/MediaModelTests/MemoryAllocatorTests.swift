import Testing

@testable import MediaModel

@Suite("MemoryAllocator")
struct MemoryAllocatorTests {
    @Test("the planes of every format follow one another without overlap", arguments: PixelFormat.allCases)
    func planes(format: PixelFormat) throws {
        let buffer = try MemoryAllocator().makeBuffer(format: format, width: 321, height: 181)
        var end = 0
        for (plane, shape) in zip(buffer.planes, format.planeShapes) {
            #expect(plane.offset >= end)
            #expect(plane.offset % 64 == 0)
            #expect(plane.stride >= ((321 + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift) * shape.bytes)
            end = plane.offset + plane.stride * plane.rows
        }
        #expect(buffer.storage.byteCount >= end)
    }

    @Test("released memory is reused")
    func pool() throws {
        let allocator = MemoryAllocator()
        let first = try allocator.makeBuffer(format: .nv12, width: 64, height: 64).storage.base
        let second = try allocator.makeBuffer(format: .nv12, width: 64, height: 64).storage.base
        #expect(first == second)
    }
}
