import LinuxSupport
import MediaTime
import MessageBus
import StatusModel
import Testing

@testable import MPRIS

/// What MPRIS says about a playback, and what its methods mean.
struct PlayerPropertiesTests {
    private func playing(_ change: (inout NowPlaying) -> Void = { _ in }) -> NowPlaying {
        var now = NowPlaying(state: .playing, hostTime: HostTime(nanoseconds: 5_000_000_000))
        now.id = "film"
        now.title = "A Film"
        now.subtitle = "Season 1"
        now.artworkURL = "https://cdn.example/film.jpg"
        now.elapsed = .milliseconds(90_500)
        now.duration = .seconds(600)
        now.rate = .one
        change(&now)
        return now
    }

    @Test func aProgrammeHasItsMetadata() {
        let found = PlayerProperties(playing()).announced
        #expect(found["PlaybackStatus"] == .text("Playing") && found["CanSeek"] == .flag(true))
        #expect(
            found["Metadata"]
                == .table([
                    "mpris:trackid": .path("/marquee/item/66696c6d"), "mpris:length": .int64(600_000_000),
                    "mpris:artUrl": .text("https://cdn.example/film.jpg"), "xesam:title": .text("A Film"),
                    "xesam:album": .text("Season 1"),
                ]))
    }

    @Test(arguments: NowPlaying.State.allCases)
    func everyStateIsOneOfThree(state: NowPlaying.State) {
        let status = PlayerProperties(playing { $0.state = state }).announced["PlaybackStatus"]
        switch state {
        case .standby, .home, .ended, .failed: #expect(status == .text("Stopped"))
        case .paused: #expect(status == .text("Paused"))
        case .loading, .playing, .buffering: #expect(status == .text("Playing"))
        }
    }

    @Test func homeHasNoTrackAndNothingCanBeDone() {
        let found = PlayerProperties(playing { $0.state = .home }).announced
        guard case .table(let metadata) = found["Metadata"] else { Issue.record("no metadata"); return }
        #expect(metadata["mpris:trackid"] == .path(PlayerProperties.noTrack))
        #expect(["CanPlay", "CanPause", "CanSeek", "CanGoNext", "CanGoPrevious"].allSatisfy { found[$0] == .flag(false) })
    }

    @Test func thePositionGoesOnWithTheRate() {
        func position(_ rate: Ratio, after seconds: Int64) -> BusValue? {
            let now = playing { $0.rate = rate }
            return PlayerProperties(now).value(of: "Position", at: now.hostTime + .seconds(seconds))
        }
        #expect(position(.one, after: 0) == .int64(90_500_000))
        #expect(position(.one, after: 2) == .int64(92_500_000))
        #expect(position(Ratio(3, 2), after: 2) == .int64(93_500_000))
        #expect(position(.zero, after: 9) == .int64(90_500_000))
        #expect(PlayerProperties(playing { $0.elapsed = nil }).position(at: .zero) == 0)
        let extreme = playing {
            $0.elapsed = MediaTime(.max, 1)
            $0.rate = Ratio(.max)
        }
        #expect(PlayerProperties(extreme).position(at: HostTime(nanoseconds: .max)) == .max)
    }

    @Test func theRateIsWithinItsBoundsAndNeverZero() {
        for (rate, expected) in [(Ratio.zero, 1), (Ratio(-8), -8), (Ratio(1, 2), 0.5), (Ratio(8), 8)] {
            let found = PlayerProperties(playing { $0.rate = rate }).announced
            guard case .number(let rate) = found["Rate"], case .number(let least) = found["MinimumRate"],
                case .number(let most) = found["MaximumRate"]
            else { Issue.record("no rate"); return }
            #expect(rate == expected && least <= min(rate, 1) && most >= max(rate, 1))
        }
    }

    @Test func aLinearRangeCannotBeSought() {
        #expect(PlayerProperties(playing { $0.requiresLinearPlayback = true }).announced["CanSeek"] == .flag(false))
    }

    @Test func aJumpIsWhereThePositionWasNotExpected() {
        let earlier = PlayerProperties(playing())
        func later(_ milliseconds: Int64, _ id: String = "film") -> PlayerProperties {
            PlayerProperties(
                playing {
                    $0.id = id
                    $0.elapsed = .milliseconds(milliseconds)
                    $0.hostTime = $0.hostTime + .seconds(10)
                })
        }
        #expect(!later(100_500).hasJumped(since: earlier) && !later(99_600).hasJumped(since: earlier))
        #expect(later(200_000).hasJumped(since: earlier) && later(0).hasJumped(since: earlier))
        #expect(!later(0, "next").hasJumped(since: earlier), "the next programme is told by its metadata")
    }

    // MARK: Calls

    private func call(_ method: String, _ arguments: [BusValue] = []) -> MediaPlayerCall {
        MediaPlayerCall(method, arguments, trackID: "/marquee/item/66696c6d")
    }

    @Test func methodsAreTheRemotesCommands() {
        #expect(call("Play") == .command(.play) && call("Pause") == .command(.pause))
        #expect(call("PlayPause") == .command(.togglePlayPause) && call("Stop") == .command(.stop))
        #expect(call("Next") == .command(.key(.next)) && call("Previous") == .command(.key(.prev)))
        #expect(call("Seek", [.int64(-1_500_000)]) == .command(.skip(.milliseconds(-1500))))
        #expect(call("Raise") == .ignored && call("Quit") == .ignored)
        guard case .refused = call("OpenUri", [.text("file:///etc/passwd")]) else { Issue.record("it was opened"); return }
    }

    @Test func aPositionIsForTheCurrentTrackOnly() {
        let track = BusValue.path("/marquee/item/66696c6d")
        #expect(
            call("SetPosition", [track, .int64(2_000_000)]) == .command(.changePlaybackPosition(.seconds(2))))
        #expect(call("SetPosition", [.path("/marquee/item/00"), .int64(2)]) == .ignored)
        #expect(call("SetPosition", [track, .int64(-1)]) == .ignored)
        #expect(call("SetPosition", [track, .int64(.max)]) == .ignored)
    }

    @Test(arguments: [Int64.min, .max])
    func aLengthThatNoProgrammeHasIsRefused(length: Int64) {
        guard case .refused = call("Seek", [.int64(length)]) else { Issue.record("it was taken"); return }
    }
}
