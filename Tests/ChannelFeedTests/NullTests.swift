import TestSupport
import Testing
import WireFormats

@testable import ChannelFeed

/// Many serialisers write null for what is not there.
@Suite("Null is an absent value")
struct NullTests {
    /// What the full example has no place for.
    private static let further = #"""
        {"feedVersion": 1, "languages": ["en"], "next": "2.json", "channels": [
          {"id": "c1", "number": 4, "title": "Four", "description": "D", "streams": [{"url": "c.m3u8", "codecs": ["avc1.4d401f"], "maxHeight": 720,
            "audio": ["en", {"language": "de", "kind": "main"}]}], "artwork": "c.png", "genre": "News", "tags": ["live", "news"], "strictWindow": true,
            "overlays": [{"image": {"url": "bug.png", "width": 80, "height": 80}, "anchor": "top", "x": 1, "y": 2, "width": 8, "height": 8, "crop": {"left": 5},
            "opacity": 60, "inInterstitials": true}],
            "frame": {"anchor": "top", "y": 1, "width": 80, "height": 70, "colour": "#000000", "background": "w.jpg", "inInterstitials": true}, "resume": false, "skipMode": "item", "withdrawn": false}],
         "series": [{"id": "s", "title": "S", "description": "D", "artwork": {"logo": "l.png", "background": "b.jpg"}, "genre": "G", "tags": ["t"],
           "rating": {"system": "MPA", "value": "G"}, "seasons": [{"number": 2, "title": "Two", "episodes": ["i1"]}]}],
         "items": [{"id": "i1", "title": "One", "timeline": "content", "streams": [{"url": "i1.mp4"}], "duration": 100, "strictWindow": true, "resume": false,
           "skipMode": "chapter", "requiresLinearPlayback": true, "postCredits": true, "withdrawn": false, "offline": {"priority": "required", "minKbit": 5},
           "overlays": [{"image": "a.png", "start": 5, "end": 9, "fadeIn": 1, "fadeOut": 1}],
           "interstitials": [{"id": "a", "start": 10, "duration": 5, "linear": false, "onResume": true, "title": "T", "skip": {"offset": 1, "duration": 2}}],
           "proposal": {"next": "c1", "loop": true, "title": "N", "image": "n.png", "description": "D", "genre": "G", "rating": {"system": "MPA", "value": "G"}}}],
         "rows": [{"title": {"en": "R", "de": "Z"}, "items": ["i1", "s"], "tag": "t"}], "policy": {"skipMode": "item", "idle": {"askAfterHours": 4}}}
        """#

    /// The document with the value at a path replaced; nil: without it.
    private static func changed(_ node: JSONNode, _ path: ArraySlice<String>, to value: JSONText?) -> JSONText? {
        guard let token = path.first else { return value }
        switch node.value {
        case .object(let object):
            return .object(
                object.members.compactMap { member in
                    let text = member.key == token ? changed(member.node, path.dropFirst(), to: value) : JSONText(member.node)
                    return text.map { (member.key, $0) }
                })
        case .array(let nodes):
            return .array(
                nodes.enumerated().compactMap {
                    String($0) == token ? changed($1, path.dropFirst(), to: value) : JSONText($1)
                })
        default: return JSONText(node)
        }
    }

    private static func paths(_ node: JSONNode) -> [[String]] {
        let children: [(String, JSONNode)] =
            switch node.value {
            case .object(let object): object.members.map { ($0.key, $0.node) }
            case .array(let nodes): nodes.enumerated().map { (String($0), $1) }
            default: []
            }
        return children.flatMap { name, child in [[name]] + paths(child).map { [name] + $0 } }
    }

    private func verdict(_ text: JSONText?) -> (feed: Feed?, findings: [String]) {
        let verdict = read(text?.text ?? "")
        // Without an element those after it have other places.
        return (verdict.feed, verdict.findings.map { "\($0.severity) \($0.code) \($0.message)" })
    }

    @Test("null in the place of any value reads as if the value was not there", arguments: [fullExample, further])
    func everywhere(text: String) throws {
        let root = try JSONNode.parse(Array(text.utf8))
        var tried = 0
        for path in Self.paths(root) {
            // Both say something by null.
            if path == ["feedVersion"] || path.last == "proposal" { continue }
            let rest = Self.changed(root, path[...], to: nil)
            // An empty object is a mistake of its own; one of nulls is none.
            if rest?.text.contains("{}") == true { continue }
            let (with, without) = (verdict(Self.changed(root, path[...], to: .null)), verdict(rest))
            #expect(with.findings == without.findings, "\(path)")
            #expect(with.feed == without.feed, "\(path)")
            tried += 1
        }
        #expect(tried > 100)
    }

    @Test("an object of nulls is an absent one, and an item whose only stream is null has none")
    func objects() {
        for parts in [
            #""rating": {"system": null, "value": null}"#, #""subtitle": {"en": null}"#, #""trim": {"in": null, "out": null}"#,
        ] { #expect(read(itemFeed(parts)).findings == [], "\(parts)") }
        let verdict = read(
            #"{"feedVersion": 1, "items": [null, {"id": "a", "streams": [null]}, {"id": "b", "streams": [{"url": "b.mp4"}]}]}"#)
        #expect(verdict.findings.map { "\($0.pointer): \($0.message)" } == ["/items/1/streams: an item without a stream"])
        #expect(verdict.feed?.items.map(\.id) == ["b"])
    }

    @Test("the proposal alone says by null that there is none")
    func proposal() {
        #expect(read(itemFeed(#""proposal": null"#)).feed?.items[0].proposal == .off)
        #expect(read(itemFeed("")).feed?.items[0].proposal == .automatic)
        #expect(read(itemFeed(#""proposal": {"next": null}"#)).feed?.items[0].proposal != .off)
    }
}
