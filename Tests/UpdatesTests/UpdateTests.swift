import LinuxSupport
import MediaTime
import Testing
import WireFormats

@testable import Updates

func version(_ text: String) -> ReleaseVersion { ReleaseVersion(text)! }

/// A notice as an operator writes it; `more` begins with a comma.
func document(_ version: String = "0.2.0", _ more: String = "") -> [UInt8] {
    Array(
        """
        {"updateVersion":1,"version":"\(version)","bundle":"marquee-{board}-\(version).raucb","boards":["raspberrypi","qemu-virt"]\(more)}
        """.utf8)
}

func notice(_ version: String = "0.2.0", _ more: String = "") throws -> UpdateNotice {
    try UpdateNotice(document(version, more), url: "https://cdn.example/boxes/update.json?a=b")
}

func candidate(_ box: String = "a", version text: String = "0.1.0", refused: [ReleaseVersion: String] = [:]) -> UpdateCandidate {
    UpdateCandidate(box: box, board: "raspberrypi", group: "hotel", version: version(text), refused: refused)
}

/// Builds of versions; each row is newer than those before it.
private let numberedBuilds = [
    ["0.1.0+g1", "0.1.0+g2", "0.1.0", "0.1.0+g2.20261128.1", "0.1.0+20261128x.1"],
    ["0.1.0+0", "0.1.0+00.gffff"],
    ["0.1.0+20261128", "0.1.0+20261128.g1"],
    ["0.1.0+20261128.2", "0.1.0+20261128.2.g18e10ec6", "0.1.0+20261128.02.dirty"],
    ["0.1.0+20261128.2.1"],
    ["0.1.0+20261128.10.g1"],
    ["0.1.0+20261129.1"],
    ["0.1.0+20261129235959.1"],
    ["0.1.0+99999999999999999999999999999.1"],
    ["0.1.0+100000000000000000000000000000"],
    ["0.1.1-rc.1+g1"],
    ["0.1.1-rc.1+1"],
    ["0.1.1-rc.1+2"],
    ["0.1.1-rc.2"],
    ["0.1.1"],
]

@Suite("Versions of releases")
struct ReleaseVersionTests {
    /// SemVer 2.0.0, 11.4.
    @Test("they are ordered by precedence")
    func order() {
        let texts = [
            "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
            "1.0.0",
            "1.0.1", "1.2.0", "1.10.0", "2.0.0",
        ]
        for (place, first) in texts.enumerated() {
            for (other, second) in texts.enumerated() {
                #expect(version(first).precedes(version(second)) == (place < other), "\(first) \(second)")
            }
        }
    }

    @Test("builds of one version are ordered by the numbers at the beginning of their metadata")
    func builds() {
        for (place, these) in numberedBuilds.enumerated() {
            for text in these {
                for (other, texts) in numberedBuilds.enumerated() {
                    for second in texts {
                        #expect(version(text).precedes(version(second)) == (place < other), "\(text) \(second)")
                    }
                }
            }
            #expect(Set(these.map(version)).count == these.count, "those of one row have the same place and are not equal")
        }
    }

