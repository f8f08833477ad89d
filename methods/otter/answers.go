package otter

import (
	"regexp"
	"strings"
)

// The tags of the answers' format (Otter, appendix G).
const (
	tagAction   = "Action"
	tagFile     = "Filename"
	tagFunction = "Function"
	tagThought  = "Thought"
	tagPrior    = "PriorFunction"
	tagCode     = "COMPLETE_FUNC"
)

// afterAnswer is what follows the last "Answer:" that has a line of its own, or
// begins one; the whole text where there is none.
func afterAnswer(text string) string {
	at := answerLine.FindAllStringIndex(text, -1)
	if len(at) == 0 {
		return text
	}
	return text[at[len(at)-1][1]:]
}

var answerLine = regexp.MustCompile(`(?im)^[ \t*#]*answer[ \t*]*:[ \t*]*`)

// tagged are the contents of a tag in a text, in order. What is not closed goes
// up to the next opening tag of any kind, or to the end of its line.
func tagged(text, tag string) []string {
	var out []string
	open, end := "<"+strings.ToLower(tag)+">", "</"+strings.ToLower(tag)+">"
	lower := asciiLower(text)
	for at := 0; ; {
		from := strings.Index(lower[at:], open)
		if from < 0 {
			return out
		}
		from += at + len(open)
		to, next := closing(lower[from:], end)
		out = append(out, strings.TrimSpace(text[from:from+to]))
		at = from + next
	}
}

// closing is where a tag's content ends, and where what follows begins.
func closing(rest, end string) (to, next int) {
	if to = strings.Index(rest, end); to >= 0 && !strings.Contains(rest[:to], "\n") {
		return to, to + len(end)
	}
	line := strings.IndexByte(rest, '\n')
	if line < 0 {
		line = len(rest)
	}
	if tag := strings.IndexByte(rest[:line], '<'); tag >= 0 {
		line = tag
	}
	return line, line
}

// asciiLower keeps all offsets: strings.ToLower may change a text's length.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// fileLines are the file names of an answer that has one in each line: numbers,
// bullets, quotes and tags around them are dropped; lines of prose are not.
func fileLines(answer string) []string {
	var out []string
	for line := range strings.Lines(afterAnswer(answer)) {
		if names := tagged(line, tagFile); len(names) > 0 {
			out = append(out, names...)
			continue
		}
		if name := cleanFile(line); name != "" && !strings.ContainsAny(name, " \t") {
			out = append(out, name)
		}
	}
	return out
}

var listMark = regexp.MustCompile(`^(?:[-*+•]|\d+[.):])\s+`)

// cleanFile is a file name without what people write around it.
func cleanFile(name string) string {
	name = strings.TrimSpace(name)
	name = strings.TrimSpace(listMark.ReplaceAllString(name, ""))
	name = strings.Trim(name, "`'\"*,;")
	return strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./")
}

// choice is a file with functions in it, as a model named them.
type choice struct {
	File      string
	Functions []string // with commas between them, where the model wrote one list
}

// choices reads lines of a file and its functions.
func choices(answer string) []choice {
	var out []choice
	for line := range strings.Lines(afterAnswer(answer)) {
		files := tagged(line, tagFile)
		if len(files) == 0 || cleanFile(files[0]) == "" {
			continue
		}
		out = append(out, choice{File: cleanFile(files[0]), Functions: tagged(line, tagFunction)})
	}
	return out
}

// listed splits a list of names at commas. Names that are known may hold commas
// themselves: the longest known one counts.
func listed(list string, known func(string) bool) []string {
	parts := strings.Split(list, ",")
	var out []string
	for i := 0; i < len(parts); {
		n := 1
		for k := len(parts) - i; k > 1; k-- {
			if known(cleanName(strings.Join(parts[i:i+k], ","))) {
				n = k
				break
			}
		}
		if name := cleanName(strings.Join(parts[i:i+n], ",")); name != "" {
			out = append(out, name)
		}
		i += n
	}
	return out
}

// cleanName is a function's name without what people write around it; "" for
// none.
func cleanName(name string) string {
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), "`\"'"))
	if strings.EqualFold(name, "none") || strings.EqualFold(name, "n/a") {
		return ""
	}
	return name
}

// Verb is what an action does.
type Verb string

// The actions of a plan.
const (
	Read   Verb = "read"
	Write  Verb = "write"
	Modify Verb = "modify"
)

// Action is one step of a plan.
type Action struct {
	Verb     Verb   `json:"verb"`
	File     string `json:"file"`
	Function string `json:"function"`
}

// actions reads the lines of a plan. An action of another name keeps it, for
// validation to refuse.
func actions(answer string) []Action {
	var out []Action
	for line := range strings.Lines(afterAnswer(answer)) {
		verbs, files, functions := tagged(line, tagAction), tagged(line, tagFile), tagged(line, tagFunction)
		if len(verbs) == 0 {
			continue
		}
		a := Action{Verb: Verb(strings.ToLower(strings.Trim(verbs[0], " `*.:")))}
		if len(files) > 0 {
			a.File = cleanFile(files[0])
		}
		if len(functions) > 0 {
			a.Function = cleanName(functions[0])
		}
		out = append(out, a)
	}
	return out
}

// satisfied reports whether the last thought of an answer is that its plan will
// do. An answer without a thought is not satisfied.
func satisfied(answer string) bool {
	thoughts := tagged(answer, tagThought)
	if len(thoughts) == 0 {
		return false
	}
	return strings.EqualFold(strings.Trim(thoughts[len(thoughts)-1], " .`*\"“”"), "satisfied")
}

// written is the code of an answer, with the function that it goes after.
type written struct {
	Prior string
	Code  string
}

// generated reads the answer of the test generator: the code between the tags,
// else that of the longest fenced block. An answer without any has no code.
func generated(answer string) written {
	var w written
	if prior := tagged(answer, tagPrior); len(prior) > 0 {
		w.Prior = cleanName(prior[len(prior)-1])
	}
	w.Code = codeOf(answer)
	return w
}

// codeOf takes the code out of an answer: of the last opening tag that anything
// follows; the closing tag may be missing.
func codeOf(answer string) string {
	lower := asciiLower(answer)
	open, end := "<"+strings.ToLower(tagCode)+">", "</"+strings.ToLower(tagCode)+">"
	for stop := len(answer); ; {
		at := strings.LastIndex(lower[:stop], open)
		if at < 0 {
			return strings.Trim(longestFence(answer), "\r\n")
		}
		code := answer[at+len(open) : stop]
		if to := strings.Index(lower[at+len(open):stop], end); to >= 0 {
			code = code[:to]
		}
		if code = unfenced(code); strings.TrimSpace(code) != "" {
			return strings.Trim(code, "\r\n")
		}
		stop = at
	}
}

var fence = regexp.MustCompile("(?m)^[ \t]*(?:```|~~~)[^\n]*$")

// unfenced is the content of the longest fence in a text, the text itself where
// there is none.
func unfenced(code string) string {
	if inner := longestFence(code); inner != "" {
		return inner
	}
	return fence.ReplaceAllString(code, "")
}

// longestFence is the content of the longest fenced block; one that is not
// closed goes to the end.
func longestFence(text string) string {
	longest := ""
	marks := fence.FindAllStringIndex(text, -1)
	for i := 0; i < len(marks); i += 2 {
		inner := text[marks[i][1]:]
		if i+1 < len(marks) {
			inner = text[marks[i][1]:marks[i+1][0]]
		}
		if len(inner) > len(longest) {
			longest = inner
		}
	}
	return longest
}
