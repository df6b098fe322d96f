import ArgumentParser
import CommandSupport
import LinuxSupport
import WireFormats

/// `marquee command`: any command of a running box, from the box's own table, so that it knows those of older and newer boxes too.
struct TellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "command", abstract: CommandName.command.abstract)

    @OptionGroup var address: BoxAddress

    @Argument(help: "The name of the command.")
    var name: String?

    @Argument(help: ArgumentHelp("Its members.", valueName: "member=value"))
    var members: [String] = []

    func run() throws {
        try MainActor.assumeIsolated {
            guard let box = try address.find(loop: try MainLoop(time: .real)) else {
                throw CommandFault("No box answers at \(BoxClient.standardAddress); give the address of one with --box.")
            }
            try run(on: box) { Console.print($0) }
        }
    }

    /// - Parameter tell: called with each line for the operator.
    @MainActor
    func run(on box: BoxClient, tell: (String) -> Void) throws {
        let table: BoxCommandTable = try box.get("/v1/commands")
        guard let name else { return table.commands.forEach { tell($0.line) } }
        guard let command = table.commands.first(where: { $0.name == name }) else {
            throw CommandFault("The box has no command \(name); `marquee command` lists those that it has.", code: 2)
        }
        let answer: Answer = try box.post("/v1/command", Array(try command.body(members).utf8))
        tell(answer.result)
    }

    private struct Answer: Decodable { var result: String }
}

/// `GET /v1/commands`.
struct BoxCommandTable: Decodable {
    var commands: [Command]

    struct Command: Decodable {
        struct Member: Decodable {
            var name: String
            var type: String
            var required: Bool
            var meaning: String
        }
        var name: String
        var does: String
        var members: [Member]

        /// The command in words.
        var line: String {
            let fields = members.map { $0.required ? " \($0.name)=…" : " [\($0.name)=…]" }
            return "\(name)\(fields.joined())  \(does.replacing("`", with: "").replacing(", see below", with: ""))"
        }

        /// The body of the order.
        ///
        /// - Parameter given: the members as `NAME=VALUE`.
        /// - Throws: `CommandFault` with code 2.
        func body(_ given: [String]) throws -> String {
            var body: [(String, JSONText)] = [("command", .string(name))]
            for text in given {
                guard let sign = text.firstIndex(of: "=") else {
                    throw CommandFault("\(text) is not a member of \(name): write it as NAME=VALUE.", code: 2)
                }
                let (key, value) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
                guard let member = members.first(where: { $0.name == key }) else {
                    let all = members.isEmpty ? "it has none" : "it has \(members.map(\.name).joined(separator: ", "))"
                    throw CommandFault("\(name) has no member \(key): \(all).", code: 2)
                }
                guard !body.contains(where: { $0.0 == key }) else { throw CommandFault("\(key) is there twice.", code: 2) }
                body.append((key, try member.value(value)))
            }
            if let missing = members.first(where: { member in member.required && !body.contains { $0.0 == member.name } }) {
                throw CommandFault("\(name) needs \(missing.name)=…: \(missing.meaning).", code: 2)
            }
            return JSONText.object(body).text
        }
    }
}

extension BoxCommandTable.Command.Member {
    /// A value of the member's type. What it may be, the box decides.
    fileprivate func value(_ text: String) throws -> JSONText {
        switch type {
        case "number":
            guard let number = Double(text), number.isFinite else {
                throw CommandFault("\(name)=\(text) is no number: \(meaning).", code: 2)
            }
            return .number(Int64(exactly: number).map { String($0) } ?? String(number))
        case "boolean":
            guard let flag = Bool(text) else { throw CommandFault("\(name)=\(text) is neither true nor false.", code: 2) }
            return .bool(flag)
        default: return .string(text)
        }
    }
}
