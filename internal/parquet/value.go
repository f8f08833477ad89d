package parquet

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// valueWriter writes a value as JSON, or describes what is wrong with it.
type valueWriter func(parquet.Value) ([]byte, *Wrong)

// writerOf returns the writer of a column, by what its values mean, or else
// by how they are stored.
func writerOf(t parquet.Type) valueWriter {
	if logical := t.LogicalType(); logical != nil {
		switch l := logical.Value.(type) {
		case *format.StringType, *format.EnumType:
			return text
		case *format.JsonType:
			return rawJSON
		case *format.TimestampType:
			return timestamp(unitOf(l.Unit))
		case *format.DateType:
			return date
		case *format.TimeType:
			return timeOfDay(unitOf(l.Unit))
		case *format.DecimalType:
			return decimal(int(l.Scale))
		case *format.UUIDType:
			return uuid
		case *format.IntType:
			if !l.IsSigned {
				return unsigned
			}
		}
	}
	return stored
}

// stored writes a value as its physical type has it. NaN and the infinities,
// which JSON does not know, are null.
func stored(v parquet.Value) ([]byte, *Wrong) {
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.AppendBool(nil, v.Boolean()), nil
	case parquet.Int32:
		return strconv.AppendInt(nil, int64(v.Int32()), 10), nil
	case parquet.Int64:
		return strconv.AppendInt(nil, v.Int64(), 10), nil
	case parquet.Int96:
		return int96(v), nil
	case parquet.Float:
		return number(float64(v.Float()), 32), nil
	case parquet.Double:
		return number(v.Double(), 64), nil
	}
	b, wrong := bytesOf(v)
	if wrong == nil && !utf8.Valid(b) {
		return quote(base64.StdEncoding.EncodeToString(b)), nil
	}
	return text(v)
}

// bytesOf returns the bytes of a value that must be stored as bytes.
func bytesOf(v parquet.Value) ([]byte, *Wrong) {
	if k := v.Kind(); k != parquet.ByteArray && k != parquet.FixedLenByteArray {
		return nil, &Wrong{Expected: "bytes", Got: "a value stored as " + k.String()}
	}
	return v.ByteArray(), nil
}

func number(f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null")
	}
	return strconv.AppendFloat(nil, f, 'g', -1, bits)
}

func unsigned(v parquet.Value) ([]byte, *Wrong) {
	if v.Kind() == parquet.Int32 {
		return strconv.AppendUint(nil, uint64(v.Uint32()), 10), nil
	}
	return strconv.AppendUint(nil, v.Uint64(), 10), nil
}

func text(v parquet.Value) ([]byte, *Wrong) {
	b, wrong := bytesOf(v)
	switch {
	case wrong != nil:
		return nil, wrong
	case !utf8.Valid(b):
		return nil, &Wrong{Expected: "text in UTF-8", Got: "other bytes"}
	}
	return quote(string(b)), nil
}

// rawJSON writes what a column of JSON text holds, on one line.
func rawJSON(v parquet.Value) ([]byte, *Wrong) {
	b, wrong := bytesOf(v)
	if wrong != nil {
		return nil, wrong
	}
	var out bytes.Buffer
	if err := json.Compact(&out, b); err != nil {
		return nil, &Wrong{Expected: "JSON", Got: fmt.Sprintf("broken JSON (%v)", err)}
	}
	if !utf8.Valid(out.Bytes()) {
		return nil, &Wrong{Expected: "JSON in UTF-8", Got: "other bytes"}
	}
	return out.Bytes(), nil
}

// quote writes a JSON string, without HTML escapes.
func quote(s string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return []byte(`""`) // text can always be encoded
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// unitOf is what one tick of a time lasts.
func unitOf(unit format.TimeUnit) time.Duration {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return time.Millisecond
	case *format.MicroSeconds:
		return time.Microsecond
	}
	return time.Nanosecond
}

// timestamp writes a moment as RFC 3339. One without a time zone is taken as
// UTC.
func timestamp(unit time.Duration) valueWriter {
	perSecond := int64(time.Second / unit)
	return func(v parquet.Value) ([]byte, *Wrong) {
		n := v.Int64()
		return moment(time.Unix(n/perSecond, n%perSecond*int64(unit)))
	}
}

func moment(t time.Time) ([]byte, *Wrong) {
	t = t.UTC()
	if t.Year() < 0 || t.Year() > 9999 {
		return nil, &Wrong{Expected: "a time of the years 0 to 9999", Got: fmt.Sprintf("year %d", t.Year())}
	}
	return quote(t.Format(time.RFC3339Nano)), nil
}

// int96 writes the older form of a timestamp: the day's number in the Julian
// calendar above the nanoseconds of the day.
func int96(v parquet.Value) []byte {
	const unixEpoch = 2440588 // 1970-01-01 as a Julian day
	raw := v.Int96()
	day, nanoseconds := int64(raw[2])-unixEpoch, int64(raw[1])<<32|int64(raw[0])
	out, wrong := moment(time.Unix(day*86400, 0).Add(time.Duration(nanoseconds)))
	if wrong != nil {
		return []byte("null")
	}
	return out
}

func date(v parquet.Value) ([]byte, *Wrong) {
	return quote(time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)), nil
}

func timeOfDay(unit time.Duration) valueWriter {
	return func(v parquet.Value) ([]byte, *Wrong) {
		n := v.Int64()
		if v.Kind() == parquet.Int32 {
			n = int64(v.Int32())
		}
		return quote(time.Unix(0, 0).UTC().Add(time.Duration(n) * unit).Format("15:04:05.999999999")), nil
	}
}

// decimal writes a number with a fixed count of digits after the point.
func decimal(scale int) valueWriter {
	return func(v parquet.Value) ([]byte, *Wrong) {
		n := new(big.Int)
		switch v.Kind() {
		case parquet.Int32:
			n.SetInt64(int64(v.Int32()))
		case parquet.Int64:
			n.SetInt64(v.Int64())
		default:
			b, wrong := bytesOf(v)
			if wrong != nil {
				return nil, wrong
			}
			n = bigEndian(b)
		}
		if scale <= 0 {
			return []byte(n.String()), nil
		}
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(scale, 100))), nil)
		return []byte(new(big.Rat).SetFrac(n, power).FloatString(min(scale, 100))), nil
	}
}

// bigEndian reads a number in two's complement.
func bigEndian(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}

func uuid(v parquet.Value) ([]byte, *Wrong) {
	b, wrong := bytesOf(v)
	switch {
	case wrong != nil:
		return nil, wrong
	case len(b) != 16:
		return nil, &Wrong{Expected: "a UUID of 16 bytes", Got: fmt.Sprintf("%d bytes", len(b))}
	}
	return quote(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])), nil
}
