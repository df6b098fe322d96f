import Glibc
import LinuxSupport
import MediaTime
import Testing

@testable import Library

@Suite("Stored settings and the order of recent items", .serialized)
@MainActor
struct SettingTests {
    private let folder: String

    init() {
        var template = Array("/tmp/marquee-settings-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    private var path: String { folder + "/library.sqlite" }

    private func remove() {
        Folder.remove(folder)
    }

    @Test("values survive a restart")
    func values() throws {
        defer { remove() }
        let loop = try MainLoop(time: .real)
        let first = Library(path: path, clock: loop.clock)
        first.setValue("fr", "viewer.language")
        first.setValue("150", "viewer.captions.size")
        first.setValue("3", "pin.failures")
        first.setValue("200", "viewer.captions.size")
        first.setValue("x", "viewer.gone")
        first.setValue(nil, "viewer.gone")
        first.close()
        let second = Library(path: path, clock: loop.clock)
        #expect(second.values(under: "viewer.").map(\.name) == ["viewer.captions.size", "viewer.language"])
        #expect(second.value("viewer.captions.size") == "200")
        #expect(second.value("pin.failures") == "3")
        second.close()
    }

    @Test("the most recently left item comes first, also after power cuts")
    func order() throws {
        defer { remove() }
        let loop = try MainLoop(time: .real)
        let first = Library(path: path, clock: loop.clock)
        for id in ["a", "b", "c"] { first.save(.init(time: .seconds(5)), of: id) }
        first.save(.init(time: .seconds(6)), of: "a")
        first.save(nil, of: "c")
        #expect(first.recentPlaces == ["a", "b"])
        first.close()
        let second = Library(path: path, clock: loop.clock)
        #expect(second.recentPlaces == ["a", "b"])
        second.forgetPlaces()
        #expect(second.recentPlaces.isEmpty && second.place(of: "a") == nil)
        second.close()
        let third = Library(path: path, clock: loop.clock)
        #expect(third.recentPlaces.isEmpty)
        third.close()
    }
}
