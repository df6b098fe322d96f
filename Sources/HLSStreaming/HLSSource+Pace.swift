import MediaModel

/// What the decoders can do.
extension HLSSource: AdaptiveSource {
    package func decoderFallsBehind() { context.policy.decoderFallsBehind(variant) }
}
