package otter

import "strings"

// Rehearse are answers of a model for the sample that agents are tried on: all
// names exist but one, one import is missing, and the plan is good at the second
// round. Of the five tests of Otter++ the last one is the best.
func (o Otter) Rehearse() []string {
	const tests, focal = "tests/test_stack.py", "src/layercake/stack.py"
	read := "<Action>read</Action> <Filename>" + focal + "</Filename> <Function>Stack.get</Function>\n"
	write := "<Action>write</Action> <Filename>" + tests + "</Filename> <Function>LayersTest.test_override</Function>\n"
	answers := []string{
		tests + "\ntests/test_layers.py\n",
		"<Filename>tests/test_stacks.py</Filename> <Function>LayersTest.test_origin, LayersTest.test_missing_values</Function>",
		focal + "\n",
		"<Filename>" + focal + "</Filename> <Function>Stack.add, Stack.get</Function>",
		read,
		read + write + "<Action>read</Action> <Filename>" + focal + "</Filename> <Function>Stack.expand</Function>\n<Thought>Unsure</Thought>",
		read + write + "<Thought>Satisfied</Thought>",
		rehearsed("LayersTest.test_origin", "    def test_override(self):\n"+
			"        self.stack.add(\"site\", \"[net]\\nhost = example.org\\n\")\n"+
			"        raise SyntaxProblem(\"site\", 1, self.stack.get(\"web\", \"url\"))\n"),
	}
	if !o.Plus {
		return answers
	}
	return append(answers,
		rehearsed("", "    def test_override_again(self):\n        self.assertEqual(self.stack.get(\"web\", \"path\"), \"index\")\n"),
		rehearsed("", "    def test_override_once_more(self):\n        self.stack.add(\"base\", \"\")\n"),
		rehearsed("", "def test_references(:\n"),
		rehearsed("", "def test_later_layer_is_seen():\n"+
			"    from layercake.stacks import Stack\n\n"+
			"    stack = Stack().add(\"base\", \"[net]\\nhost = a\\n[web]\\nurl = ${net.host}\\n\").add(\"site\", \"[net]\\nhost = b\\n\")\n"+
			"    assert stack.get(\"web\", \"url\") == \"b\"\n"),
	)
}

// Rehearse is a whole test file.
func (ZeroShot) Rehearse() []string {
	return []string{rehearsed("", "from layercake import Stack\n\n\ndef test_later_layer_is_seen():\n"+
		"    stack = Stack().add(\"base\", \"[net]\\nhost = a\\n[web]\\nurl = ${net.host}\\n\").add(\"site\", \"[net]\\nhost = b\\n\")\n"+
		"    assert stack.get(\"web\", \"url\") == \"b\"\n")}
}

func rehearsed(prior, code string) string {
	var b strings.Builder
	if prior != "" {
		b.WriteString("<PriorFunction>" + prior + "</PriorFunction>\n")
	}
	b.WriteString("<COMPLETE_FUNC>\n" + code + "</COMPLETE_FUNC>\n")
	return b.String()
}
