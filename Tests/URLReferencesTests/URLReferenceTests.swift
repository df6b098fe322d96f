import Testing
import URLReferences

@Suite struct URLReferenceTests {
    /// The table of RFC 3986 5.4.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        ("http:g", "http:g"),
    ])
    func resolvesTheExamplesOfRFC3986(reference: String, target: String) {
        #expect(URLReference.resolve(reference: reference, against: "http://a/b/c/d;p?q") == target)
    }

    @Test(arguments: [
        ("b.ts", "/a/index.m3u8", "/a/b.ts"), ("../v/b.ts", "/a/x/index.m3u8", "/a/v/b.ts"), ("/c.ts", "/a/index.m3u8", "/c.ts"),
        ("b.ts", "index.m3u8", "b.ts"), ("../b.ts", "a/index.m3u8", "b.ts"), ("../../b.ts", "a/index.m3u8", "../b.ts"),
        ("b.ts", "/who?/what#/index.m3u8", "/who?/what#/b.ts"), ("http://h/b.ts", "/a/index.m3u8", "http://h/b.ts"),
        ("b.ts?t=1", "/a/index.m3u8", "/a/b.ts?t=1"), ("b.ts", "file:///a/index.m3u8", "file:///a/b.ts"),
        ("data:text/plain,a/../b", "/a/index.m3u8", "data:text/plain,a/../b"), ("//h/b.ts", "https://a/b", "https://h/b.ts"),
        ("b.ts", "http://h", "http://h/b.ts"), ("b.ts", "http://h?x=/y/z", "http://h/b.ts"),
    ])
    func resolvesAgainstPathsOfFilesAndAddressesWithoutPaths(reference: String, base: String, target: String) {
        #expect(URLReference.resolve(reference: reference, against: base) == target)
    }

    /// A combining accent makes one character of itself and the delimiter before it; the delimiter is still one.
    @Test func delimitersAreBytes() {
        let reference = URLReference("http://h/a\u{e9}/\u{301}b?\u{301}c#\u{301}d")
        #expect(reference.scheme == "http" && reference.authority == "h")
        #expect(Array(reference.path.utf8) == Array("/a\u{e9}/\u{301}b".utf8))
        #expect(reference.query == "\u{301}c" && reference.fragment == "\u{301}d")
        #expect(reference.description == "http://h/a\u{e9}/\u{301}b?\u{301}c#\u{301}d")
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a//b/", "/a//b/"), ("/a.b/c.", "/a.b/c."), ("/a/.b", "/a/.b"), ("a/./b", "a/b"), ("./a", "a"),
        (".", ""), ("", ""), ("/", "/"),
        ("/.", "/"), ("..", ".."), ("../a", "../a"),
    ])
    func onlySegmentsOfDotsAreRemoved(path: String, expected: String) {
        #expect(URLReference.withoutDots(path) == expected)
    }
}
