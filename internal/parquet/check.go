package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// checkFooter makes sure that the footer, whose length follows it, is within
// the file: the library allocates what is said there.
func checkFooter(f io.ReaderAt, size int64) error {
	const ends = 8 // the footer's length and the magic bytes
	if size < 4+ends {
		return errors.New("it is too short")
	}
	var tail [ends]byte
	if _, err := f.ReadAt(tail[:], size-ends); err != nil {
		return err
	}
	if magic := string(tail[4:]); magic != "PAR1" && magic != "PARE" {
		return fmt.Errorf("it ends with %q, not with PAR1", magic)
	}
	if footer := int64(binary.LittleEndian.Uint32(tail[:4])); footer > size-4-ends {
		return fmt.Errorf("its footer is said to have %d bytes, the whole file has %d", footer, size)
	}
	return nil
}

// checkCodecs refuses LZ4: the library takes ever more memory for broken LZ4
// data and does not come back.
func checkCodecs(data *format.FileMetaData) error {
	for _, group := range data.RowGroups {
		for _, column := range group.Columns {
			switch codec := column.MetaData.Codec; codec {
			case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd:
			default:
				return fmt.Errorf("column %q: compression %s can't be read: write the file with snappy, gzip, brotli, zstd or none",
					strings.Join(column.MetaData.PathInSchema, "."), codec)
			}
		}
	}
	return nil
}
