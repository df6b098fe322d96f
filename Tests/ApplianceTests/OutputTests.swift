import BoxModel
import LinuxSupport
import MediaModel
import Screens
import Sound
import TestSupport
import Testing
import Viewing

@testable import Appliance

@Suite("The choice of where sound goes, in the box")
@MainActor
struct OutputTests {
    private static let hdmi = SoundPort(id: "hdmi:CARD=vc4hdmi0,DEV=0", kind: .hdmi, name: "HDMI")!
    private static let headset = SoundPort(id: "plughw:CARD=Headset,DEV=0", kind: .usb, name: "Acme Headset")!

    /// Cards that the test plugs in and pulls out. What a viewer has chosen is opened while it is there and works; otherwise HDMI, if that is there.
    @MainActor
    private final class Cards: SoundRouting {
        var route: SoundRoute
        let changes = EventSource<SoundRouteChange>()
        private(set) var opened: [(id: String, sink: Card)] = []
        var isBusy = false
        private var chosen: SoundPort?

        init(_ outputs: [SoundPort], fixed: SoundPort? = nil) { route = SoundRoute(outputs: outputs, fixed: fixed) }

        func choose(_ output: SoundPort?) { chosen = output }

        func plug(_ outputs: [SoundPort]) {
            let gone = route.current.map { !outputs.contains($0) } ?? false
            route.outputs = outputs
            if gone { opened.last?.sink.deviceChanges.send(.lost) }
            changes.send(.outputs)
        }

        func makeSink(_ clock: any HostClock) -> any AudioSink {
            ClaimedSink(name: "cards", clock: clock) { _ in
            } open: { [self] format throws(MediaError) in
                let wanted = route.fixed ?? (isBusy ? nil : route.output(chosen?.id)) ?? route.output(OutputTests.hdmi.id)
                route.current = wanted
                clock.schedule(after: .zero) { [changes] in changes.send(.opened) }
                guard let wanted else { throw MediaError(.soundLost, "There is no card.") }
                opened.append((wanted.id, Card(NullSink(clock: clock, format: format), name: "alsa:\(wanted.id)")))
                return opened.last!.sink
            }
        }
    }

    /// Counts what it is given.
    private final class Card: AudioSink {
        private let inner: any AudioSink
        let name: String
        let deviceChanges = EventSource<AudioDeviceChange>()
        private(set) var frames = 0
        private(set) var isClosed = false

        init(_ inner: any AudioSink, name: String) { (self.inner, self.name) = (inner, name) }

        var format: AudioFormat { inner.format }
        var room: Int { inner.room }
        var volume: Float = 1
        var occupiesCard: Bool { true }
        func enqueue(_ samples: ArraySlice<Float>) -> Int {
            let taken = inner.enqueue(samples)
            frames += taken
            return taken
        }
        func play(at time: HostTime) { inner.play(at: time) }
        func pause() { inner.pause() }
        func flush() { inner.flush() }
        func timing() -> AudioTiming? { inner.timing() }
        func close() { isClosed = true }
    }

    private let store = MemorySettingsStore()

