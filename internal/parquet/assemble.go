package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// assembler writes rows as JSON from the values of their columns. A value's
// levels describe what it belongs to: the definition level how much of the
// path to it is there, the repetition level which list of the path continues
// with it.
type assembler struct {
	rows    *rows
	cursors []*cursor
	out     bytes.Buffer
	wrong   []Wrong
}

// row writes the next row.
func (a *assembler) row(top *node) error {
	a.out.Reset()
	a.wrong = nil
	if err := a.object(top); err != nil {
		return err
	}
	for _, c := range a.cursors {
		a.rows.field = c.field
		v, err := c.peek()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err == nil && v.RepetitionLevel() != 0 {
			return errors.New("the column holds more values than others of its group")
		}
	}
	return nil
}

// end makes sure that no column has values beyond the last row.
func (a *assembler) end() error {
	for _, c := range a.cursors {
		switch _, err := c.peek(); {
		case err == nil:
			return &brokenError{fmt.Errorf("column %q holds more values than there are rows", c.field)}
		case !errors.Is(err, io.EOF):
			return &brokenError{fmt.Errorf("column %q: %w", c.field, err)}
		}
	}
	return nil
}

// value writes one value of a node whose parent is there.
func (a *assembler) value(n *node) error {
	if n.repeated {
		return a.list(n, a.present)
	}
	if !n.optional {
		return a.present(n)
	}
	there, err := a.there(n)
	if err != nil {
		return err
	}
	if !there {
		a.out.WriteString("null")
		return a.skip(n)
	}
	return a.present(n)
}

// there reports whether the next value of a node is there.
func (a *assembler) there(n *node) (bool, error) {
	c := a.cursors[n.first]
	a.rows.field = c.field
	v, err := c.peek()
	if errors.Is(err, io.EOF) {
		err = errEndsEarly
	}
	return err == nil && v.DefinitionLevel() >= n.definition, err
}

// skip reads the one value by which each column marks an absent node.
func (a *assembler) skip(n *node) error {
	for _, c := range a.cursors[n.first : n.first+n.columns] {
		a.rows.field = c.field
		if _, err := c.take(); err != nil {
			return err
		}
	}
	return nil
}

// present writes a value that is there.
func (a *assembler) present(n *node) error {
	switch n.shape {
	case shapeObject:
		return a.object(n)
	case shapeMap:
		return a.keyed(n.children[0])
	case shapeList:
		repeated := n.children[0]
		if n.wrapped() {
			return a.list(repeated, func(r *node) error { return a.value(r.children[0]) })
		}
		return a.list(repeated, a.present)
	}
	return a.scalar(n)
}

func (a *assembler) scalar(n *node) error {
	c := a.cursors[n.first]
	a.rows.field = c.field
	v, err := c.take()
	if err != nil {
		return err
	}
	if v.IsNull() {
		a.out.WriteString("null")
		return nil
	}
	text, wrong := n.write(v)
	if wrong != nil {
		wrong.Field = n.field
		a.wrong = append(a.wrong, *wrong)
		text = []byte("null")
	}
	a.out.Write(text)
	return nil
}

func (a *assembler) object(n *node) error {
	for i, child := range n.children {
		a.out.WriteByte(separator(i == 0, '{'))
		a.out.Write(quote(child.name))
		a.out.WriteByte(':')
		if err := a.value(child); err != nil {
			return err
		}
	}
	a.out.WriteByte('}')
	return nil
}

// separator is what is before an element: the bracket, or a comma.
func separator(first bool, open byte) byte {
	if first {
		return open
	}
	return ','
}

// list writes the elements of a repeated node as a JSON list.
func (a *assembler) list(repeated *node, element func(*node) error) error {
	a.out.WriteByte('[')
	err := a.each(repeated, func(first bool) error {
		if !first {
			a.out.WriteByte(',')
		}
		return element(repeated)
	})
	a.out.WriteByte(']')
	return err
}

// keyed writes the pairs of a map as a JSON object.
func (a *assembler) keyed(pair *node) error {
	a.out.WriteByte('{')
	err := a.each(pair, func(first bool) error {
		if !first {
			a.out.WriteByte(',')
		}
		start := a.out.Len()
		if err := a.value(pair.children[0]); err != nil {
			return err
		}
		if key := a.out.Bytes()[start:]; len(key) == 0 || key[0] != '"' {
			text := quote(string(key))
			a.out.Truncate(start)
			a.out.Write(text)
		}
		a.out.WriteByte(':')
		return a.value(pair.children[1])
	})
	a.out.WriteByte('}')
	return err
}

// each calls element for every element of a repeated node.
func (a *assembler) each(repeated *node, element func(first bool) error) error {
	there, err := a.there(repeated)
	if err != nil {
		return err
	}
	if !there {
		return a.skip(repeated)
	}
	for first := true; ; first = false {
		if err := element(first); err != nil {
			return err
		}
		v, err := a.cursors[repeated.first].peek()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || v.RepetitionLevel() < repeated.repetition {
			return err
		}
	}
}
