import StatusModel
import WireFormats

/// What Home Assistant reads of a box, so that it has it as a device: MQTT discovery by device, as its versions since 2024.11 do it.
///
/// States are read from the box's retained status, and what is pressed there is a command as any other (`docs/mqtt.md`): its id is made of the date.
struct DiscoveryDocument {
    var identity: BrokerSession.Identity
    var version: String
    /// The board of the image; nil on other machines.
    var board: String?
    /// Whether commands may steer the box.
    var canSteer: Bool
    /// Whether they may do everything.
    var canConfigure: Bool

    static func topic(_ prefix: String, _ identity: BrokerSession.Identity) -> String {
        "\(prefix)/device/\(identity.box)/config"
    }

    var text: String {
        let status = identity.topic("status")
        return JSONText.object([
            (
                "device",
                .object([
                    ("identifiers", .array([.string("marquee-\(identity.box)")])), ("name", .string(identity.box)),
                    ("manufacturer", .string("Marquee")), ("model", .string(board ?? "Marquee")),
                    ("sw_version", .string(version)),
                ])
            ), ("origin", .object([("name", .string("Marquee")), ("sw_version", .string(version))])),
            ("availability_topic", .string(status)),
            ("availability_template", .string("{{ 'online' if value_json.online else 'offline' }}")),
            ("state_topic", .string(status)), ("command_topic", .string(identity.topic("command"))), ("qos", .number("1")),
            ("components", .object(components)),
        ]).text
    }

    /// The entities, by the names that tell them apart.
    private var components: [(String, JSONText)] {
        // Off while the box is not connected.
        let states = [JSONText.string("off")] + NowPlaying.State.allCases.map { .string($0.rawValue) }
        var found = [
            entity(
                "state", "sensor", "State",
                [
                    ("device_class", .string("enum")), ("options", .array(states)),
                    ("value_template", .string("{{ (value_json.now | default({})).state | default('off') }}")),
                ]),
            entity(
                "title", "sensor", "Programme",
                [("value_template", .string("{{ ((value_json.now | default({})).title | default(''))[:255] }}"))]),
            entity(
                "problem", "binary_sensor", "Problem",
                [
                    ("device_class", .string("problem")), ("entity_category", .string("diagnostic")),
                    (
                        "value_template",
                        .string("{{ 'ON' if (value_json.health | default({})).status | default('') == 'failing' else 'OFF' }}")
                    ),
                ]),
        ]
        guard canSteer else { return found }
        found += [
            entity(
                "power", "switch", "Awake",
                [
                    (
                        "value_template",
                        .string(
                            "{{ 'OFF' if (value_json.now | default({})).state | default('off') in ['standby', 'off'] else 'ON' }}"
                        )
                    ),
                    ("command_template", command(#""command":"{{ 'wake' if value == 'ON' else 'standby' }}""#)),
                ]),
            entity(
                "volume", "number", "Volume",
                [
                    ("min", .number("0")), ("max", .number("100")), ("unit_of_measurement", .string("%")),
                    ("value_template", .string("{{ (value_json.now | default({})).volume | default(0) }}")),
                    ("command_template", command(#""command":"setVolume","percent":{{ value | int }}"#)),
                ]),
            entity(
                "muted", "switch", "Muted",
                [
                    ("value_template", .string("{{ 'ON' if (value_json.now | default({})).muted | default(false) else 'OFF' }}")),
                    ("command_template", command(#""command":"setMuted","on":{{ 'true' if value == 'ON' else 'false' }}"#)),
                ]),
            entity(
                "message", "notify", "Message",
                [("command_template", command(#""command":"showMessage","text":{{ value | tojson }}"#))]
            ),
        ]
        found += [
            ("play", "Play"), ("pause", "Pause"), ("stop", "Stop"), ("nextTrack", "Next"), ("previousTrack", "Previous"),
            ("goLive", "Go to live"),
        ].map { button($0, $1) }
        guard canConfigure else { return found }
        return found + [
            button("refreshFeed", "Refresh the feed", category: "config"), button("updateNow", "Update now", category: "config"),
            button("restartPlayer", "Restart the player", category: "config"),
            button("reboot", "Restart the box", category: "config"),
        ]
    }

    private func button(_ verb: String, _ name: String, category: String? = nil) -> (String, JSONText) {
        entity(
            verb, "button", name,
            [("command_template", command(#""command":"\#(verb)""#))]
                + (category.map { [("entity_category", .string($0))] } ?? []))
    }

    private func entity(_ id: String, _ platform: String, _ name: String, _ members: [(String, JSONText)]) -> (String, JSONText) {
        (
            id,
            .object(
                [
                    ("platform", .string(platform)), ("unique_id", .string("marquee-\(identity.box)-\(id)")),
                    ("name", .string(name)),
                ] + members)
        )
    }

    /// The template of a command; Home Assistant puts the date into its id.
    private func command(_ body: String) -> JSONText {
        .string(#"{"id":"ha-{{ now().timestamp() }}","path":"/v1/command","body":{\#(body)}}"#)
    }
}
