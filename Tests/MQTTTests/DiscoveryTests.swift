import LinuxSupport
import MediaModel
import TestSupport
import Testing
import WireFormats

@testable import MQTT

@Suite("What Home Assistant is told of a box")
@MainActor
struct DiscoveryTests {
    private let identity = BrokerSession.Identity(box: "room-214", group: nil, root: "hotel")

    private func components(canSteer: Bool, canConfigure: Bool) throws -> JSONObject {
        let document = DiscoveryDocument(
            identity: identity, version: "1.2", board: "raspberrypi", canSteer: canSteer, canConfigure: canConfigure)
        let root = try Self.object(document.text)
        for name in ["device", "origin", "availability_topic", "state_topic", "command_topic"] {
            #expect(root[name] != nil, "\(name)")
        }
        guard case .object(let components)? = root["components"]?.value else { throw Missing() }
        return components
    }

    private struct Missing: Error {}

    private static func object(_ text: String) throws -> JSONObject {
        var reader = JSONReader(Array(text.utf8), maximumDepth: 8)
        guard case .object(let object) = try reader.read().value, reader.duplicates.isEmpty else { throw Missing() }
        return object
    }

    private static func text(_ name: String, of object: JSONObject) -> String? {
        if case .string(let text)? = object[name]?.value { text } else { nil }
    }

    @Test("it has what the right of commands allows, and each entity has a platform and an id of its own")
    func entities() throws {
        let names = try [(false, false), (true, false), (true, true)].map { canSteer, canConfigure in
            let components = try components(canSteer: canSteer, canConfigure: canConfigure)
            var ids: Set<String> = []
            for (name, node) in components.members.map({ ($0.key, $0.node) }) {
                guard case .object(let entity) = node.value else { throw Missing() }
                #expect(Self.text("platform", of: entity) != nil && Self.text("name", of: entity) != nil, "\(name)")
                ids.insert(try #require(Self.text("unique_id", of: entity)))
            }
            #expect(ids.count == components.members.count)
            return components.members.map(\.key)
        }
        #expect(names[0] == ["state", "title", "problem"])
        #expect(names[1].contains("pause") && names[1].contains("volume") && !names[1].contains("reboot"))
        #expect(Set(names[2]).subtracting(names[1]) == ["refreshFeed", "updateNow", "restartPlayer", "reboot"])
    }

    @Test("what is pressed there is a command that a box takes, when Home Assistant has filled in the template")
    func commands() throws {
        for (name, node) in try components(canSteer: true, canConfigure: true).members.map({ ($0.key, $0.node) }) {
            guard case .object(let entity) = node.value, var text = Self.text("command_template", of: entity) else { continue }
            // As Jinja does it.
            for (template, value) in [
                ("{{ now().timestamp() }}", "1795882800.123456"), ("{{ 'wake' if value == 'ON' else 'standby' }}", "wake"),
                ("{{ value | int }}", "40"), ("{{ 'true' if value == 'ON' else 'false' }}", "true"),
                ("{{ value | tojson }}", #""Dinner is \"served\"""#),
            ] { text = text.replacing(template, with: value) }
            #expect(!text.contains("{{"), "\(text)")
            let command = try CommandMessage(Array(text.utf8))
            #expect(command.path == "/v1/command" && command.method == "POST" && command.id == "ha-1795882800.123456", "\(name)")
        }
    }

    // MARK: When it is told

    private static let told = BrokerSession.Discovery(
        prefix: "homeassistant", version: "1", board: nil, canSteer: true, canConfigure: false)

    @Test("it is told with each connection, and taken back by the first one after the setting is gone, also after a restart")
    func takenBack() throws {
        let folder = ScratchFolder("discovery")
        let file = folder.path + "/discovery"
        let topic = "homeassistant/device/b1/config"
        func documents(_ rig: BrokerRig) -> [BrokerPublication] { rig.link.published.filter { $0.topic.hasSuffix("/config") } }
        let rig = try BrokerRig(discovery: Self.told, discoveryFile: file)
        for count in 1...2 {
            rig.link.onEvent?(.connected)
            rig.pass(.seconds(1))
            let all = documents(rig)
            #expect(
                all.count == count && all.allSatisfy { $0.topic == topic && $0.isRetained && $0.isAssured && !$0.payload.isEmpty }
            )
            rig.link.onEvent?(.ended(reason: "gone"))
            rig.pass(.seconds(5))
        }
        // Another prefix: the old document goes before the new one comes.
        var moved = Self.told
        moved.prefix = "ha"
        let next = try BrokerRig(discovery: moved, discoveryFile: file)
        next.link.onEvent?(.connected)
        next.pass(.seconds(1))
        #expect(documents(next).map(\.topic) == [topic] && documents(next)[0].payload.isEmpty && documents(next)[0].isRetained)
        // The connection ends before the broker has confirmed that: it is said again.
        next.link.onEvent?(.ended(reason: "gone"))
        next.pass(.seconds(5))
        next.link.onEvent?(.connected)
        next.link.onEvent?(.delivered(id: next.link.delivered.last ?? 0, isTaken: false))
        next.pass(.seconds(1))
        #expect(documents(next).map(\.topic) == [topic, topic, "ha/device/b1/config"])
        // Without the setting.
        let last = try BrokerRig(discoveryFile: file)
        last.link.onEvent?(.connected)
        last.link.onEvent?(.delivered(id: last.link.delivered.last ?? 0, isTaken: false))
        last.pass(.seconds(1))
        #expect(documents(last).map(\.topic) == ["ha/device/b1/config"] && documents(last)[0].payload.isEmpty)
        let after = try BrokerRig(discoveryFile: file)
        after.link.onEvent?(.connected)
        after.pass(.seconds(1))
        #expect(documents(after).isEmpty)
    }
}
