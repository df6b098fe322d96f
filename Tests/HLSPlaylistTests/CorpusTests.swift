import Foundation
import HLSPlaylist
import MediaTime
import Testing

/// Playlists of other projects, beside this one in `shared/corpus/hls`. The tests are left out where it is absent.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not beside the project"))
struct CorpusTests {
    @Test(arguments: Corpus.playlists)
    func parsesOrIsRefusedWithAReason(path: String) throws {
        let parsed = PlaylistParser().parse(try Corpus.bytes(path))
        guard parsed.playlist == nil else { return }
        let error = try #require(parsed.errors.last)
        #expect(!error.message.isEmpty)
    }

    @Test(arguments: Corpus.playlists)
    func reportsAsJSONThatCanBeReadBack(path: String) throws {
        let report = InspectReport(PlaylistParser().parse(try Corpus.bytes(path)))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect(object["errors"] is [Any])
        #expect(report.isRefused == (object["kind"] == nil))
        #expect(!report.text.isEmpty)
    }
}
