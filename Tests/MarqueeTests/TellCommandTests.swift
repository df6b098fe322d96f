import FoundationEssentials
import LinuxSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import marquee

@Suite("A command from a shell to a running box", .serialized)
@MainActor
struct TellCommandTests {
    private static let table = """
        {"commands":[{"name":"goLive","does":"seeks","right":"steer","members":[]},\
        {"name":"showMessage","does":"shows it; see `checkOut`","right":"steer","members":[\
        {"name":"text","type":"string","required":true,"meaning":"at most 200 characters"},\
        {"name":"seconds","type":"number","required":false,"meaning":"1 to 3600"}]},\
        {"name":"setMuted","does":"mutes","right":"steer","members":[{"name":"on","type":"boolean","required":true,"meaning":"true or false"}]}]}
        """

    private func command(_ name: String) throws -> BoxCommandTable.Command {
        let table = try JSONDecoder().decode(BoxCommandTable.self, from: Data(Self.table.utf8))
        return try #require(table.commands.first { $0.name == name })
    }

    @Test(
        "members get the types of the table",
        arguments: [
            ("goLive", [], #"{"command":"goLive"}"#),
            ("showMessage", ["text=a=\"b\" ☂", "seconds=30"], #"{"command":"showMessage","text":"a=\"b\" ☂","seconds":30}"#),
            ("showMessage", ["text=", "seconds=1.5"], #"{"command":"showMessage","text":"","seconds":1.5}"#),
            ("setMuted", ["on=false"], #"{"command":"setMuted","on":false}"#),
        ] as [(String, [String], String)])
    func bodies(name: String, members: [String], body: String) throws {
        #expect(try command(name).body(members) == body)
    }

    @Test(
        "what the table does not have is wrong usage, in one sentence",
        arguments: [
            ("goLive", ["now"]), ("goLive", ["at=1"]), ("showMessage", []), ("showMessage", ["text=a", "text=b"]),
            ("showMessage", ["text=a", "seconds=soon"]), ("showMessage", ["text=a", "seconds=inf"]), ("setMuted", ["on=1"]),
            ("setMuted", ["command=reboot"]),
        ] as [(String, [String])])
    func wrong(name: String, members: [String]) throws {
        let command = try command(name)
        let failure = #expect(throws: CommandFault.self) { try command.body(members) }
        #expect(failure?.code == 2 && failure?.sentence.hasSuffix(".") == true && failure?.sentence.contains("\n") == false)
    }

    /// The answers of a box at its paths.
    private func box(_ answer: String, _ body: (LoopbackServer, TellCommandBox) throws -> Void) throws {
        let table = Self.table
        let server = try LoopbackServer { request in
            switch request.path {
            case "/": .body(Array(#"<meta name="marquee-token" content="abc">"#.utf8), type: "text/html")
            case "/v1/commands": .body(Array(table.utf8), type: "application/json")
            default: .raw(answer)
            }
        }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let client = try #require(try BoxClient.find(server.url(""), token: nil, isDefault: false, loop: loop))
        try body(server, TellCommandBox(client: client))
    }

    @Test("the box's answer is told, and its refusal in its own words")
    func answers() throws {
        func reply(_ status: String, _ body: String) -> String {
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        try box(reply("200 OK", #"{"result":"success"}"#)) { server, box in
            let said = try box.tell(["goLive"])
            #expect(said == ["success"])
            #expect(server.requests.last?.headers.contains("X-Marquee-Token: abc") == true)
            let table = try box.tell([])
            #expect(table.count == 3)
            #expect(throws: CommandFault.self) { try box.tell(["explode"]) }
        }
        let refusal = #"{"result":"failed","reason":"emergency","error":"An emergency message is on the screen; end it first."}"#
        try box(reply("409 Conflict", refusal)) { _, box in
            let failure = #expect(throws: CommandFault.self) { try box.tell(["goLive"]) }
            #expect(failure?.code == 1 && failure?.sentence == "An emergency message is on the screen; end it first.")
        }
        try box(reply("502 Bad Gateway", "<html>")) { _, box in
            #expect(throws: CommandFault.self) { try box.tell(["goLive"]) }
        }
    }
}

/// A box that commands are given to.
@MainActor
private struct TellCommandBox {
    let client: BoxClient

    func tell(_ words: [String]) throws -> [String] {
        var lines: [String] = []
        try TellCommand.parse(words).run(on: client) { lines.append($0) }
        return lines
    }
}
