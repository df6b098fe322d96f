import Testing
import URLReferences

@Suite("Addresses as they are sent")
struct EscapingTests {
    private static let cases: [(String, String)] = [
        ("http://h/a.ts", "http://h/a.ts"), ("http://h/my clip 0.ts", "http://h/my%20clip%200.ts"),
        ("http://h/全角　名.ts", "http://h/%E5%85%A8%E8%A7%92%E3%80%80%E5%90%8D.ts"),
        ("http://h/a[1080p]{x}|y^z.ts", "http://h/a%5B1080p%5D%7Bx%7D%7Cy%5Ez.ts"),
        ("http://h/plus+and%20.ts", "http://h/plus+and%20.ts"), ("http://h/100%.ts", "http://h/100%25.ts"),
        ("http://h/50%2.ts", "http://h/50%252.ts"), ("http://h/%zz%4a", "http://h/%25zz%4a"),
        ("http://h/quote\"'s.ts", "http://h/quote%22's.ts"), ("http://h/a\\b?c\\d", "http://h/a/b?c%5Cd"),
        ("HTTP:\\\\h\\a", "HTTP://h/a"),
        ("http://h/q.ts?u=http://x/y z&t=a+b%2F=&l[]=1", "http://h/q.ts?u=http://x/y%20z&t=a+b%2F=&l[]=1"),
        ("http://[::1]:80/a b", "http://[::1]:80/a%20b"), ("http://u ser:p@h/", "http://u%20ser:p@h/"),
        ("  http://h/a\t\n", "http://h/a"), ("http://h/a\r\nb", "http://h/ab"), ("http://h", "http://h"), ("", ""),
    ]

    @Test("what may not stand in a URL is escaped, what is escaped stays", arguments: cases)
    func escaped(_ written: String, _ sent: String) {
        #expect(URLReference.escaped(written) == sent)
        #expect(URLReference.escaped(sent) == sent)
    }

    @Test("blanks around a reference are not part of it, blanks inside are")
    func references() {
        func resolved(_ text: String) -> String { URLReference.resolve(reference: text, against: "http://h/x/list.m3u8") }
        #expect(resolved(" s 2.ts \t") == "http://h/x/s 2.ts" && resolved("\n http://g/a") == "http://g/a")
        #expect(resolved("") == "http://h/x/list.m3u8")
    }

    @Test("a backslash in an http address is a slash, in the name of a file it is not")
    func backslashes() {
        func resolved(_ text: String) -> String { URLReference.resolve(reference: text, against: "http://h/x/list.m3u8") }
        #expect(resolved("\\a\\s1.ts") == "http://h/a/s1.ts" && resolved("a\\..\\b.ts?q=\\") == "http://h/x/b.ts?q=\\")
        #expect(resolved("\\\\g\\a") == "http://g/a" && resolved("https:\\\\g\\a") == "https://g/a")
        #expect(URLReference("http://one\\@two/").authority == "one")
        #expect(URLReference.resolve(reference: "a\\b.ts", against: "/x/list.m3u8") == "/x/a\\b.ts")
        #expect(URLReference.resolve(reference: "a\\b.ts", against: "file:///x/list.m3u8") == "file:///x/a\\b.ts")
    }

    @Test("bytes of no certain encoding are escaped as they are")
    func bytes() {
        #expect(URLReference.text(ofBytes: Array("/a ".utf8) + [0xE9, 0xC3, 0xA9]) == "/a %E9%C3%A9")
    }
}
