import Glibc
import Testing

@testable import LinuxSupport

@Suite("Whole files")
struct WholeFileTests {
    @Test("a file is replaced as a whole, and no temporary file remains", arguments: [true, false])
    func replaced(isSynced: Bool) throws {
        var template = Array("/tmp/whole-file-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = folder + "/file"
        defer {
            unlink(path)
            rmdir(folder)
        }
        let long = [UInt8](repeating: 7, count: 200_000)
        #expect(WholeFile.write(long, to: path, isSynced: isSynced) && WholeFile.read(path) == long)
        #expect(WholeFile.write([1, 2], to: path, mode: 0o600, isSynced: isSynced) && WholeFile.read(path) == [1, 2])
        #expect(WholeFile.read(path, most: 2) == [1, 2] && WholeFile.read(path, most: 1) == nil && errno == EFBIG)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600 && access(path + ".new", F_OK) != 0)
        let number = open(path, O_WRONLY | O_CLOEXEC)
        WholeFile.erase(number)
        close(number)
        #expect(WholeFile.read(path) == [0, 0])
    }

    @Test("a pipe in the place of a file is refused at once, and one in the place of the draft keeps nobody waiting")
    func pipes() throws {
        var template = Array("/tmp/whole-file-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = folder + "/file"
        defer { Folder.remove(folder) }
        try #require(mkfifo(path, 0o600) == 0)
        #expect(WholeFile.read(path) == nil && errno == EINVAL)
        #expect(WholeFile.read(folder) == nil && WholeFile.read("/dev/null") == nil)
        #expect(WholeFile.read("/dev/null", mayBePipe: true) == [])
        #expect(WholeFile.write([1], to: path) && WholeFile.read(path) == [1])
        try #require(mkfifo(path + ".new", 0o600) == 0)
        #expect(!WholeFile.write([2], to: path) && WholeFile.read(path) == [1])
    }

    @Test("a failed write leaves the old file and reports the reason")
    func refused() {
        #expect(!WholeFile.write([1], to: "/nonexistent/folder/file") && errno == ENOENT)
    }
}
