import LinuxSupport
import MediaModel
import StatusModel
import Testing

@testable import ControlServer

/// What the server tells about the box, its errors and its library.
@MainActor
struct BoxTests {
    private nonisolated static var machine: MachineReading {
        var description = MachineDescription()
        (description.uptime, description.temperature, description.crashes) = (90, 52_340, 2)
        description.memory = .init(size: 1 << 30, free: 1 << 20)
        description.slot = "A; good is A"
        description.address = "192.0.2.7"
        description.links = [
            .init(name: "eth0", kind: .wired, hasCarrier: true, speed: 1000, addresses: ["192.0.2.7", "2001:db8::7"]),
            .init(name: "wlan0", kind: .wireless, hasCarrier: false),
        ]
        return MachineReading(description: description)
    }

    @Test func theBoxAndItsMachineAreDescribed() async throws {
        let running = try await RunningServer(machine: { Self.machine })
        defer { running.server.stop() }
        var box = BoxDescription(name: "Room 7", version: "1.2", build: nil, screen: "HDMI-A-1", sound: "none")
        (box.uptime, box.isMetered) = (.milliseconds(2900), true)
        var outputs = [("hdmi:CARD=0,DEV=0", SoundPort.Kind.hdmi, "HDMI"), ("plughw:CARD=1,DEV=0", .headphones, "")]
            .compactMap { SoundPort(id: $0.0, kind: $0.1, name: $0.2) }
        outputs[0].number = 2
        (box.route, box.chosenOutput) = (SoundRoute(outputs: outputs, current: outputs[1]), "usb")
        running.box.boxDescription = box
        let json = try await running.send("GET", "/v1/box").json
        #expect(json["right"] == .text("configure"), "this machine may do everything")
        #expect(json["name"] == .text("Room 7") && json["uptime"] == .number(2) && json["slot"] == .text("A; good is A"))
        #expect(json["build"] == nil)
        let told = json["outputs"]
        guard case .list(let available)? = told?["available"] else { throw Unexpected() }
        #expect(available.map { $0["kind"] } == [.text("hdmi"), .text("headphones")])
        #expect(available[0]["name"] == .text("HDMI 2") && available[1]["name"] == nil)
        #expect(told?["currentRoute"]?["id"] == .text("plughw:CARD=1,DEV=0") && told?["chosen"] == .text("usb"))
        #expect(told?["fixed"] == nil, "viewers choose")
        let route = #""currentRoute":{"id":"plughw:CARD=1,DEV=0","kind":"headphones"}"#
        #expect(running.server.statusText().contains(route), "the broker is told, too")
        let metrics = try await running.send("GET", "/metrics").body
        #expect(metrics.contains(#"id="plughw:CARD=1,DEV=0",kind="headphones"} 1"#))
        #expect(json["network"]?["metered"] == .bool(true) && json["network"]?["trouble"] == nil)
        guard case .list(let links)? = json["network"]?["links"] else { throw Unexpected() }
        #expect(links.map { $0["kind"] } == [.text("wired"), .text("wireless")])
        #expect(links.first?["speed"] == .number(1_000_000_000) && links.last?["carrier"] == .bool(false))
        #expect(json["machine"]?["temperature"] == .number(52.34) && json["machine"]?["storage"] == nil)
    }

