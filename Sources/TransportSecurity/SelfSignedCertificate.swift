import CTLS

/// A certificate that a box makes for itself: clients recognise it by its fingerprint, which the box shows.
package struct SelfSignedCertificate: Sendable {
    /// In PEM.
    package let certificate: [UInt8]
    /// In PEM, without a password.
    package let key: [UInt8]

    /// Makes a key on the curve P-256 and a certificate for it. It is valid from 2020 on, because a box may have no date yet.
    ///
    /// - Parameters:
    ///   - name: of the box: letters, digits and hyphens.
    ///   - lastSecond: by default it has no end (RFC 5280, 4.1.2.5).
    package init(name: String, lastSecond: String = "99991231235959Z") throws(TransportSecurityError) {
        ERR_clear_error()
        let key = try Self.makeKey()
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw TransportSecurityError(.makeCertificate) }
        defer { X509_free(certificate) }
        var random = SystemRandomNumberGenerator()
        let subject = X509_get_subject_name(certificate)
        let isMade =
            X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), random.next() >> 1 | 1) == 1
            && ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "20200101000000Z") == 1
            && ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), lastSecond) == 1
            && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, subject) == 1 && X509_set_pubkey(certificate, key) == 1
            && Self.add(NID_basic_constraints, "critical,CA:FALSE", to: certificate)
            && Self.add(NID_key_usage, "critical,digitalSignature", to: certificate)
            && Self.add(NID_ext_key_usage, "serverAuth", to: certificate)
            && Self.add(NID_subject_alt_name, "DNS:\(name),DNS:\(name).local,DNS:localhost,IP:127.0.0.1", to: certificate)
            && X509_sign(certificate, key, EVP_sha256()) > 0
        guard isMade else { throw TransportSecurityError(.makeCertificate) }
        let (certificateText, keyText) = (MemoryText(), MemoryText())
        guard PEM_write_bio_X509(certificateText.bio, certificate) == 1,
            PEM_write_bio_PrivateKey(keyText.bio, key, nil, nil, 0, nil, nil) == 1
        else { throw TransportSecurityError(.makeCertificate) }
        self.certificate = certificateText.bytes
        self.key = keyText.bytes
    }

    private static func makeKey() throws(TransportSecurityError) -> OpaquePointer {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { throw TransportSecurityError(.makeCertificate) }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &key) == 1, let key
        else { throw TransportSecurityError(.makeCertificate) }
        return key
    }

    private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) -> Bool {
        guard let extended = X509V3_EXT_conf_nid(nil, nil, kind, value) else { return false }
        defer { X509_EXTENSION_free(extended) }
        return X509_add_ext(certificate, extended, -1) == 1
    }
}
