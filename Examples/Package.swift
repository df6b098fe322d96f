// swift-tools-version:6.1
// The listings of docs/guide.md as a program, in a package that depends on the library as any other would.
import PackageDescription

let package = Package(
    name: "examples",
    dependencies: [.package(name: "marquee", path: "..")],
    targets: [
        .executableTarget(
            name: "examples", dependencies: [.product(name: "MarqueePlayback", package: "marquee")], path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)
