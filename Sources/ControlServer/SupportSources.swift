/// What a support bundle has from the rest of the program.
package struct SupportSources: Sendable {
    /// The name of the box and the version of the program.
    package var box: String
    /// Values that must not be in a bundle, such as passwords and tokens of the configuration.
    package var secrets: [String]
    /// The applied configuration.
    package var configuration: String
    /// The output of `marquee doctor`; may take its time. Called on threads of the global pool.
    package var doctor: @Sendable () -> String
    /// The date in nanoseconds since the start of 1970, UTC; nil if it cannot be believed. Called on threads of the global pool.
    package var date: @Sendable () -> Int64?

    package init(
        box: String, secrets: [String], configuration: String, doctor: @escaping @Sendable () -> String,
        date: @escaping @Sendable () -> Int64?
    ) {
        self.box = box
        self.secrets = secrets
        self.configuration = configuration
        self.doctor = doctor
        self.date = date
    }
}