    @Test(
        "other texts are none",
        arguments: [
            "", "1", "1.0", "1.0.0.0", "01.0.0", "1.0.-1", "1.0.0-", "1.0.0+", "1.0.0-01", "1.0.0-a..b", "v1.0.0", "1.0.0 ",
            "1.0.0-é",
            "9999999999.0.0", "1.0.0-\(String(repeating: "a", count: 200))", "1.0.0-99999999999999999999",
        ])
    func others(text: String) { #expect(ReleaseVersion(text) == nil) }
}

@Suite("Notices of updates")
struct UpdateNoticeTests {
    @Test("a whole one")
    func whole() throws {
        let read = try notice("0.2.0", #","groups":["hotel"],"share":25,"minimumVersion":"0.1.0","critical":true,"later":{}"#)
        #expect(read.bundle(for: "raspberrypi") == "https://cdn.example/boxes/marquee-raspberrypi-0.2.0.raucb")
        #expect(read.groups == ["hotel"] && read.share == 25 && read.minimumVersion == version("0.1.0") && read.isCritical)
        let plain = try notice()
        #expect(plain.groups == nil && plain.share == 100 && plain.minimumVersion == nil && !plain.isCritical)
    }

    @Test(
        "what is wrong is named with its place",
        arguments: [
            ("{", "line 1 column 2"), ("[]", "not a JSON object"), (#"{"a":1,"a":2}"#, "/a"), ("{}", "/updateVersion"),
            (#"{"updateVersion":2}"#, "/updateVersion"), (#"{"updateVersion":1}"#, "/version"),
            (#"{"updateVersion":1,"version":"2"}"#, "/version"), (#"{"updateVersion":1,"version":"1.0.0"}"#, "/bundle"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"http://other.example/a"}"#, "/bundle"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"file:///etc/passwd"}"#, "/bundle"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"https://u:p@cdn.example/a"}"#, "/bundle"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"a b"}"#, "/bundle"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"a"}"#, "/boards"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"a","boards":["a/b"]}"#, "/boards/0"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"a","boards":["a"],"share":101}"#, "/share"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"a","boards":["a"],"share":1.5}"#, "/share"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"a","boards":["a"],"critical":"yes"}"#, "/critical"),
            (#"{"updateVersion":1,"version":"1.0.0","bundle":"a","boards":["a"],"groups":[]}"#, "/groups"),
        ])
    func wrong(text: String, place: String) {
        #expect { try UpdateNotice(Array(text.utf8), url: "https://cdn.example/update.json") } throws: {
            "\($0)".contains(place) && !"\($0)".contains("\n")
        }
    }

    @Test("a bundle may be on the notice's own server in the local network, and is otherwise loaded by https")
    func localServer() throws {
        #expect(
            try UpdateNotice(document(), url: "http://10.0.0.5/update.json").bundle.hasPrefix("http://10.0.0.5/marquee-{board}"))
        let other = Array(
            String(decoding: document(), as: UTF8.self).replacing("\"marquee-", with: "\"http://10.0.0.6/marquee-").utf8)
        #expect(throws: DocumentFault.self) { try UpdateNotice(other, url: "http://10.0.0.5/update.json") }
    }

    @Test("who is meant")
    func exclusions() throws {
        #expect(try notice("0.1.0").exclusion(of: candidate()) == .running)
        #expect(try notice("0.0.9").exclusion(of: candidate()) == .older)
        #expect(try notice("0.1.0-rc.1").exclusion(of: candidate()) == .older)
        #expect(try notice("0.1.0+g2").exclusion(of: candidate(version: "0.1.0+g1")) == nil)
        #expect(try notice("0.2.0", #","groups":["lobby"]"#).exclusion(of: candidate()) == .otherGroup)
        #expect(try notice("0.2.0", #","groups":["hotel"]"#).exclusion(of: candidate()) == nil)
        #expect(try notice("0.2.0", #","minimumVersion":"0.1.5""#).exclusion(of: candidate()) == .needs(version("0.1.5")))
        #expect(try notice("0.2.0", #","share":0"#).exclusion(of: candidate()) == .outsideShare)
        #expect(try notice().exclusion(of: candidate(refused: [version("0.2.0"): "no picture"])) == .refusedHere("no picture"))
        var other = candidate()
        other.board = "toaster"
        #expect(try notice().exclusion(of: other) == .otherBoard)
        other = candidate()
        other.group = nil
        #expect(try notice("0.2.0", #","groups":["default"]"#).exclusion(of: other) == nil)
    }

    @Test("of 10,000 boxes a share has its size, grows by boxes only, and begins with other boxes for another version")
    func shares() throws {
        let boxes = (0..<10_000).map { candidate("marquee-\($0) 10000000\($0)") }
        var before: Set<String> = []
        for share in [1, 5, 25, 50, 99, 100] {
            let offer = try notice("0.2.0", ",\"share\":\(share)")
            let meant = Set(boxes.filter { offer.exclusion(of: $0) == nil }.map(\.box))
            // Four standard deviations of the binomial distribution.
            let deviation = (10_000 * Double(share) / 100 * (1 - Double(share) / 100)).squareRoot()
            #expect(abs(Double(meant.count) - 100 * Double(share)) <= 4 * deviation, "\(share): \(meant.count)")
            #expect(meant.isSuperset(of: before))
            before = meant
        }
        let (first, second) = (try notice("0.2.0", #","share":10"#), try notice("0.3.0", #","share":10"#))
        let both = boxes.filter { first.exclusion(of: $0) == nil && second.exclusion(of: $0) == nil }.count
        #expect(both < 200, "\(both) of about 1000 are first both times")
    }

    @Test("the files of the system are read, and damaged ones are not")
    func files() {
        let slots = SlotFacts(
            Array("running=b\nversion=0.2.0+g1\ntrial=yes\nrefused=0.3.0 it did\tnot start\nrefused=x y\n".utf8))
        #expect(slots?.running == "b" && slots?.version == version("0.2.0+g1") && slots?.isOnTrial == true)
        #expect(slots?.refused == [version("0.3.0"): "it did not start"])
        #expect(SlotFacts(Array("running=c\nversion=0.2.0\n".utf8)) == nil && SlotFacts(Array("running=a\n".utf8)) == nil)
        #expect(InstallerState(Array("version=1.0.0\nstate=installing\npercent=900\n".utf8))?.report == .progress(percent: 100))
        #expect(InstallerState(Array("version=1.0.0\nstate=failed\n".utf8))?.report == .failed("the installer gives no reason"))
        #expect(InstallerState(Array("state=installed\n".utf8)) == nil && InstallerState([0xFF, 0x3D, 0xFE]) == nil)
        #expect(InstallerState(Array("version=1\nstate=unknown\n".utf8)) == nil)
    }
}
