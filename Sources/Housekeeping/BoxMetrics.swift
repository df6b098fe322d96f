import LinuxSupport
import StatusModel
import Supervision

/// The metrics of a box for Prometheus: the values of its report under the names of `docs/local-page.md`.
extension BoxReport {
    /// Everything except the state of the machine.
    package var metrics: [MetricFamily] {
        [
            MetricFamily(
                "marquee_box", .info, help: "Who the box is, and the board and the version that it has.",
                samples: [
                    .init(
                        1,
                        labels: [
                            .init("box", box), .init("group", group ?? "default"), .init("board", board ?? ""),
                            .init("version", version),
                        ])
                ]),
            MetricFamily(
                "marquee_health", .gauge, help: "1 for the word of the health of the box.",
                samples: BoxHealth.Word.allCases.map {
                    .init($0 == health.word ? 1 : 0, labels: [.init("status", $0.rawValue)])
                }),
            MetricFamily(
                "marquee_fault", .gauge, help: "1 for each thing that is wrong.",
                samples: health.faults.map { .init(1, labels: [.init("fault", $0.name)]) }),
            MetricFamily(
                "marquee_build", .info, help: "The version of the player.",
                samples: [.init(1, labels: [.init("version", version), .init("build", FlightRecorder.buildID ?? "")])]),
            MetricFamily(
                "marquee_player_uptime_seconds", .gauge, unit: "seconds", help: "Time since the start of the player.",
                playerUptime.inSeconds),
            MetricFamily(
                "marquee_state", .gauge, help: "1 for the state that the player is in.",
                samples: NowPlaying.State.allCases.map {
                    .init($0.rawValue == state.word ? 1 : 0, labels: [.init("state", $0.rawValue)])
                }),
            MetricFamily(
                "marquee_screen_off", .gauge, help: "1 in standby, without a television, and while it shows another input.",
                state.isScreenOff ? 1 : 0),
            MetricFamily("marquee_network_metered", .gauge, help: "1 if the network is metered.", isMetered ? 1 : 0),
        ] + feedMetrics + updateMetrics + settingsMetrics + playbackMetrics
    }

    private var feedMetrics: [MetricFamily] {
        [
            MetricFamily(
                "marquee_feed_revision", .gauge, help: "The revision of the feed in use.",
                samples: (feed?.revision).map { [.init(Double($0))] } ?? []),
            MetricFamily(
                "marquee_feed_trouble", .gauge, help: "1 while the newest feed cannot be used, by the code of the error or rule.",
                samples: feedTrouble.map { [.init(1, labels: [.init("code", $0)])] } ?? []),
        ]
    }

    private var updateMetrics: [MetricFamily] {
        guard let update else { return [] }
        return [
            MetricFamily(
                "marquee_update_state", .gauge, help: "1 for the state of updates.",
                samples: UpdateStatus.State.allCases.map {
                    .init($0 == update.state ? 1 : 0, labels: [.init("state", $0.rawValue)])
                }),
            MetricFamily(
                "marquee_system", .info, help: "The version of the running system.",
                samples: update.running.map { [.init(1, labels: [.init("version", $0)])] } ?? []),
            MetricFamily(
                "marquee_update_trial", .gauge, help: "1 while the running system is on trial.", update.isOnTrial ? 1 : 0),
            MetricFamily(
                "marquee_update_offered", .gauge, help: "1 while a version is offered that concerns the box.",
                samples: update.offered.map { [.init(1, labels: [.init("version", $0)])] } ?? []),
            MetricFamily(
                "marquee_update_failures", .gauge, help: "Installations that failed in a row.", Double(update.failures)),
            MetricFamily(
                "marquee_update_refused", .gauge, help: "1 for each version that was tried and given up.",
                samples: update.refused.map { .init(1, labels: [.init("version", $0)]) }),
        ]
    }

