import Glibc
import Testing

@testable import Display

@Suite("Calls of libdrm that signals interrupt")
struct InterruptedCallTests {
    @Test("they are repeated, however they report it", arguments: [EINTR, EAGAIN])
    func repeated(code: Int32) throws {
        for usesErrno in [false, true] {
            var calls = 0
            let answer = try drm(.commit, on: "a card") {
                calls += 1
                if calls == 5 { return 7 }
                if usesErrno { errno = code }
                return usesErrno ? -1 : -code
            }
            #expect(answer == 7 && calls == 5)
        }
    }

    @Test("one that is always interrupted is an error", arguments: [EINTR, EAGAIN])
    func endless(code: Int32) {
        var calls = 0
        #expect(throws: DisplayError(.commit, on: "a card", code: code)) {
            try drm(.commit, on: "a card") {
                calls += 1
                return -code
            }
        }
        #expect(calls == mostInterruptions + 1)
    }
}
