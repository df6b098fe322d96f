import Glibc
import LinuxSupport
import MediaModel
import TestSupport
import Testing

/// What a decoder may state of a frame, good or hostile.
private struct Statement {
    var format = PixelFormat.nv12
    var width = 64
    var height = 36
    var modifiers: [UInt64] = [0]
    var planes = [SurfaceLayout.Plane(buffer: 0, offset: 0, pitch: 64), .init(buffer: 0, offset: 64 * 36, pitch: 64)]
    var byteCounts = [64 * 54]

    func layout() throws(MediaError) -> SurfaceLayout {
        try SurfaceLayout(
            format: format, width: width, height: height, modifiers: modifiers, planes: planes, byteCounts: byteCounts)
    }

    func with(_ change: (inout Statement) -> Void) -> Statement {
        var other = self
        change(&other)
        return other
    }
}

@Suite("Surfaces of hardware decoders")
struct SurfaceTests {
    private static func sand(_ height: Int) -> UInt64 { SurfaceLayout.Tiling.sand128(columnHeight: height).modifier }

    @Test("a frame is taken when its planes just fit, and not with a byte less")
    func fits() throws {
        let statement = Statement()
        #expect(try statement.layout().tiling == .linear)
        #expect(throws: MediaError.self) { try statement.with { $0.byteCounts[0] -= 1 }.layout() }
        let columns = Statement().with {
            $0.modifiers = [Self.sand(54)]
            $0.planes[1] = .init(buffer: 0, offset: 36 * 128, pitch: 64)
            $0.byteCounts = [54 * 128]
        }
        #expect(try columns.layout().tiling == .sand128(columnHeight: 54))
        #expect(throws: MediaError.self) { try columns.with { $0.byteCounts[0] -= 1 }.layout() }
        // Two columns: the second one begins after the whole first one.
        let wide = columns.with {
            $0.width = 130
            $0.planes = [.init(buffer: 0, offset: 0, pitch: 256), .init(buffer: 0, offset: 36 * 128, pitch: 256)]
            $0.byteCounts = [2 * 54 * 128]
        }
        #expect(throws: Never.self) { try wide.layout() }
        #expect(throws: MediaError.self) { try wide.with { $0.byteCounts[0] -= 1 }.layout() }
    }

    @Test("hostile frames are refused with one sentence, and nothing traps")
    func bounds() {
        let extremes = [Int.min, -1, Int.max, Int.max / 2, 1 << 40, 1 << 31]
        var statements: [Statement] = []
        for value in extremes {
            statements.append(Statement().with { $0.width = value })
            statements.append(Statement().with { $0.height = value })
            statements.append(Statement().with { $0.byteCounts = [value] })
            statements.append(Statement().with { $0.planes[0] = .init(buffer: value, offset: 0, pitch: 64) })
            statements.append(Statement().with { $0.planes[1] = .init(buffer: 0, offset: value, pitch: 64) })
            statements.append(Statement().with { $0.planes[1] = .init(buffer: 0, offset: 0, pitch: value) })
        }
        statements += [
            Statement().with { $0.width = 0 }, Statement().with { $0.planes = [] }, Statement().with { $0.planes.removeLast() },
            Statement().with { $0.planes.append($0.planes[1]) }, Statement().with { $0.byteCounts = [] },
            Statement().with { $0.byteCounts += [64] }, Statement().with { $0.modifiers = [] },
            Statement().with { $0.format = .yuv420p }, Statement().with { $0.format = .p010 },
            Statement().with { $0.format = .xrgb8888 },
            Statement().with { $0.planes[0] = .init(buffer: 1, offset: 0, pitch: 64) },
            Statement().with { $0.planes[0] = .init(buffer: 0, offset: 0, pitch: 63) },
            Statement().with { $0.modifiers = [.max] }, Statement().with { $0.modifiers = [(1 << 56) - 1] },
            Statement().with { $0.modifiers = [Self.sand(0)] }, Statement().with { $0.modifiers = [Self.sand(35)] },
            Statement().with { $0.modifiers = [0x0700_0000_0000_0005] },
            Statement().with { $0.modifiers = [0x07FF_FFFF_FFFF_FF04] },
            Statement().with {
                ($0.modifiers, $0.byteCounts) = ([0, Self.sand(54)], [64 * 54, 64 * 54])
            },
        ]
        for statement in statements {
            let error = #expect(throws: MediaError.self, "\(statement)") { try statement.layout() }
            #expect(error?.code == .decoderUnsupported)
            #expect(error?.sentence.contains("decoded in software") == true)
        }
    }

