import Glibc
import MediaModel
import Testing

@testable import Transfer

@Suite("The bounds of cookies")
struct CookieRuleTests {
    private func line(_ domain: String, _ name: String, secure: Bool = false, _ value: String = "1") -> String {
        "\(domain)\tFALSE\t/\t\(secure ? "TRUE" : "FALSE")\t0\t\(name)\t\(value)"
    }

    @Test("a cookie that came over https is secure, whatever the server says; others stay as they are")
    func secure() {
        let lines = [line("a.test", "s"), line("#HttpOnly_.test", "s"), line("b.test", "s"), line("a.test", "t")]
        let kept = CookieRule.kept(lines, names: ["s"], host: "A.test", isSecure: true)
        #expect(
            kept == [
                line("a.test", "s", secure: true), line("#HttpOnly_.test", "s", secure: true), line("b.test", "s"),
                line("a.test", "t"),
            ])
        #expect(CookieRule.kept(lines, names: ["s"], host: "a.test", isSecure: false) == nil)
    }

    @Test("fifty of a domain stay, 300 of all and 128 KiB, the newest before others; one that is too long does not")
    func bounds() {
        let many = (0..<80).map { line("a.test", "c\($0)") }
        let some = CookieRule.kept(many, names: ["c79"], host: "a.test", isSecure: false)
        #expect(some?.count == 50 && some?.last == many[79])
        let wide = (0..<400).map { line("h\($0).test", "c") }
        #expect(CookieRule.kept(wide, names: [], host: "h399.test", isSecure: false)?.count == 300)
        let large = (0..<100).map { line("h\($0).test", "c", String(repeating: "x", count: 4000)) }
        #expect((30...33).contains(CookieRule.kept(large, names: [], host: "a", isSecure: false)?.count ?? 0))
        #expect(
            CookieRule.kept(
                [line("a", "c", String(repeating: "x", count: 5000)), "broken"], names: [], host: "a", isSecure: false) == [])
    }
}

@Suite("Rules of transfers")
struct RuleTests {
    @Test(
        "a redirect goes to no less safe place, and takes headers only to the same server",
        arguments: [
            ("https://a.example/x", "https://a.example/y", RedirectRule.Answer.follow(carriesHeaders: true)),
            ("https://a.example/x", "https://A.example:443/y", .follow(carriesHeaders: true)),
            ("https://a.example/x", "https://a.example:8443/y", .follow(carriesHeaders: false)),
            ("https://a.example/x", "https://b.example/y", .follow(carriesHeaders: false)),
            ("http://a.example/x", "https://a.example/y", .follow(carriesHeaders: true)),
            ("http://a.example/x", "http://b.example/y", .follow(carriesHeaders: false)),
            ("https://a.example/x", "http://plain.example/y", .follow(carriesHeaders: false)),
            ("http://127.0.0.1:80/x", "http://127.0.0.1:81/y", .follow(carriesHeaders: false)),
            (
                "https://a.example/x", "http://a.example/y",
                .refuse(reason: "it is plain http, and its host is not in [feed] allow_http")
            ),
            ("http://a.example/x", "http://127.0.0.1:8080/v1/now", .refuse(reason: "it is on this box")),
            ("https://a.example/x", "https://0x7f.1/", .refuse(reason: "it is on this box")),
            ("https://a.example/x", "https://[::ffff:127.0.0.1]/", .refuse(reason: "it is on this box")),
            ("http://a.example/x", "file:///etc/passwd", .refuse(reason: "it is not an http or https address")),
        ])
    func redirects(origin: String, target: String, answer: RedirectRule.Answer) {
        #expect(RedirectRule(plainHTTPHosts: ["plain.example"]).answer(from: origin, to: target) == answer)
    }

    /// The address of a text, as a resolver gives it.
    private func allows(_ text: String, for url: String) -> Bool {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        if inet_pton(AF_INET, text, &four.sin_addr) == 1 {
            return withUnsafePointer(to: &four) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { PeerRule.allows($0, for: url) }
            }
        }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        #expect(inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
        return withUnsafePointer(to: &six) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { PeerRule.allows($0, for: url) }
        }
    }

    @Test(
        "a name leads to this machine only if it says so",
        arguments: ["127.0.0.1", "127.8.9.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1"])
    func rebinding(peer: String) {
        for url in ["http://cdn.example/s1.ts", "https://127.0.0.1.example/", "http://10.0.0.1/"] {
            #expect(!allows(peer, for: url))
        }
        for url in ["http://localhost:8080/x", "http://127.0.0.1/x", "http://[::1]/x"] { #expect(allows(peer, for: url)) }
    }

    @Test("other machines may have any name", arguments: ["93.184.216.34", "192.168.1.7", "10.0.0.1", "fe80::1", "2001:db8::1"])
    func otherMachines(peer: String) {
        for url in ["http://cdn.example/s1.ts", "http://router.local/", "http://localhost/"] { #expect(allows(peer, for: url)) }
    }

    @Test("a body that trickles is too slow, and one at the rate of speech never is")
    func pace() {
        var trickle = TransferPace(slowestRate: 500, start: .zero)
        var speech = trickle
        var made = TransferPace(slowestRate: 0, start: .zero)
        var isTrickleSlow = false
        for second in 1...3600 {
            trickle.take(1)
            speech.take(750)
            isTrickleSlow = isTrickleSlow || trickle.isTooSlow(at: .seconds(second))
            if second == 29 { #expect(!isTrickleSlow) }
            if second == 30 { #expect(isTrickleSlow) }
            let (isSpeechSlow, isMadeSlow) = (speech.isTooSlow(at: .seconds(second)), made.isTooSlow(at: .seconds(second)))
            #expect(!isSpeechSlow && !isMadeSlow)
        }
    }

    @Test("a pause that the receiver wanted is not slowness")
    func paused() {
        var pace = TransferPace(slowestRate: 500, start: .zero)
        pace.restart(at: .seconds(600))
        let answers = [pace.isTooSlow(at: .seconds(629)), pace.isTooSlow(at: .seconds(630))]
        #expect(answers == [false, true])
    }
}
