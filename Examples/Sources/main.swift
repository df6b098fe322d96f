// Runs listings of the guide and prints what each reports: examples FILM [NAME…]
import Glibc
import MarqueePlayback

let arguments = Array(CommandLine.arguments.dropFirst())
let names = Listing.all.map(\.name)
guard let film = arguments.first, arguments.dropFirst().allSatisfy({ names.contains($0) }) else {
    print("usage: examples FILM [NAME…], with names of: \(names.joined(separator: " "))")
    exit(2)
}
for listing in Listing.all where arguments.count == 1 || arguments.contains(listing.name) {
    // A screen in memory, no sound and simulated time: four seconds of film pass in an instant, with the same result each time.
    let engines = try PlaybackEngines.standard(screen: .headless(width: 320, height: 180), sound: .none, time: .simulated)
    try engines.run { engines in try await listing.run(engines, film) { print("\(listing.name): \($0)") } }
}
