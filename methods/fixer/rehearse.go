package fixer

import "assay/methods"

var _ methods.Rehearser = Fixer{}

// Rehearse implements methods.Rehearser.
func (Fixer) Rehearse() []string {
	return []string{"src/layercake/stack.py\n", "src/layercake/stack.py\nclass: Stack\n", "src/layercake/stack.py\nclass: Stack\n", rehearsal}
}

// rehearsal fixes the sample that agents are tried on.
const rehearsal = `References are replaced too early. I do it when a value is read.

src/layercake/stack.py
<<<<<<< SEARCH
        raw = read(text, layer)

        def lookup(target):
            return raw.get(target, self._merged.get(target))

        values = {where: expand(value, where, lookup) for where, value in raw.items()}
=======
        values = read(text, layer)
>>>>>>> REPLACE
<<<<<<< SEARCH
        value = self._merged.get((section, key))
        if value is not None:
            return value
=======
        if (section, key) in self._merged:
            return self._value((section, key))
>>>>>>> REPLACE
<<<<<<< SEARCH
        return {key: value for (name, key), value in sorted(self._merged.items()) if name == section}
=======
        return {key: self._value((name, key)) for name, key in sorted(self._merged) if name == section}
>>>>>>> REPLACE
<<<<<<< SEARCH
    def _converted(self, convert, section, key, default):
=======
    def _value(self, where):
        return expand(self._merged[where], where, self._merged.get)

    def _converted(self, convert, section, key, default):
>>>>>>> REPLACE
`
