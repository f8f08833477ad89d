// Package searchreplace reads search/replace blocks out of answers of models, and
// places them in files.
package searchreplace

import (
	"errors"
	"fmt"
	"strings"
)

// Block is a search/replace block of an answer: whole lines of a file, without
// their ends, and what is there instead.
type Block struct {
	Path            string
	Search, Replace []string
}

// Parse reads the blocks of an answer. What is around them is
// skipped (fences, blank lines, prose), but the last line of text before a
// block is its path; a block without one is of the same file as that before
// it. Everything within a block is taken as it is. The errors are meant for
// the model.
func Parse(answer string) ([]Block, error) {
	var p blockReader
	for line := range strings.Lines(answer) {
		if err := p.line(strings.TrimRight(line, "\r\n")); err != nil {
			return nil, err
		}
	}
	switch {
	case p.state != outside:
		return nil, fmt.Errorf("block %d is cut off before its line %s", len(p.blocks)+1, endOfBlock)
	case len(p.blocks) == 0:
		return nil, errors.New("there is no search/replace block in it")
	}
	return p.blocks, nil
}

// The marks of a block, as the prompt shows them.
const (
	startOfBlock  = "<<<<<<< SEARCH"
	middleOfBlock = "======="
	endOfBlock    = ">>>>>>> REPLACE"
)

// blockState is where in an answer a line is.
type blockState int

const (
	outside blockState = iota
	inSearch
	inReplace
)

type blockReader struct {
	state  blockState
	path   string
	now    Block
	blocks []Block
}

func (p *blockReader) line(line string) error {
	if p.state == outside {
		return p.around(line)
	}
	n := len(p.blocks) + 1
	switch mark := markOf(line); {
	case mark == startOfBlock:
		return fmt.Errorf("block %d begins before block %d has its line %s", n+1, n, endOfBlock)
	case mark == endOfBlock && p.state == inSearch:
		return fmt.Errorf("block %d has no line %s", n, middleOfBlock)
	case mark == endOfBlock:
		return p.finish(n)
	case mark == middleOfBlock && p.state == inReplace:
		return fmt.Errorf("block %d has more than one line %s", n, middleOfBlock)
	case mark == middleOfBlock:
		p.state = inReplace
	case p.state == inSearch:
		p.now.Search = append(p.now.Search, line)
	default:
		p.now.Replace = append(p.now.Replace, line)
	}
	return nil
}

// around takes a line between blocks.
func (p *blockReader) around(line string) error {
	n := len(p.blocks) + 1
	switch mark := markOf(line); {
	case mark == startOfBlock && p.path == "":
		return fmt.Errorf("block %d has no path on the line before it", n)
	case mark == startOfBlock:
		p.state, p.now = inSearch, Block{Path: p.path}
	case mark == endOfBlock:
		return fmt.Errorf("a line %s stands before block %d has begun", endOfBlock, n)
	case mark == middleOfBlock, strings.HasPrefix(strings.TrimSpace(line), "```"):
	case plainPath(line) != "":
		p.path = plainPath(line)
	}
	return nil
}

func (p *blockReader) finish(n int) error {
	blank := strings.TrimSpace(strings.Join(p.now.Search, "")) == ""
	switch {
	case len(p.now.Search) == 0 || blank:
		return fmt.Errorf("block %d searches for nothing: name the lines to replace, or a line to insert at", n)
	case strings.Join(p.now.Search, "\n") == strings.Join(p.now.Replace, "\n") && len(p.now.Search) == len(p.now.Replace):
		return fmt.Errorf("block %d changes nothing", n)
	}
	p.blocks = append(p.blocks, p.now)
	p.state = outside
	return nil
}

// markOf recognises the marks. That in the middle must be exact, since lines
// of equals signs occur in texts; the others may be a little longer or
// shorter.
func markOf(line string) string {
	line = strings.TrimRight(line, " \t")
	if line == middleOfBlock {
		return middleOfBlock
	}
	for _, mark := range []string{startOfBlock, endOfBlock} {
		sign, word, _ := strings.Cut(mark, " ")
		rest := strings.TrimLeft(line, sign[:1])
		if n := len(line) - len(rest); n >= 5 && n <= 9 && strings.TrimSpace(rest) == word {
			return mark
		}
	}
	return ""
}

// plainPath takes off what Markdown puts around a path.
func plainPath(line string) string {
	line = strings.Trim(strings.TrimSpace(line), "#*`: \t")
	for _, label := range []string{"file:", "path:"} {
		if len(line) > len(label) && strings.EqualFold(line[:len(label)], label) {
			line = strings.Trim(line[len(label):], "#*`: \t")
		}
	}
	return strings.TrimPrefix(line, "./")
}