    @Test("the CPU reads every kind of surface as the same picture", arguments: TestSurfaces.Shape.allCases, [64, 130, 387])
    func readable(_ shape: TestSurfaces.Shape, _ width: Int) throws {
        let source = try TestSurfaces(shape, width: width, height: 37, count: 1)
        let pool = SurfacePool()
        func sample(_ plane: Int, _ x: Int, _ y: Int) -> UInt8 { UInt8(truncatingIfNeeded: 1 + plane * 101 + x * 7 + y * 13) }
        let picture = try #require(try source.picture(pool, sample))
        let copy = try picture.copied(into: MemoryAllocator())
        for pixels in [picture, copy] {
            let isRight = pixels.withBytes { bytes in
                (0..<2).allSatisfy { plane in
                    let place = pixels.planes[plane]
                    return (0..<(plane == 0 ? 37 : 19)).allSatisfy { y in
                        (0..<(plane == 0 ? width : (width + 1) / 2 * 2)).allSatisfy { x in
                            bytes[place.offset + y * place.stride + x] == sample(plane, x, y)
                        }
                    }
                }
            }
            #expect(isRight, "\(shape) \(width)")
        }
        #expect(picture.surface != nil && copy.surface == nil)
        // Memory that is filled again is mapped only once, and a picture that is held is not filled again.
        #expect(try source.picture(pool, sample) == nil)
        #expect(pool.lentCount == 1 && pool.knownCount == 1)
    }

    @Test("a surface goes back to its decoder when nobody holds it, and its mapping stays for the next picture")
    func lent() throws {
        let source = try TestSurfaces(.rows, width: 64, height: 36, count: 2)
        let descriptors = Folder.names("/proc/self/fd").count
        do {
            let pool = SurfacePool()
            for number in 0..<10 {
                let picture = try #require(try source.picture(pool, number: number))
                #expect(NumberGrid.number(in: picture) == number)
                #expect(source.freeCount == 1 && pool.lentCount == 1)
            }
            #expect(source.freeCount == 2 && pool.lentCount == 0 && pool.knownCount == 2)
            #expect(Folder.names("/proc/self/fd").count == descriptors + 2)
        }
        #expect(Folder.names("/proc/self/fd").count == descriptors)
    }

    @Test("when the format changes, what was known of the last one is given up, except for pictures that are held")
    func change() throws {
        let (old, new) = (
            try TestSurfaces(.rows, width: 64, height: 36, count: 3), try TestSurfaces(.rows, width: 32, height: 18, count: 1)
        )
        let pool = SurfacePool()
        let descriptors = Folder.names("/proc/self/fd").count
        let held = try #require(try old.picture(pool, number: 7))
        _ = try old.picture(pool, number: 8)
        _ = try old.picture(pool, number: 9)
        #expect(pool.knownCount == 3)
        _ = try new.picture(pool, number: 10)
        #expect(pool.knownCount == 1)
        #expect(NumberGrid.number(in: held) == 7)
        #expect(Folder.names("/proc/self/fd").count == descriptors + 2)
        pool.forgetAll()
        #expect(pool.knownCount == 0 && Folder.names("/proc/self/fd").count == descriptors + 1)
    }

    @Test("memory that is smaller than stated, or that cannot be mapped, is refused, and nothing is left of it")
    func tooSmall() throws {
        let source = try TestSurfaces(.rowsInTwoBuffers, width: 64, height: 36, count: 1)
        let small = try FileDescriptor(opening: "/tmp", flags: O_RDWR | 0o20_200_000, mode: 0o600)
        ftruncate(small.number, 100)
        let null = try FileDescriptor(opening: "/dev/null", flags: O_RDWR)
        let descriptors = Folder.names("/proc/self/fd").count
        let pool = SurfacePool()
        for numbers in [
            [small.number, small.number], [-1, -1], [Int32.max, 0], [null.number, null.number], [small.number], [],
        ] {
            let error = #expect(throws: MediaError.self) {
                try SharedSurface(source.layout, descriptors: numbers, pool: pool, owner: pool)
            }
            #expect(error?.code == .decoderUnsupported)
        }
        #expect(pool.knownCount == 0 && pool.lentCount == 0)
        #expect(Folder.names("/proc/self/fd").count == descriptors)
    }

    @Test("the first refusal of a display is kept")
    func refusal() {
        let pool = SurfacePool()
        pool.refuse(MediaError(.internal, "One."))
        pool.refuse(MediaError(.internal, "Two."))
        #expect(pool.refusal?.sentence == "One.")
    }
}