    private func rig(_ cards: Cards, policy: InterfacePolicy = InterfacePolicy()) throws -> BoxRig {
        var viewer = ViewerParts(settings: store)
        viewer.outputs = cards
        let rig = try BoxRig(viewer: viewer, policy: policy, sink: { cards.makeSink($0) })
        rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        try rig.apply(
            items: #"[{"id": "one", "type": "movie", "title": "One", "duration": 60, "streams": [{"url": "a.mp4"}]}]"#)
        return rig
    }

    private func watch(_ rig: BoxRig, to milliseconds: Int64) {
        #expect(rig.run(until: { (rig.frames.last ?? 0) >= milliseconds }))
    }

    private func menu(_ rig: BoxRig) -> MenuView? {
        if case .menu(let menu) = rig.state.panel?.content { return menu }
        if case .settings(let view)? = rig.state.page { return view.menu }
        return nil
    }

    private func choose(_ title: String, _ rig: BoxRig) {
        for _ in 0..<20 where menu(rig)?.focusedRow.map({ menu(rig)?.rows[$0].title }) != title { rig.press(.down) }
        #expect(menu(rig)?.focusedRow.map { menu(rig)?.rows[$0].title } == title)
        #expect(rig.press(.ok) == .success)
    }

    @Test("a viewer chooses in the middle of a film: no picture is lost, the place stays, and it is kept over a restart")
    func chosen() throws {
        let cards = Cards([Self.hdmi, Self.headset])
        let rig = try rig(cards)
        rig.box.open(id: "one")
        watch(rig, to: 3000)
        #expect(cards.opened.map(\.id) == [Self.hdmi.id] && rig.told(.route) == [.route(Self.hdmi.id)])
        #expect(rig.box.perform(.selectOutput(id: Self.headset.id), from: "web") == .success)
        #expect(cards.opened.map(\.id) == [Self.hdmi.id, Self.headset.id] && cards.opened[0].sink.isClosed)
        watch(rig, to: 6000)
        #expect(cards.opened.count == 2 && cards.opened[1].sink.frames > 100_000)
        #expect(rig.frames == millis(0..<rig.frames.count), "every picture, once")
        #expect(rig.nowPlaying.state == .playing && rig.state.toast == nil)
        #expect(rig.told(.route).last == .route(Self.headset.id))
        #expect(store.entries.map { "\($0.name)=\($0.value)" } == ["audio.output=\(Self.headset.text)"])
        #expect(rig.box.perform(.selectOutput(id: Self.headset.id), from: "web") == .failed(.noChange))
        #expect(rig.box.perform(.selectOutput(id: "plughw:CARD=x"), from: "web") == .failed(.unknownID))
        rig.close()
        let next = Cards([Self.hdmi, Self.headset])
        let again = try self.rig(next)
        defer { again.close() }
        again.box.open(id: "one")
        watch(again, to: 1000)
        #expect(next.opened.map(\.id) == [Self.headset.id] && again.box.chosenOutput == Self.headset.id)
        #expect(again.box.perform(.selectOutput(id: nil), from: "web") == .success)
        watch(again, to: 2000)
        #expect(next.opened.map(\.id) == [Self.headset.id, Self.hdmi.id] && store.entries.isEmpty)
    }

    @Test("the page lists what is there as it comes and goes, from the film too, and OK chooses")
    func page() throws {
        let cards = Cards([Self.hdmi])
        let rig = try rig(cards)
        defer { rig.close() }
        rig.box.open(id: "one")
        watch(rig, to: 1000)
        rig.press(.down)
        for _ in 0..<5 where rig.state.panel.map({ $0.tabs[$0.selected].tab }) != .audio { rig.press(.right) }
        rig.press(.down)
        choose("Audio Output", rig)
        #expect(menu(rig)?.rows.map(\.title) == ["Automatic", "HDMI"] && menu(rig)?.rows[0].note == "HDMI")
        cards.plug([Self.hdmi, Self.headset])
        #expect(menu(rig)?.rows.map(\.title) == ["Automatic", "HDMI", "Acme Headset"])
        rig.press(.down)
        rig.press(.down)
        #expect(rig.press(.ok) == .success)
        #expect(cards.opened.last?.id == Self.headset.id)
        #expect(menu(rig)?.rows.first { $0.title == "Audio Output" }?.value == "Acme Headset")
        cards.plug([Self.hdmi])
        rig.press(.back)
        #expect(rig.box.shown.toast?.contains("Acme Headset") == true)
    }

    @Test(
        "a chosen output that goes pauses the film with words, is replaced, and is heard again when it comes back, at the same place"
    )
    func away() throws {
        let cards = Cards([Self.hdmi, Self.headset])
        store.save([("audio.output", Self.headset.text)])
        let rig = try rig(cards)
        defer { rig.close() }
        rig.box.open(id: "one")
        watch(rig, to: 2000)
        cards.plug([Self.hdmi])
        let place = rig.frames.last
        rig.run(for: .seconds(1))
        #expect(rig.nowPlaying.state == .paused && cards.opened.map(\.id) == [Self.headset.id, Self.hdmi.id])
        #expect(rig.state.toast == "Acme Headset isn’t connected. Audio comes from another output.")
        rig.run(for: .seconds(20))
        #expect(rig.state.toast == nil)
        #expect(rig.press(.play) == .success)
        watch(rig, to: (place ?? 0) + 2000)
        #expect(cards.opened.count == 2 && rig.box.chosenOutput == Self.headset.id && rig.state.toast == nil)
        cards.plug([Self.hdmi, Self.headset])
        #expect(rig.state.toast == "Audio comes from Acme Headset again")
        watch(rig, to: (place ?? 0) + 4000)
        #expect(cards.opened.map(\.id) == [Self.headset.id, Self.hdmi.id, Self.headset.id] && rig.nowPlaying.state == .playing)
        #expect(rig.frames == millis(0..<rig.frames.count), "every picture, once")
    }

    @Test("a chosen output that another program has open is not tried without end, and the viewer is told once")
    func busy() throws {
        let cards = Cards([Self.hdmi, Self.headset])
        cards.isBusy = true
        store.save([("audio.output", Self.headset.text)])
        let rig = try rig(cards)
        defer { rig.close() }
        rig.box.open(id: "one")
        watch(rig, to: 1000)
        #expect(rig.state.toast?.contains("isn’t connected") == true)
        watch(rig, to: 20_000)
        #expect(cards.opened.map(\.id) == [Self.hdmi.id] && rig.state.toast == nil)
    }

    @Test("no card at all: pictures play, and the first card that comes is heard")
    func none() throws {
        let cards = Cards([])
        let rig = try rig(cards)
        defer { rig.close() }
        rig.box.open(id: "one")
        watch(rig, to: 2000)
        #expect(cards.opened.isEmpty && rig.box.soundRoute == SoundRoute())
        #expect(rig.box.perform(.selectOutput(id: nil), from: "web") == .failed(.noChange))
        cards.plug([Self.hdmi])
        watch(rig, to: 40_000)
        #expect(cards.opened.map(\.id) == [Self.hdmi.id] && rig.box.soundRoute?.current == Self.hdmi)
    }

    @Test("what the operator has set is told and cannot be changed, and what a viewer chose before counts again without it")
    func fixed() throws {
        let cards = Cards([Self.hdmi, Self.headset], fixed: Self.hdmi)
        store.save([("audio.output", Self.headset.text)])
        let rig = try rig(cards)
        defer { rig.close() }
        rig.box.open(id: "one")
        watch(rig, to: 1000)
        #expect(cards.opened.map(\.id) == [Self.hdmi.id])
        #expect(rig.box.perform(.selectOutput(id: Self.headset.id), from: "web") == .failed(.notSupported))
        #expect(store.entries.map(\.name) == ["audio.output"] && rig.state.toast == nil)
    }

    @Test("a guest's choice goes with the guest")
    func checkOut() throws {
        let cards = Cards([Self.hdmi, Self.headset])
        store.save([("audio.output", Self.headset.text)])
        let rig = try rig(cards)
        defer { rig.close() }
        #expect(rig.box.perform(.checkOut, from: "web") == .success)
        #expect(rig.box.chosenOutput == nil && store.entries.isEmpty)
        rig.press(.ok)
        rig.box.open(id: "one")
        watch(rig, to: 1000)
        #expect(cards.opened.map(\.id) == [Self.hdmi.id])
    }
}
