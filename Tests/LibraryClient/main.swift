// A client of the library: LibraryClient FILM NAME runs a listing of the guide or a mistake. A program of its own, because the main loop needs the main thread.
import Dispatch
import Glibc
import GuideListings
import MarqueePlayback

let film = CommandLine.arguments[1]
let name = CommandLine.arguments[2]
if let listing = Listing.all.first(where: { $0.name == name }) {
    let engines = try PlaybackEngines.standard(screen: .headless(width: 320, height: 180), sound: .none, time: .simulated)
    try engines.run { engines in try await listing.run(engines, film) { print("\(name): \($0)") } }
} else if let mistake = Mistakes.all.first(where: { $0.name == name }) {
    try mistake.run(Mistakes(film: film))()
} else if name == "async" {
    // An async main gives the main thread away where it first waits.
    Task {
        await Task.yield()
        try PlaybackEngines.standard(screen: .headless(width: 64, height: 36), sound: .none).run { _ in }
    }
    dispatchMain()
} else {
    check(false, "nothing has the name \(name)")
}
exit(failures == 0 ? 0 : 1)