    private var settingsMetrics: [MetricFamily] {
        guard let settings else { return [] }
        return [
            MetricFamily(
                "marquee_settings_revision", .gauge, help: "The revision of the settings from afar in use.",
                samples: settings.revision.map { [.init(Double($0))] } ?? []),
            MetricFamily(
                "marquee_settings_state", .gauge, help: "1 for the state of settings from afar.",
                samples: BoxDescription.Settings.State.allCases.map {
                    .init($0 == settings.state ? 1 : 0, labels: [.init("state", $0.rawValue)])
                }),
            MetricFamily(
                "marquee_settings_given_up", .gauge, help: "1 for the last revision, if its trial failed.",
                samples: settings.givenUp.map { [.init(1, labels: [.init("revision", "\($0)")])] } ?? []),
            MetricFamily(
                "marquee_settings_refusals", .counter, help: "Documents of settings that were refused.",
                Double(settings.refusals)),
        ]
    }

    private var playbackMetrics: [MetricFamily] {
        let errors = playback.errors.sorted { $0.key < $1.key }.flatMap { code, errors in
            [("0", errors.count - errors.fatal), ("1", errors.fatal)].map { isFatal, count in
                MetricFamily.Sample(Double(count), labels: [.init("code", code), .init("fatal", isFatal)])
            }
        }
        return [
            MetricFamily("marquee_playback_sessions", .counter, help: "Playbacks.", Double(playback.sessions)),
            MetricFamily(
                "marquee_playback_watched_seconds", .counter, unit: "seconds", help: "Time that was played.",
                playback.watched.inSeconds),
            MetricFamily(
                "marquee_playback_startup_seconds", .summary, unit: "seconds",
                help: "Time from the request to the first picture.",
                samples: [.init(playback.startup.inSeconds, count: playback.startups)]),
            MetricFamily(
                "marquee_playback_requests", .counter, help: "Answered requests of streams by what was asked for.",
                samples: [
                    ("key", playback.counts.contentKeyRequests), ("playlist", playback.counts.playlistRequests),
                    ("segment", playback.counts.mediaSegmentRequests),
                ].map { resource, count in .init(Double(count), labels: [.init("resource", resource)]) }),
            MetricFamily(
                "marquee_playback_variant_switches", .counter, help: "How often a stream went on with another variant.",
                Double(playback.counts.variantSwitches)),
            MetricFamily(
                "marquee_playback_seeks", .counter, help: "Completed seeks.", Double(playback.counts.seeks)),
            MetricFamily(
                "marquee_playback_stalls", .counter, help: "How often playback waited for data.", Double(playback.stalls)),
            MetricFamily(
                "marquee_playback_dropped_frames", .counter, help: "Frames that were not shown.", Double(playback.droppedFrames)),
            MetricFamily(
                "marquee_playback_received_bytes", .counter, unit: "bytes", help: "Bytes of media that were received.",
                Double(playback.bytes)),
            MetricFamily(
                "marquee_playback_errors", .counter, help: "Errors by their code, and whether they ended the playback.",
                samples: errors),
        ]
    }
}

/// The metrics of the machine.
enum MachineMetrics {
    static func families(_ state: MachineState) -> [MetricFamily] {
        func gauge(_ name: String, _ unit: String?, _ help: String, _ value: Int?, per divisor: Double = 1) -> MetricFamily {
            MetricFamily(
                name, .gauge, unit: unit, help: help, samples: value.map { [.init(Double($0) / divisor)] } ?? [])
        }
        return [
            gauge("marquee_machine_uptime_seconds", "seconds", "Time since the start of the machine.", state.uptime),
            gauge("marquee_memory_size_bytes", "bytes", "The memory of the machine.", state.memory),
            gauge("marquee_memory_available_bytes", "bytes", "Memory that programs can still use.", state.availableMemory),
            gauge("marquee_memory_player_bytes", "bytes", "Memory of the player.", state.playerMemory),
            gauge("marquee_storage_total_bytes", "bytes", "The size of the data partition.", state.storage),
            gauge("marquee_storage_free_bytes", "bytes", "Free space of the data partition.", state.freeStorage),
            gauge(
                "marquee_temperature_celsius", "celsius", "The highest temperature of the sensors.", state.temperature, per: 1000),
            gauge("marquee_crashes", nil, "Stored crash records.", state.crashes),
        ]
    }
}

extension Duration {
    /// As seconds with a fraction.
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
