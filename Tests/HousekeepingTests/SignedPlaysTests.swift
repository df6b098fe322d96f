import Cryptography
import Foundation
import LinuxSupport
import MediaTime
import Playback
import TestSupport
import Testing
import WireFormats

@testable import Housekeeping

@Suite("Plays that the box has signed")
struct SignedPlaysTests {
    /// A box that has played some programmes, and tells them signed.
    private struct Box {
        let state = ScratchFolder("plays-signed")
        let file: PlayFile
        let key: [UInt8]

        init(plays count: Int = 5, name: String = "lobby") throws {
            file = PlayFile(in: state.path)
            #expect(file.begin() && file.sign(as: name))
            for id in 1...count {
                // A comma, a quotation mark, a brace and a line end in an id do not end what is signed.
                var play = Play(id: id, item: "a,\"}\n\(id)", starter: .queue, started: .zero)
                (play.updated, play.length, play.end) = (.zero + .seconds(2), .seconds(2), .completed)
                #expect(file.keep(play, playing: []))
            }
            let signer = try #require(file.signer)
            key = try #require(Ed25519.publicKey(base64: signer.publicKey))
        }

        var page: PlayPage { file.page(after: 0, most: 100, now: (.seconds(9), 1_800_000_000_000_000_000)) }
        var lines: [String] { page.plays.map { $0.published(by: file.signer).text } }
        var rows: [String] { [StoredPlay.header(isSigned: true)] + page.plays.map { $0.row(by: file.signer) } }

        func verify(_ text: String) throws(SignedPlays.Fault) -> SignedPlays {
            try SignedPlays(verifying: Array(text.utf8), key: key)
        }

        func fault(_ lines: [String]) -> SignedPlays.Fault? {
            do throws(SignedPlays.Fault) { _ = try verify(lines.joined(separator: "\n") + "\n") } catch { return error }
            return nil
        }
    }

