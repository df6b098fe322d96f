import Testing

@testable import Drawing

@Suite("QR codes")
struct QRCodeTests {
    @Test("a code matches the standard, module by module")
    func modules() throws {
        let code = try #require(QRCode("http://10.0.0.5:8080/"))
        let art = (0..<code.size).map { y in (0..<code.size).map { code[$0, y] ? "#" : "." }.joined() }
        #expect(
            art == [
                "#######.#.###.#...#######",
                "#.....#.#####.#...#.....#",
                "#.###.#..#...#..#.#.###.#",
                "#.###.#.####.#..#.#.###.#",
                "#.###.#..#..##.#..#.###.#",
                "#.....#..##.##..#.#.....#",
                "#######.#.#.#.#.#.#######",
                "........#####.##.........",
                "#.##.###.###...#..#..#.##",
                "###..#.#.#....#........#.",
                "#.###.#...#.#.#.#.#.#....",
                "##..##.#...#.#....##.##..",
                "..#...#.##.###.##.###.###",
                ".##..#.##..#####..#.#...#",
                ".#######...#..#.#.....##.",
                "#.#.....#.##..#.#.#..#..#",
                "..#####..#..#.###########",
                "........##......#...#...#",
                "#######.###..##.#.#.#####",
                "#.....#.##.#.##.#...#....",
                "#.###.#..##..##.#####..#.",
                "#.###.#.#.#....#..###.###",
                "#.###.#.###...#..##.####.",
                "#.....#....#####.##.#.#..",
                "#######.#.##...#...######",
            ])
    }

    /// Each was checked with an independent decoder when it was added here.
    @Test(
        "the largest text of each version",
        arguments: [
            (14, 0x1897a7ebc68ed3a9),
            (26, 0x10f064781c8db49d),
            (42, 0x8f75dcfd987c24ac),
            (62, 0x53d6b893638d4f74),
            (84, 0xcd47f8333309701f),
            (106, 0xa676b7ad13340b44),
            (122, 0x2cc27adf38d35995),
            (152, 0x4aa47d03df28be71),
            (180, 0x5e5042c0d830e7e3),
            (213, 0x480ab9061cf20771),
            (251, 0x45775827b4bc81c8),
            (287, 0x6b4d67219e418e85),
            (331, 0xbc0dfc7aee852f65),
            (362, 0x27d983f8bd6cb413),
            (412, 0x81cc663d00fe052d),
        ] as [(Int, UInt64)])
    func versions(length: Int, hash: UInt64) throws {
        let text = ("http://10.0.0.5:8080/" + String(repeating: "quite-long/", count: 40)).prefix(length)
        let code = try #require(QRCode(String(text)))
        #expect(code.modules.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ ($1 ? 1 : 0)) &* 0x100_0000_01b3 } == hash)
    }

    @Test("the version grows with the text, and a text too long for every version is refused")
    func sizes() {
        #expect(QRCode("")?.size == 21)
        #expect(QRCode(String(repeating: "a", count: 14))?.size == 21)
        #expect(QRCode(String(repeating: "a", count: 15))?.size == 25)
        #expect(QRCode(String(repeating: "a", count: 412))?.size == 77)
        #expect(QRCode(String(repeating: "a", count: 413)) == nil)
    }
}
