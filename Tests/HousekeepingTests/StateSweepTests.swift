import Glibc
import LinuxSupport
import Testing

@testable import Housekeeping

@Suite("What is no file in the box's folder")
struct StateSweepTests {
    @Test("pipes, and folders in the place of files, are moved away with a word; files and the folders of the box stay")
    func swept() throws {
        var template = Array("/tmp/state-sweep-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { Folder.remove(folder) }
        for name in [
            "feed", "feed/source", "guide-1", "guide-1/feed.json", "crash", "saved/a/b", "library.sqlite", "wide.new",
        ] {
            Folder.make("\(folder)/\(name)")
        }
        for name in ["session", "feed/revision", "saved/a/journal", "disk-revision.new"] {
            try #require(mkfifo("\(folder)/\(name)", 0o600) == 0)
        }
        for name in ["verdict", "saved/a/b/body", "crash/1.txt"] { try #require(WholeFile.write([1], to: "\(folder)/\(name)")) }
        symlink("\(folder)/session", "\(folder)/adopted.json")
        let words = StateSweep.clear(folder)
        #expect(words.count == 9)
        #expect(Folder.files(below: folder).filter { !$0.contains(".no-file") } == ["crash/1.txt", "saved/a/b/body", "verdict"])
        for name in ["library.sqlite", "feed/source", "feed/revision", "session", "saved/a/journal", "guide-1/feed.json"] {
            #expect(access("\(folder)/\(name)", F_OK) != 0 && access("\(folder)/\(name).no-file", F_OK) == 0, "\(name)")
        }
        #expect(StateSweep.clear(folder).isEmpty, "once")
        try #require(mkfifo("\(folder)/session", 0o600) == 0)
        #expect(StateSweep.clear(folder).count == 1 && access("\(folder)/session.no-file-2", F_OK) == 0)
    }
}