    @Test("lines of JSON, a page, a report, several messages and CSV are verified as they were told")
    func forms() throws {
        let box = try Box()
        let page = JSONText.object([("box", .string("lobby"))] + box.page.members).text
        var report = BoxReport(box: "lobby", version: "1")
        report.plays = box.page
        let table = box.rows.joined(separator: "\r\n") + "\r\n"
        for text in [box.lines.joined(separator: "\n"), page, report.text, table, box.rows.joined(separator: "\n")] {
            let plays = try box.verify(text)
            #expect(plays.first == 1 && plays.last == 5 && plays.count == 5 && plays.boxes == ["lobby"])
        }
        let parts = [box.file.page(after: 0, most: 2), box.file.page(after: 2, most: 9)]
        #expect(try box.verify(parts.map { JSONText.object($0.members).text }.joined(separator: "\n")).count == 5)
        #expect(
            try box.verify(box.lines[2]).line
                == "Good: The play 3 of lobby is as the box signed it, and none between them is missing.")
    }

    @Test("a play that was changed, removed, doubled, moved or added without a signature is named, in JSON and in CSV")
    func frauds() throws {
        let box = try Box()
        for (lines, isTable) in [(box.lines, false), (Array(box.rows.dropFirst()), true)] {
            func fault(_ change: (inout [String]) -> Void) -> SignedPlays.Fault? {
                var lines = lines
                change(&lines)
                return box.fault((isTable ? [box.rows[0]] : []) + lines)
            }
            #expect(fault { _ in } == nil)
            #expect(fault { $0[2] = $0[2].replacing("2.000", with: "9.000") } == .changed("3"))
            #expect(fault { $0[2] = $0[2].replacing("lobby", with: "cellar") } == .changed("3"))
            #expect(fault { $0.remove(at: 2) } == .missing(3, 3))
            #expect(fault { $0.removeSubrange(1...2) } == .missing(2, 3))
            #expect(fault { $0.insert($0[2], at: 2) } == .again(3))
            #expect(fault { $0.append($0.remove(at: 0)) } == .order(1, behind: 5))
            #expect(fault { $0 = [] } == SignedPlays.Fault.none)
        }
        #expect(box.fault([box.lines[0], box.page.plays[1].published(by: nil).text]) == .unsigned("2"))
        #expect(box.fault([StoredPlay.header(isSigned: false), box.page.plays[1].row(by: nil)]) == .unsigned("2"))
        #expect(box.fault([box.lines[0].replacing("\"seconds\":", with: "\"seconds\"")]) == .changed("behind 0"))
        // Read and written again.
        #expect(box.fault([box.lines[0].replacing(",\"seconds\"", with: ", \"seconds\"")]) == .changed("1"))
        let other = try Box()
        #expect(box.fault([other.lines[0]]) == .changed("1"), "another box has another key")
        #expect(box.fault(["{}", "[1", "\"{\\\"number\\\":1}"]) == SignedPlays.Fault.none)
    }

    @Test("the key is made once, kept in two copies that its owner alone may read, and one mends the other")
    func key() throws {
        let box = try Box(plays: 1)
        let folder = box.state.path + "/plays"
        let places = ["/signing.pem", "/signing.pem.copy"].map { folder + $0 }
        for place in places {
            var status = stat()
            #expect(stat(place, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        let standing = try #require(box.file.signer?.publicKey)
        #expect(PlayFile(in: box.state.path).signer?.publicKey == standing, "a command on the box signs as the box does")
        for place in places {
            #expect(WholeFile.write([1, 2, 3], to: place))
            #expect(PlayFile(in: box.state.path).signer?.publicKey == standing)
            #expect(fileBytes(places[0]) == fileBytes(places[1]))
        }
        let later = PlayFile(in: box.state.path)
        #expect(later.sign(as: "cellar") && later.signer?.box == "cellar" && later.signer?.publicKey == standing)
        #expect(later.sign(as: nil) && later.signer == nil && PlayFile(in: box.state.path).signer == nil)
        #expect(later.page(after: 0, most: 9).plays.first?.published(by: later.signer).text.contains("signature") == false)
        #expect(later.sign(as: "cellar") && later.signer?.publicKey == standing, "the key outlasts the setting")
        for place in places { unlink(place) }
        #expect(PlayFile(in: box.state.path).signer.map { $0.publicKey != standing } == true)
    }

    @Test("a box that never signed makes no key, and one that cannot keep a key signs nothing")
    func noKey() throws {
        let state = ScratchFolder("plays-unsigned")
        let file = PlayFile(in: state.path)
        #expect(file.begin() && file.signer == nil && file.sign(as: nil))
        #expect(fileBytes(state.path + "/plays/signing.pem") == nil && fileBytes(state.path + "/plays/signing-box") == nil)
        try FileManager.default.createDirectory(atPath: state.path + "/plays/signing.pem", withIntermediateDirectories: true)
        #expect(!file.sign(as: "lobby") && file.signer == nil)
    }

    @Test("OpenSSL accepts the signature for the bytes of the play, and for no others")
    func openSSL() throws {
        let box = try Box(plays: 1)
        let line = box.lines[0]
        let mark = try #require(line.range(of: ",\"signature\":\""))
        let signed = line[..<mark.lowerBound] + "}"
        let signature = try #require(Data(base64Encoded: String(line[mark.upperBound...].dropLast(2))))
        func isAccepted(_ text: some StringProtocol) throws -> Bool {
            let folder = box.state.path
            let key = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00] + box.key
            #expect(WholeFile.write(key, to: folder + "/key.der") && WholeFile.write(Array(signature), to: folder + "/sig"))
            #expect(WholeFile.write(Array(text.utf8), to: folder + "/text"))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key.der", "-rawin", "-in", "text",
                "-sigfile", "sig",
            ]
            process.currentDirectoryURL = URL(fileURLWithPath: folder)
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
        #expect(try isAccepted(signed))
        #expect(try !isAccepted(signed + "\n"))
    }
}
