"""Installs with uv, and mends what keeps it from succeeding."""
import json
import os
import re

from python_pip import WHEELS, wheel
from python_tools import HOME, last, name_of, next_day, run, say, write

TRIES = 24
BUILDING = 400  # seconds for one attempt at what is optional


class UvSteps:
    # Debian packages

    def system(self, log):
        """Installs the Debian packages that a log asks for; tells whether any."""
        wanted = []
        for pattern, packages in self.plan["needs"]:
            if re.search(pattern, log, re.M):
                wanted += [p for p in packages.split() if p not in self.had]
        if not wanted:
            return False
        self.had.update(wanted)
        say("a build needs Debian's", *wanted)
        self.tell("Debian's " + " ".join(wanted), "a build needs it")
        quiet = ["apt-get", "-qq", "-y", "-o", "APT::Sandbox::User=root", "-o", "Dpkg::Use-Pty=0"]
        for command in (quiet + ["update"], quiet + ["install", "--no-install-recommends"] + wanted):
            good, text = run(command, DEBIAN_FRONTEND="noninteractive")
            if not good:
                say("apt:", last(text, 1))
                return False
        return True

    # uv

    def uv(self, args, limit=None):
        command = ["uv", "pip"] + args
        if os.path.isdir(WHEELS):
            command += ["--find-links", WHEELS]
        if self.plan["date"]:
            command += ["--exclude-newer", self.plan["date"]]
            for name, until in sorted(self.later.items()):
                command += ["--exclude-newer-package", name + "=" + until]
        return run(command, limit=limit)

    def install(self, requirements, sources=(), extras=(), more=(), required=()):
        """Installs requirements together; tells whether it went well.

        What hinders is mended where uv says what it is: a distribution whose
        old releases were uploaded again later is taken from then, an extra
        that does not exist is dropped, and so is a requirement that is not
        required. Returns the log of the last attempt.
        """
        requirements, extras = list(requirements), list(extras)
        wheels, log = list(self.plan["wheels"]), ""
        for _ in range(TRIES):
            kept = [r for r in requirements if name_of(r) not in self.dropped or name_of(r) in required]
            write(HOME + "/requirements.txt", kept)
            args = ["install", "--no-sources", "-r", HOME + "/requirements.txt"] + list(more)
            for source in sources:
                args += ["-r", source]
            args += ["--extra=" + e for e in extras]
            overrides = (self.plan["overrides"] if sources else []) + sorted(self.registry)
            if overrides:
                write(HOME + "/overrides.txt", overrides)
                args += ["--overrides", HOME + "/overrides.txt"]
            for name in wheels:
                args += ["--only-binary", name]
            optional = [r for r in kept if name_of(r) not in required]
            good, log = self.uv(args, BUILDING if optional else None)
            if good:
                return True, log
            extra = re.search(r"Requested extra not found: (\S+)", log)
            if extra and extra.group(1) in extras:
                say("there is no extra", extra.group(1))
                extras.remove(extra.group(1))
                continue
            if self.mend(log, kept, required):
                continue
            # A source archive does where no wheel can be had.
            sourced = [name_of(n) for n in re.findall(r"([A-Za-z0-9._-]+?)(?:==\S+|[<>]=?\S+)? (?:has|have) no (?:usable )?(?:wheels|source)", log)]
            if not set(sourced) & set(wheels):
                return False, log
            wheels = [n for n in wheels if n not in sourced]
        return False, log

    def mend(self, log, requirements, required):
        """Changes what keeps an installation from succeeding; tells whether it did."""
        moved = False
        for match in re.finditer(r"`([A-Za-z0-9._-]+)` was filtered by `exclude-newer`.*?(?:published at (\d{4}-\d\d-\d\d))?[^\n]*\n?", log):
            name = name_of(match.group(1))
            until = re.search(r"published at (\d{4}-\d\d-\d\d)", match.group(0))
            until = next_day(until.group(1)) if until else "2100-01-01"
            if self.later.get(name, "") < until:
                say(name, "is taken as of", until + ": the index has nothing that fits from before")
                self.tell("%s as of %s" % (name, until), "the index has nothing that fits from before")
                self.later[name] = until
                moved = True
        if moved:
            return True
        if self.system(log):
            return True
        if re.search(r"Could not resolve host|dns error|unable to access|[Cc]onnection refused", log):
            addressed = re.findall(r"Failed to [^`\n]*`([A-Za-z0-9._-]+) @ [^`]*`", log)
            for name in map(name_of, addressed):
                if name not in self.registry:
                    say(name, "is taken from the index: its own address cannot be reached")
                    self.tell(name + " from the index", "its own address cannot be reached")
                    self.registry.add(name)
                    return True
        for name, version in re.findall(r"Failed to (?:build|download(?: and build)?|extract|unpack|read)[^`]*`([A-Za-z0-9._-]+)==([A-Za-z0-9._+!-]+)`", log):
            # pip takes over where uv refuses an archive.
            if name not in self.piped:
                self.piped.add(name)
                if wheel(self.plan, name, version):
                    self.tell("%s==%s by pip" % (name, version), "uv cannot build it")
                    return True
        names = [name_of(r) for r in requirements]
        for name in map(name_of, re.findall(r"no version of ([A-Za-z0-9._-]+?)==", log)):
            # A development version that an index kept for a while, of a package
            # that the project itself asks for.
            if name not in names and name not in self.registry:
                say(name, "is taken in another version: the index has not the one that is asked for")
                self.tell(name + " in another version", "the index has not the one that is asked for")
                self.registry.add(name)
                return True
        bad = re.findall(r"Failed to (?:build|download(?: and build)?|fetch|prepare)[^`]*`([A-Za-z0-9._-]+?)(?:==|`| |@)", log)
        bad += re.findall(r"[Bb]ecause ([A-Za-z0-9._-]+) was not found in the package registry", log)
        bad += re.findall(r"no versions? of ([A-Za-z0-9._-]+)", log)
        bad += re.findall(r"([A-Za-z0-9._-]+)(?:==\S+)? (?:has|have) no (?:usable )?wheels", log)
        bad += re.findall(r"`([A-Za-z0-9._-]+)` \(v[^)]*\) was included because", log)
        chain = re.findall(r"because `([A-Za-z0-9._-]+)`", log)
        for name in map(name_of, bad + chain):
            if name in names and name not in required and name not in self.dropped:
                self.leave_out(name, log)
                return True
        return False

    def leave_out(self, name, log):
        say("left out:", name + ":", last(log, 3)[:400])
        self.dropped.add(name)
        self.tell("without " + name, last(log, 1))

    def tell(self, value, why):
        """Records a choice that only the set-up could make."""
        with open(HOME + "/choices.jsonl", "a") as stream:
            stream.write(json.dumps({"field": "setup", "value": value[:200], "why": "at set-up: " + why[:300]}) + "\n")
