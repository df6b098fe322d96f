import Testing
import URLReferences

@Suite("Hosts, and what a document may name")
struct HostTests {
    @Test(
        "this machine is recognized in every notation that resolvers accept",
        arguments: [
            "http://localhost/", "http://LOCALHOST:8080", "http://box.localhost/", "http://localhost./", "http://127.0.0.1/",
            "http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://0/", "http://0.0.0.0:80/",
            "http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]:80/", "http://[::1%25lo]/", "http://%31%32%37.0.0.1/",
            "http://user:secret@127.0.0.1/", "https://127.255.255.254/",
        ])
    func local(url: String) { #expect(URLReference(url).isThisMachine) }

    @Test(
        "other machines are not",
        arguments: [
            "http://localhost.example/", "http://127.0.0.1.example/", "http://128.0.0.1/", "http://10.0.0.1/", "http://[::2]/",
            "http://[fe80::1]/", "http://[::ffff:10.0.0.1]/", "http:///x", "file:///etc/passwd", "/etc/passwd",
            "http://example/@127.0.0.1",
        ])
    func remote(url: String) { #expect(!URLReference(url).isThisMachine) }

    @Test("a document from another machine names neither files nor this machine; a local one may name anything")
    func names() {
        func may(_ document: String, _ target: String) -> Bool { URLReference(document).mayName(URLReference(target)) }
        let targets = ["https://b/x", "http://10.0.0.1/x", "http://127.0.0.1/x", "file:///etc/passwd", "/etc/passwd"]
        #expect(targets.map { may("https://a/list.m3u8", $0) } == [true, true, false, false, false])
        for local in ["/media/list.m3u8", "file:///media/list.m3u8", "http://localhost:8080/list.m3u8"] {
            #expect(targets.allSatisfy { may(local, $0) })
        }
    }

    @Test("the port is that of the scheme unless it is written; nonsense is none")
    func ports() {
        #expect(URLReference("http://a").port == 80 && URLReference("HTTPS://a:/").port == 443)
        #expect(URLReference("https://u@a:8443/").port == 8443 && URLReference("http://[::1]:81/").port == 81)
        #expect(URLReference("http://a:99999/").port == nil && URLReference("http://a:x/").port == nil)
        #expect(URLReference("ftp://a/").port == nil && URLReference("/a").port == nil)
    }
}
