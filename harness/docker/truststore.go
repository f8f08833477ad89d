package docker

import (
	"bytes"
	"crypto/sha1"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"unicode/utf16"
)

// trustStore makes a Java key store (format JKS, version 2, as
// sun.security.provider.JavaKeyStore reads it) of the certificates in a PEM
// bundle. The JVM reads no PEM, and the host may have no Java.
func trustStore(bundle []byte) ([]byte, error) {
	var body bytes.Buffer
	count := uint32(0)
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		// One certificate that cannot be read would make the JVM refuse all.
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			continue
		}
		count++
		trusted(&body, fmt.Sprintf("ca-%d", count), block.Bytes)
	}
	if count == 0 {
		return nil, fmt.Errorf("no certificate in a bundle of %d bytes", len(bundle))
	}
	store := binary.BigEndian.AppendUint32(nil, 0xfeedfeed)
	store = binary.BigEndian.AppendUint32(store, 2)
	store = binary.BigEndian.AppendUint32(store, count)
	store = append(store, body.Bytes()...)
	return append(store, storeDigest("changeit", store)...), nil
}

// trusted writes an entry of a trusted certificate.
func trusted(b *bytes.Buffer, alias string, der []byte) {
	const trustedEntry = 2
	head := binary.BigEndian.AppendUint32(nil, trustedEntry)
	head = appendUTF(head, alias)
	head = binary.BigEndian.AppendUint64(head, 0) // made: the epoch, so that equal bundles give equal stores
	head = appendUTF(head, "X.509")
	head = binary.BigEndian.AppendUint32(head, uint32(len(der)))
	b.Write(head)
	b.Write(der)
}

func appendUTF(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(s))), s...)
}

// storeDigest is the keyed SHA-1 that ends a store.
func storeDigest(password string, store []byte) []byte {
	h := sha1.New()
	for _, u := range utf16.Encode([]rune(password)) {
		h.Write([]byte{byte(u >> 8), byte(u)})
	}
	h.Write([]byte("Mighty Aphrodite"))
	h.Write(store)
	return h.Sum(nil)
}
