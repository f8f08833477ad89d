"""Applies the fixes that clang-tidy offers, only to the files allowed, and
only as long as they compile."""

import json
import os
import subprocess

from commands import Failed, tail

APPLY = "clang-apply-replacements-19"
ROUNDS = 4  # a fix can make room for the next


class Fixer:
    def __init__(self, linter, rules, allowed):
        self.linter, self.rules, self.allowed = linter, set(rules), allowed

    def fix(self, name, entry, how, unit):
        """Fixes a file, all rules at once; where that breaks it, one rule at
        a time, without those that break it."""
        state = State(self.linter, name, entry, unit)
        if state.run.errors():
            return {"how": how, "code": state.run.code, "broken": True, "log": state.run.log}
        refused = []
        if not self.rounds(state, self.rules, ROUNDS):
            chosen = choose(state.run.diagnostics(), self.rules, self.allowed)
            for rule in sorted({d["DiagnosticName"] for d in chosen}):
                if not self.rounds(state, {rule}, ROUNDS):
                    refused.append(rule)
        return {"how": "unit" if state.unit else how, "code": state.run.code, "applied": state.applied, "refused": refused}

    def rounds(self, state, rules, count):
        """Applies fixes until there are none; False, with the files as they
        were before the last edit, when one breaks them."""
        for _ in range(count):
            wanted = choose(state.run.diagnostics(), rules, self.allowed)
            if not wanted:
                break
            before = texts(self.allowed)
            apply(state.run.report, wanted)
            if not state.renew():
                restore(before)
                return False
            state.applied += len(wanted)
        return True


class State:
    """A file as the last accepted edit left it."""

    def __init__(self, linter, name, entry, unit):
        self.linter, self.name, self.entry = linter, name, entry
        self.unit, self.main = None, unit or entry
        self.count, self.applied = 0, 0
        self.run = self.lint()
        if self.run.errors() and unit is not None:
            self.unit = unit
            self.run = self.lint()
        self.compiled = compiles(self.main)

    def lint(self):
        self.count += 1
        return self.linter.run("%s-%d" % (self.name, self.count), self.entry, self.unit)

    def renew(self):
        """Whether the edited file still parses, and compiles if it did."""
        if self.compiled and not compiles(self.main):
            return False
        run = self.lint()
        if run.errors() or run.code not in (0, self.run.code):
            return False
        self.run = run
        return True


def compiles(entry):
    """What the compiler that builds the project says of a unit."""
    command = ["cc" if entry.c() else "c++", "-fsyntax-only", "-w"] + entry.flags + [entry.file]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def texts(paths):
    out = {}
    for path in paths:
        with open(path, "rb") as f:
            out[path] = f.read()
    return out


def restore(before):
    for path, text in before.items():
        with open(path, "wb") as f:
            f.write(text)


def apply(report, wanted):
    """Has LLVM's own tool edit the files: it also tidies the commas and colons
    that a removed initialiser leaves."""
    directory, log = report + ".fixes", report + ".apply"
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "fixes.yaml"), "w", encoding="utf-8") as f:
        json.dump({"MainSourceFile": "", "Diagnostics": wanted}, f, ensure_ascii=False)
    with open(log, "wb") as out:
        try:
            code = subprocess.run([APPLY, directory], stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False).returncode
        except FileNotFoundError as e:
            raise Failed(APPLY + " is not installed") from e
    if code != 0:
        raise Failed("%s ended with code %d: %s" % (APPLY, code, tail(log)))


def choose(diagnostics, rules, allowed):
    """The diagnostics whose fixes can be applied together: all edits of one or
    none, none outside the files allowed, none that touches another's."""
    taken, chosen = {}, []
    for d in diagnostics:
        edits = d["DiagnosticMessage"]["Replacements"]
        if not edits or d["DiagnosticName"] not in rules or any(e["FilePath"] not in allowed for e in edits):
            continue
        spans = [(e["FilePath"], e["Offset"], e["Offset"] + e["Length"]) for e in edits]
        if any(start <= end2 and start2 <= end for path, start, end in spans for start2, end2 in taken.get(path, ())):
            continue
        for path, start, end in spans:
            taken.setdefault(path, []).append((start, end))
        chosen.append(bare(d))
    return chosen


def bare(diagnostic):
    """A diagnostic without its notes, whose fixes nobody asked for."""
    message = diagnostic["DiagnosticMessage"]
    kept = {k: message[k] for k in ("Message", "FilePath", "FileOffset", "Replacements")}
    return {"DiagnosticName": diagnostic["DiagnosticName"], "DiagnosticMessage": kept}
