import Testing

@testable import SegmentStore

@Suite("Resource keys")
struct ResourceKeyTests {
    @Test("an address that was signed anew is the same resource")
    func signedAnew() {
        let matching = ResourceMatching()
        let one = matching.key(for: "https://CDN.example.com:443/a/7.m4s?id=3&Expires=1&Signature=x&Key-Pair-Id=k&X-Amz-Date=1")
        let other = matching.key(for: "https://u:p@cdn.example.com/a/7.m4s?id=3&Expires=2&Signature=y&Key-Pair-Id=k#t=4")
        #expect(one == other)
        #expect(one.name == "https://cdn.example.com/a/7.m4s?id=3")
        #expect(matching.key(for: "https://cdn.example.com/a/7.m4s?id=4") != one)
        #expect(matching.key(for: "https://cdn.example.com:8443/a/7.m4s?id=3") != one)
        #expect(matching.key(for: "https://cdn.example.com/a/7.m4s?id=3", range: 0..<10) != one)
    }

    @Test("the rule says which parameters and whether the host count")
    func rules() {
        let url = "https://a.example/s?x=1&y=2"
        #expect(ResourceMatching(query: .ignored).key(for: url).name == "https://a.example/s")
        #expect(ResourceMatching(query: .only(["y"])).key(for: url).name == "https://a.example/s?y=2")
        #expect(ResourceMatching(query: .without(["x"]), includesHost: false).key(for: url).name == "/s?y=2")
    }

    @Test("any text has a key, and an open range from zero is the whole")
    func anyText() {
        let matching = ResourceMatching()
        for text in ["", "?", "::", "/films/a?b.mp4", "http://", "http://[::1", "http://h:99999999/x", "data:,x"] {
            #expect(matching.key(for: text) == matching.key(for: text, range: 0..<Int64.max))
        }
        #expect(matching.key(for: "/films/a?b.mp4").name == "/films/a?b.mp4")
        #expect(matching.key(for: "http://[::1]:80/x").name == "http://[::1]/x")
    }
}