    @Test func aPlayerWithoutHousekeepingIsStillDescribed() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let answer = try await running.send("GET", "/v1/box")
        #expect(answer.status == 200 && answer.json["name"] == nil)
        #expect(answer.json["network"]?["trouble"] == .text("The machine has no network device."))
    }

    /// That of a phone is not told of the box.
    @Test(
        .enabled(if: !machineAddresses.isEmpty, "this machine has no address except loopback"),
        arguments: AccessRight.allCases.filter { $0 >= .look })
    func aTokenIsToldItsRight(right: AccessRight) async throws {
        let running = try await RunningServer(admits: { AccessRight(rawValue: $0) })
        defer { running.server.stop() }
        let answer = try await running.send(
            "GET", "/v1/box", headers: ["Authorization": "Bearer \(right.rawValue)"], from: machineAddresses.first)
        #expect(answer.json["right"] == .text(right.rawValue))
    }

    @Test(
        "the sentence about the network names what is missing",
        arguments: [
            ([], nil, "The machine has no network device."),
            (
                [.init(name: "eth0", kind: .wired, hasCarrier: false)], nil,
                "No network is connected: plug in a cable, or check the settings of the radio."
            ),
            (
                [.init(name: "wlan0", kind: .wireless, hasCarrier: false), .init(name: "eth0", kind: .wired, hasCarrier: true)],
                nil,
                "eth0 is connected, but has no address: check the router, which gives addresses by DHCP."
            ),
            ([.init(name: "eth0", kind: .wired, hasCarrier: true)], "192.0.2.7", nil),
        ] as [([MachineDescription.Link], String?, String?)])
    func networkTrouble(links: [MachineDescription.Link], address: String?, sentence: String?) {
        var machine = MachineDescription()
        (machine.links, machine.address) = (links, address)
        #expect(machine.networkTrouble == sentence)
    }

    @Test func errorsAreTheNewestFirstAndBounded() async throws {
        let running = try await RunningServer(limits: ControlLimits(lastErrors: 2))
        defer { running.server.stop() }
        running.box.faults = (0..<5).map {
            PlaybackFault(
                code: "SRC-\($0)", sentence: "S.", session: "A-\($0)", isFatal: $0 == 0, date: 1_795_168_800_000_000_000)
        }
        guard case .list(let errors)? = try await running.send("GET", "/v1/errors?limit=9").json["errors"] else {
            throw Unexpected()
        }
        #expect(errors.map { $0["code"] } == [.text("SRC-0"), .text("SRC-1")])
        #expect(errors.first?["date"] == .text("2026-11-20T10:00:00.000Z") && errors.first?["fatal"] == .bool(true))
    }

    @Test func rowsAreAskedForInPart() async throws {
        let running = try await RunningServer(limits: ControlLimits(rowEntries: 30))
        defer { running.server.stop() }
        _ = try await running.send("GET", "/v1/home")
        _ = try await running.send("GET", "/v1/home?row=saved&offset=20&limit=999")
        #expect(
            running.box.homeQueries == [
                HomeQuery(offset: 0, limit: 20), HomeQuery(row: "saved", offset: 20, limit: 30),
            ])
    }

    @Test func aSearchIsAnsweredInParts() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.entries = (0..<5).map { LibraryPage.Entry(id: "\($0)", title: $0 < 4 ? "Sea \($0)" : "Land") }
        let json = try await running.send("GET", "/v1/search?text=Se&offset=1&limit=2").json
        guard case .list(let entries)? = json["entries"] else { throw Unexpected() }
        #expect(json["total"] == .number(4) && entries.map { $0["id"] } == [.text("1"), .text("2")])
    }

    // MARK: Pictures of programmes

    @Test func aPictureMayBeKeptByTheBrowserAndNothingElse() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.pictured = ["a b&c"]
        let answer = try await running.send("GET", "/v1/artwork?id=a%20b%26c")
        #expect(answer.status == 200 && answer.headers.first(name: "Cache-Control") == "private, max-age=3600")
        #expect(try await running.send("GET", "/v1/artwork?id=other").headers.first(name: "Cache-Control") == "no-store")
    }

    @Test func onlyAFewPicturesAreLoadedAtTheSameTime() async throws {
        let running = try await RunningServer(limits: ControlLimits(artworks: 2, artworkRequests: 3, artworkTime: .seconds(600)))
        defer { running.server.stop() }
        let box = running.box
        box.pictured = ["a"]
        box.heldPictures = []
        let answers = await withTaskGroup(of: Int.self, returning: [Int].self) { group in
            for _ in 0..<6 {
                group.addTask { (try? await running.send("GET", "/v1/artwork?id=a").status) ?? 0 }
            }
            // Two are under way, three wait, and only the sixth is answered before the box gives a picture.
            var statuses: [Int] = []
            if let first = await group.next() { statuses.append(first) }
            let held = box.heldPictures ?? []
            #expect(held.count <= 2)
            box.heldPictures = nil
            for answer in held { answer() }
            for await status in group { statuses.append(status) }
            return statuses
        }
        #expect(answers.first == 503)
        #expect(answers.dropFirst() == [200, 200, 200, 200, 200] && box.pictureRequests == 5)
    }

    @Test func aPictureThatNeverComesIsMissing() async throws {
        let running = try await RunningServer(limits: ControlLimits(artworkTime: .milliseconds(20)))
        defer { running.server.stop() }
        running.box.heldPictures = []
        #expect(try await running.send("GET", "/v1/artwork?id=a").status == 404)
    }

    private struct Unexpected: Error {}
}
