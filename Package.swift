// swift-tools-version:6.1
// The tiers of docs/architecture.md, top to bottom. A target depends on lower tiers only; scripts/lint holds it to that.
import PackageDescription

let package = Package(
    name: "marquee",
    products: [
        .executable(name: "marquee", targets: ["marquee"]),
        .executable(name: "marquee-tools", targets: ["MarqueeTools"]),
        // What other packages import: docs/guide.md.
        .library(name: "MarqueePlayback", targets: ["MarqueePlayback"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // Tier 6: the programs. What a box needs, and what operators and developers need beside it.
        .executableTarget(
            name: "marquee",
            dependencies: [
                "BoxAssembly", "CommandSupport", "Appliance", "Housekeeping", "ControlServer", "Playback", "Downloads",
                "SegmentStore", "MediaCodec", "Display", "Sound", "Remote", "Transfer", "NetworkConditions", "Configuration",
                "SystemServices", "Supervision", "Updates", "TransportSecurity", "MPRIS", "MQTT", "Composition", "ChannelFeed",
                "Viewing", "Cryptography", "WireFormats", "MediaModel", "MediaSources", "BoxModel", "StatusModel", "MediaTime",
                "LinuxSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "MarqueeTools",
            dependencies: [
                "BoxAssembly", "CommandSupport", "Simulation", "Appliance", "Housekeeping", "FeedProbing", "FeedConversion",
                "Export", "Playback", "SegmentStore", "MediaCodec", "Display", "Drawing", "Transfer", "Configuration",
                "Signatures", "Composition", "HLSPlaylist", "Metadata", "ChannelFeed", "CivilTime", "ProgrammeGuide", "Shell",
                "Viewing", "Screens", "Cryptography", "WireFormats", "MediaModel", "MediaSources", "BoxModel", "StatusModel",
                "MediaTime", "LinuxSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "MarqueeBench",
            dependencies: [
                "Playback", "Downloads", "SegmentStore", "HLSStreaming", "MediaCodec", "Drawing", "Display", "Sound", "Transfer",
                "NetworkConditions",
                "HLSPlaylist", "ChannelFeed", "Shell", "Viewing", "Screens", "WireFormats", "MediaModel", "MediaSources",
                "BoxModel",
                "StatusModel", "MediaTime", "LinuxSupport",
                "CAllocationCounter",
                "GeneratedInputs",
                "InputTrials",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Tier 5.7: a whole box, made of the real parts.
        .target(
            name: "BoxAssembly",
            dependencies: [
                "CommandSupport", "Appliance", "Housekeeping", "EngineAssembly", "Playback", "Downloads", "HLSStreaming",
                "MediaCodec", "SegmentStore", "KeptArtwork", "Display", "Sound", "Speech", "Remote", "Transfer",
                "NetworkConditions", "Drawing",
                "Library", "Configuration", "Supervision", "Updates", "TransportSecurity", "WirelessNetworks", "HLSPlaylist",
                "Captions", "ChannelFeed", "CivilTime", "Viewing", "Screens", "MediaModel", "MediaSources", "BoxModel",
                "StatusModel", "MediaTime", "LinuxSupport",
            ]),

        // Tier 5.5: what the commands of a program share; the box in a simulated world.
        .target(
            name: "CommandSupport",
            dependencies: [
                "Housekeeping", "EngineAssembly", "Display", "Transfer", "NetworkConditions", "Signatures", "Supervision",
                "ChannelFeed", "MediaModel", "MediaSources", "StatusModel", "WireFormats", "LinuxSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(
            name: "Simulation",
            dependencies: [
                "Appliance", "Playback", "SegmentStore", "Display", "Sound", "ChannelFeed", "Shell", "Screens",
                "Cryptography",
                "MediaModel", "MediaSources", "BoxModel", "StatusModel",
                "MediaTime", "LinuxSupport",
            ]),

        // Tier 5: the box as a whole, and its keeping.
        .target(
            name: "Appliance",
            dependencies: [
                "Playback", "ProgrammeGuide", "Metadata", "Captions", "ChannelFeed", "CivilTime", "Shell", "Viewing", "Screens",
                "Cryptography",
                "URLReferences", "WireFormats", "MediaModel", "MediaSources", "BoxModel", "StatusModel", "MediaTime",
                "LinuxSupport",
            ]),
        .target(
            name: "Housekeeping",
            dependencies: [
                "Playback", "Downloads", "MediaCodec", "SegmentStore", "ProgrammeGuide", "Configuration", "SystemServices",
                "Supervision",
                "Signatures", "Updates", "ChannelFeed", "CivilTime", "Composition", "Cryptography",
                "Shell", "Screens", "URLReferences", "WireFormats", "MediaModel", "MediaSources", "BoxModel",
                "StatusModel",
                "MediaTime", "LinuxSupport",
            ]),

        .target(
            name: "FeedProbing",
            dependencies: [
                "Playback", "ChannelFeed", "HLSPlaylist", "Languages", "Cryptography", "URLReferences", "WireFormats",
                "MediaModel", "MediaSources",
                "MediaTime", "LinuxSupport",
            ]),

        .target(
            name: "MarqueePlayback",
            dependencies: [
                "MediaSources", "StatusModel", "EngineAssembly", "Playback", "HLSStreaming", "MediaCodec", "Display", "Transfer",
                "Metadata", "MediaModel",
                "MediaTime", "LinuxSupport",
            ]),

        // Tier 4.5: the engines of a machine, joined for a player.
        .target(
            name: "EngineAssembly",
            dependencies: [
                "MediaSources", "StatusModel", "Playback", "HLSStreaming", "Display", "Sound", "Transfer", "MediaModel",
                "MediaTime", "LinuxSupport",
            ]),

        // Tier 4: the AVFoundation model; the local page.
        .target(
            name: "Playback",
            dependencies: [
                "Captions", "Composition", "Metadata", "Languages", "TextDecoding", "URLReferences", "WireFormats", "MediaModel",
                "MediaSources",
                "MediaTime", "LinuxSupport",
            ]),
        .target(
            name: "Downloads",
            dependencies: [
                "SegmentStore", "HLSPlaylist", "Languages", "Cryptography", "WireFormats", "URLReferences", "MediaModel",
                "MediaSources", "BoxModel", "StatusModel",
                "MediaTime", "LinuxSupport",
            ]),
        .target(
            name: "KeptArtwork",
            dependencies: [
                "SegmentStore", "StatusModel", "Cryptography", "WireFormats", "URLReferences", "MediaModel", "MediaSources",
                "LinuxSupport",
            ]),
        .target(
            name: "Export",
            dependencies: [
                "Captions", "Composition", "Metadata", "URLReferences", "WireFormats", "MediaModel", "MediaSources", "MediaTime",
                "LinuxSupport",
            ]),
        .target(
            name: "ControlServer",
            dependencies: [
                "SupportBundle", "TransportSecurity", "Cryptography", "URLReferences", "WireFormats", "MediaModel", "BoxModel",
                "StatusModel", "MediaTime",
                "LinuxSupport",
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            resources: [.embedInCode("Page")]),

        // Tier 3: one engine over one outside thing each.
        .target(
            name: "HLSStreaming",
            dependencies: [
                "Cryptography", "HLSPlaylist", "Metadata", "URLReferences", "WireFormats", "MediaModel", "MediaSources",
                "MediaTime",
                "LinuxSupport",
            ]),
        .target(
            name: "MediaCodec",
            dependencies: [
                "CFFmpeg", "CZimg", "CPlacebo", "Languages", "TextDecoding", "WireFormats", "MediaModel", "MediaTime",
                "LinuxSupport",
            ]),
        .target(
            name: "Display",
            dependencies: [
                "CDRM", "CGBM", "CYUV", "CPNG", "CJPEG", "CSDL", "CLinux", "MediaModel", "MediaTime", "LinuxSupport",
            ]),
        .target(name: "Sound", dependencies: ["CALSA", "CLinux", "MediaModel", "MediaTime", "LinuxSupport"]),
        .target(name: "Speech", dependencies: ["BoxModel", "MediaTime", "LinuxSupport"]),
        .target(name: "Remote", dependencies: ["CEvdev", "CUdev", "CLinux", "BoxModel", "MediaTime", "LinuxSupport"]),
        .target(name: "NetworkConditions", dependencies: ["MediaModel", "MediaSources", "LinuxSupport"]),
        .target(
            name: "Transfer",
            dependencies: [
                "CCurl", "TextDecoding", "Unpacking", "URLReferences", "WireFormats", "MediaModel", "MediaSources", "MediaTime",
                "LinuxSupport",
            ]),
        .target(
            name: "Drawing",
            dependencies: ["CASS", "CPangoCairo", "Captions", "Screens", "MediaModel", "MediaTime", "LinuxSupport"]),
        .target(name: "ProgrammeGuide", dependencies: ["TextDecoding", "XMLEvents", "Unpacking", "ChannelFeed"]),
        .target(
            name: "FeedConversion",
            dependencies: [
                "XMLEvents", "TextDecoding", "Unpacking", "ChannelFeed", "Cryptography", "URLReferences", "Languages",
                "WireFormats",
                "MediaTime",
            ]),
        .target(name: "Library", dependencies: ["SQLite", "BoxModel", "MediaTime", "LinuxSupport"]),
        .target(
            name: "Configuration",
            dependencies: [
                "ChannelFeed", "CivilTime", "Cryptography", "URLReferences", "Languages", "WireFormats", "MediaModel",
                "LinuxSupport",
                "CTOMLPlusPlus",
            ]),

        .target(
            name: "MQTT", dependencies: ["CMosquitto", "ChannelFeed", "WireFormats", "MediaModel", "StatusModel", "LinuxSupport"]),
        .target(name: "SystemServices", dependencies: ["LinuxSupport"]),
        .target(
            name: "MPRIS", dependencies: ["MessageBus", "BoxModel", "StatusModel", "MediaTime", "LinuxSupport", "WireFormats"]),
        .target(name: "WirelessNetworks", dependencies: ["MessageBus", "BoxModel", "LinuxSupport"]),
        .target(
            name: "SegmentStore",
            dependencies: ["Cryptography", "MediaModel", "MediaSources", "URLReferences", "WireFormats", "LinuxSupport"]),
        .target(name: "TransportSecurity", dependencies: ["CTLS", "MediaTime", "LinuxSupport", "WireFormats"]),
        .target(name: "SupportBundle", dependencies: ["CZstd", "URLReferences", "WireFormats"]),
        .target(name: "Signatures", dependencies: ["Cryptography", "WireFormats"]),
        .target(
            name: "Updates",
            dependencies: ["ChannelFeed", "Cryptography", "URLReferences", "WireFormats", "MediaTime", "LinuxSupport"]),
        .target(name: "Supervision", dependencies: ["CCrash", "LinuxSupport"]),

        // Tier 2: pure.
        .target(name: "HLSPlaylist", dependencies: ["URLReferences", "WireFormats", "MediaTime"]),
        .target(
            name: "ChannelFeed",
            dependencies: ["URLReferences", "Languages", "TextDecoding", "WireFormats", "CivilTime", "MediaModel", "MediaTime"]),
        .target(name: "Composition", dependencies: ["URLReferences", "WireFormats", "MediaModel", "MediaTime"]),
        .target(name: "Metadata", dependencies: ["Languages", "TextDecoding", "WireFormats", "MediaTime"]),
        .target(name: "Captions", dependencies: ["TextDecoding", "WireFormats", "MediaTime"]),
        .target(
            name: "Shell",
            dependencies: ["Viewing", "Screens", "TextDecoding", "MediaModel", "BoxModel", "MediaTime", "LinuxSupport"]),
        .target(name: "Viewing", dependencies: ["Screens", "MediaModel", "BoxModel", "MediaTime", "LinuxSupport"]),
        .target(name: "Screens", dependencies: ["InterfaceTexts", "MediaModel", "BoxModel", "MediaTime", "LinuxSupport"]),

        // Tier 1: shared values, the protocols of the engines and of streams, exact time, the machine.
        .target(name: "MediaModel", dependencies: ["URLReferences", "MediaTime", "LinuxSupport"]),
        .target(name: "CivilTime", dependencies: ["MediaTime"]),
        .target(name: "MediaSources", dependencies: ["MediaModel", "URLReferences", "MediaTime", "LinuxSupport"]),
        .target(name: "BoxModel", dependencies: ["MediaModel", "URLReferences", "MediaTime", "LinuxSupport"]),
        .target(name: "StatusModel", dependencies: ["BoxModel", "MediaModel", "URLReferences", "MediaTime", "LinuxSupport"]),
        .target(name: "MediaTime"),
        .target(name: "Languages"),
        .target(name: "InterfaceTexts", resources: [.embedInCode("Texts")]),
        .target(name: "URLReferences", dependencies: ["WireFormats"]),
        .target(name: "Cryptography", dependencies: ["CCrypto", "WireFormats"]),
        .target(name: "XMLEvents", dependencies: ["TextDecoding", "CExpat"]),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "MessageBus", dependencies: ["CGIO", "LinuxSupport"]),
        .target(name: "WireFormats"),
        .target(name: "TextDecoding", dependencies: ["CUchardet", "CGIO"]),
        .target(name: "Unpacking", dependencies: ["CZlib", "CLZMA"]),
        .target(name: "LinuxSupport", dependencies: ["CLinux"]),

        // Tier 0: module maps over the C libraries, each met in one place.
        .target(name: "CLinux"),
        .target(name: "CCrash"),
        .target(name: "CTOMLPlusPlus"),
        .systemLibrary(
            name: "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil libswresample libswscale",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev", "libswscale-dev"])]),
        .systemLibrary(name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
        .systemLibrary(name: "CGBM", pkgConfig: "gbm", providers: [.apt(["libgbm-dev"])]),
        .systemLibrary(name: "CZimg", pkgConfig: "zimg", providers: [.apt(["libzimg-dev"])]),
        .systemLibrary(name: "CPlacebo", providers: [.apt(["libplacebo-dev"])]),
        // Its headers only: the library is opened where a window is wanted.
        .systemLibrary(name: "CSDL", providers: [.apt(["libsdl2-dev"])]),
        .systemLibrary(name: "CYUV", providers: [.apt(["libyuv-dev"])]),
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(name: "CPangoCairo", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
        .systemLibrary(name: "CASS", pkgConfig: "libass", providers: [.apt(["libass-dev"])]),
        .systemLibrary(name: "CGIO", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CUchardet", pkgConfig: "uchardet", providers: [.apt(["libuchardet-dev"])]),
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

        // Tests: one target a module; TestSupport holds what several of them read pictures, sounds and fixtures with.
        .target(
            name: "TestSupport",
            dependencies: ["CCrypto", "Composition", "WireFormats", "MediaModel", "MediaSources", "MediaTime", "LinuxSupport"],
            path: "Tests/TestSupport",
            // It makes and compares samples and pixels one by one: that was half of the time of the tests of streams.
            swiftSettings: [.unsafeFlags(["-O"])]),
        // The listings of docs/guide.md, which the package in Examples has as a program.
        .target(name: "GuideListings", dependencies: ["MarqueePlayback"], path: "Examples/Sources/Listings"),
        .executableTarget(
            name: "LibraryClient", dependencies: ["MarqueePlayback", "GuideListings", "TestSupport"], path: "Tests/LibraryClient"),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .target(name: "CKernelSeam", path: "Tests/CKernelSeam"),
        .target(name: "GeneratedInputs", dependencies: ["LinuxSupport"], path: "Tests/GeneratedInputs"),
        .target(
            name: "InputTrials",
            dependencies: [
                "GeneratedInputs", "Playback", "Shell", "Remote", "ProgrammeGuide", "Configuration", "FeedConversion",
                "HLSPlaylist",
                "ChannelFeed", "Composition",
                "Metadata", "Captions", "URLReferences", "MediaTime",
            ], path: "Tests/InputTrials"),
        .testTarget(name: "InputTrialsTests", dependencies: ["InputTrials", "GeneratedInputs", "LinuxSupport"]),
        .testTarget(name: "MediaTimeTests", dependencies: ["MediaTime", "LinuxSupport"]),
        .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime", "MediaTime", "LinuxSupport"]),
        .testTarget(name: "LinuxSupportTests", dependencies: ["LinuxSupport"]),
        .testTarget(name: "MediaModelTests", dependencies: ["MediaModel", "MediaSources", "TestSupport"]),
        .testTarget(name: "TextDecodingTests", dependencies: ["TextDecoding"]),
        .testTarget(name: "WireFormatsTests", dependencies: ["WireFormats"]),
        .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"]),
        .testTarget(name: "URLReferencesTests", dependencies: ["URLReferences"]),
        .testTarget(name: "HLSPlaylistTests", dependencies: ["HLSPlaylist", "LinuxSupport"]),
        .testTarget(
            name: "ChannelFeedTests",
            dependencies: ["MediaModel", "ChannelFeed", "CivilTime", "WireFormats", "LinuxSupport", "TestSupport"]),
        .testTarget(
            name: "FeedProbingTests",
            dependencies: [
                "FeedProbing", "ChannelFeed", "HLSPlaylist", "MediaModel", "MediaSources", "MediaTime", "LinuxSupport",
                "TestSupport",
            ]),
        .testTarget(
            name: "CompositionTests", dependencies: ["MediaModel", "Composition", "LinuxSupport", "WireFormats", "TestSupport"]),
        .testTarget(name: "FeedConversionTests", dependencies: ["FeedConversion", "ChannelFeed", "WireFormats"]),
        .testTarget(name: "LanguagesTests", dependencies: ["Languages"]),
        .testTarget(name: "MetadataTests", dependencies: ["Metadata", "Languages", "MediaTime", "TestSupport"]),
        .testTarget(name: "CaptionsTests", dependencies: ["Captions"]),
        .testTarget(
            name: "PlayerInterfaceTests",
            dependencies: ["MediaModel", "BoxModel", "Shell", "Viewing", "Screens", "InterfaceTexts"]),
        .testTarget(
            name: "StreamTests",
            dependencies: [
                "MediaModel", "MediaSources", "StatusModel",
                "Playback", "Downloads", "SegmentStore", "HLSStreaming", "MediaCodec", "Transfer", "Metadata",
                "NetworkConditions",
                "Display", "Sound", "TestSupport",
            ]),
        .testTarget(
            name: "HLSStreamingTests",
            dependencies: [
                "MediaModel", "MediaSources", "Cryptography", "HLSStreaming", "NetworkConditions", "Transfer", "GeneratedInputs",
                "TestSupport",
            ]),
        .testTarget(
            name: "MediaCodecTests", dependencies: ["MediaModel", "MediaCodec", "CFFmpeg", "CAllocationCounter", "TestSupport"]),
        .testTarget(
            name: "DisplayTests",
            dependencies: ["MediaModel", "Display", "MediaCodec", "Playback", "TestSupport", "CDRM", "CKernelSeam"]),
        .testTarget(
            name: "SoundTests",
            dependencies: ["Sound", "CAllocationCounter", "CALSA", "MediaModel", "LinuxSupport", "TestSupport"]),
        .testTarget(name: "SpeechTests", dependencies: ["Speech", "LinuxSupport"]),
        .testTarget(
            name: "RemoteTests",
            dependencies: ["Remote", "CEvdev", "MediaModel", "BoxModel", "MediaTime", "LinuxSupport", "TestSupport"]),
        .testTarget(
            name: "SegmentStoreTests",
            dependencies: ["SegmentStore", "Cryptography", "MediaModel", "MediaSources", "LinuxSupport", "TestSupport"]),
        .testTarget(
            name: "KeptArtworkTests",
            dependencies: [
                "KeptArtwork", "SegmentStore", "NetworkConditions", "StatusModel", "MediaModel", "MediaSources", "LinuxSupport",
                "TestSupport",
            ]),
        .testTarget(
            name: "NetworkConditionsTests",
            dependencies: ["MediaModel", "MediaSources", "NetworkConditions", "Transfer", "TestSupport"]),
        .testTarget(
            name: "TransferTests",
            dependencies: ["MediaModel", "MediaSources", "Transfer", "URLReferences", "GeneratedInputs", "TestSupport"]),
        .testTarget(
            name: "DrawingTests",
            dependencies: [
                "MediaModel", "BoxModel", "Drawing", "Appliance", "Housekeeping", "Cryptography", "CPangoCairo", "TestSupport",
            ]),
        .testTarget(
            name: "ConfigurationTests", dependencies: ["Configuration", "CAllocationCounter", "WireFormats", "TestSupport"]),
        .testTarget(name: "TransportSecurityTests", dependencies: ["TransportSecurity", "LinuxSupport", "CTLS"]),
        .testTarget(
            name: "MPRISTests",
            dependencies: [
                "MPRIS", "MessageBus", "CGIO", "MediaModel", "BoxModel", "StatusModel", "MediaTime", "LinuxSupport",
                "TestSupport",
            ]),
        .testTarget(
            name: "WirelessNetworksTests",
            dependencies: ["WirelessNetworks", "MessageBus", "BoxModel", "LinuxSupport", "TestSupport"]),
        .testTarget(name: "SupportBundleTests", dependencies: ["SupportBundle", "CZstd", "TestSupport"]),
        .testTarget(name: "SignaturesTests", dependencies: ["Signatures"]),
        .testTarget(name: "UpdatesTests", dependencies: ["Updates", "WireFormats", "MediaTime", "LinuxSupport"]),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "MediaModel", "StatusModel", "Simulation", "SegmentStore", "ChannelFeed", "Cryptography", "LinuxSupport",
            ]),
        .testTarget(
            name: "MarqueeTests",
            dependencies: [
                "marquee", "BoxAssembly", "CommandSupport", "MediaModel", "BoxModel", "StatusModel", "SQLite", "TestSupport",
            ]),
        .testTarget(
            name: "MarqueeToolsTests",
            dependencies: [
                "marquee", "MarqueeTools", "CommandSupport", "ChannelFeed", "MediaTime", "LinuxSupport", "Signatures",
                "TestSupport", "WireFormats",
            ]),
        .testTarget(name: "SystemServicesTests", dependencies: ["SystemServices", "LinuxSupport", "TestSupport"]),
        .testTarget(name: "SupervisionTests", dependencies: ["Supervision", "LinuxSupport", "TestSupport"]),
        .testTarget(name: "XMLEventsTests", dependencies: ["XMLEvents"]),
        .testTarget(name: "ProgrammeGuideTests", dependencies: ["ProgrammeGuide", "ChannelFeed", "CZlib", "CLZMA"]),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "LinuxSupport"]),
        .testTarget(name: "LibraryTests", dependencies: ["Library", "SQLite", "MediaModel", "MediaTime", "LinuxSupport"]),
        .testTarget(
            name: "ControlServerTests",
            dependencies: [
                "MediaModel", "BoxModel", "StatusModel",
                "ControlServer", "TransportSecurity", "GeneratedInputs", "LinuxSupport", "CZstd",
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        .testTarget(
            name: "PlaybackTests",
            dependencies: [
                "MediaModel", "MediaSources", "Playback", "Metadata", "HLSStreaming", "MediaCodec", "Transfer", "Display",
                "NetworkConditions", "Sound", "TestSupport",
            ]),
        .testTarget(
            name: "MarqueePlaybackTests",
            dependencies: ["MarqueePlayback", "LibraryClient", "LinuxSupport", "TestSupport"]),
        .testTarget(
            name: "ExportTests",
            dependencies: [
                "Export", "Captions", "Playback", "Composition", "HLSPlaylist", "MediaCodec", "Display", "Transfer",
                "WireFormats",
                "MediaModel", "MediaSources",
                "MediaTime", "LinuxSupport",
                "TestSupport",
            ]),
        .testTarget(
            name: "DownloadsTests",
            dependencies: [
                "MediaModel", "MediaSources", "StatusModel", "Downloads", "Cryptography", "NetworkConditions", "TestSupport",
            ]),
        .testTarget(
            name: "HousekeepingTests",
            dependencies: [
                "Housekeeping", "Configuration", "Downloads", "SegmentStore", "HLSPlaylist", "Playback", "NetworkConditions",
                "SystemServices",
                "Signatures", "Updates", "ChannelFeed", "Screens", "Cryptography", "WireFormats", "MediaModel", "BoxModel",
                "StatusModel", "MediaTime",
                "LinuxSupport", "TestSupport",
            ]),
        .testTarget(
            name: "MQTTTests",
            dependencies: ["MQTT", "ChannelFeed", "WireFormats", "MediaModel", "StatusModel", "LinuxSupport", "TestSupport"]),
        .testTarget(
            name: "ApplianceTests",
            dependencies: [
                "MediaModel", "MediaSources", "BoxModel", "StatusModel",
                "Appliance", "Housekeeping", "CivilTime", "Cryptography", "NetworkConditions", "ProgrammeGuide", "Display",
                "MediaCodec",
                "Sound", "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Names of test targets, separated by commas: all others are left out, so that neither they nor what only they need is compiled and linked.
if let chosen = Context.environment["MARQUEE_TEST_TARGETS"]?.split(separator: ",") {
    package.targets.removeAll { $0.type == .test && !chosen.contains(Substring($0.name)) }
}
