"""Reading a project's published memory by address and by words, and counting what was of use."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Engine

from slowwave.app import HOME_STORE, App
from slowwave.errors import ConfigError, MemoryUrlError, RedactionError
from slowwave.memories.projects.finding import book_of, find
from slowwave.memories.reading.search import Hit, HitKind, search
from slowwave.memories.reading.url import MemoryText, list_urls, read_url
from slowwave.memories.reading.usage import Report, record_read, record_report
from slowwave.paths import memory_root
from slowwave.redaction.api import redact
from slowwave.rollouts.identity.places import look
from slowwave.rollouts.identity.projects import project_for
from slowwave.text.ids import id_of_line

HANDBOOK = "memory://root/MEMORY.md"


@dataclass(frozen=True, slots=True)
class Finding:
    """A search hit and the address where it stands, empty where it stands in no file of this project."""

    hit: Hit
    url: str


@dataclass(frozen=True, slots=True)
class Library:
    """One project's memory. `root` is the published folder, the link `current` itself; `engine` is the store that holds
    the project and `home` the one that holds the user level (the same one without a team)."""

    engine: Engine
    home: Engine
    project_id: str
    name: str
    root: Path

    def read(self, url: str) -> MemoryText:
        """Return what an address names, a secret that a person typed into it replaced; the entries shown are counted.

        Raises:
            MemoryUrlError: malformed, or nothing there.
            RedactionError: the scan failed.
        """
        found = read_url(url, self.root)
        result = redact(found.text)
        if result.failed:
            raise RedactionError(f"{url} could not be scanned for secrets")
        record_read(self.engine, self.project_id, result.text, home=self.home)
        return replace(found, text=result.text)

    def urls(self) -> list[str]:
        """Addresses of everything that can be read; empty before the first publish."""
        return list_urls(self.root)

    def search(self, query: str, *, limit: int = 10) -> list[Finding]:
        """Return what matches in this project and on the user level, best first.

        Raises:
            ConfigError: the query is unusable.
        """
        more = [] if self.home is self.engine else [self.home]
        hits = search(self.engine, query, project_id=self.project_id, limit=limit, more=more)
        return [Finding(hit, self.url_of(hit)) for hit in hits]

    def url_of(self, hit: Hit) -> str:
        """The address of a hit in the published files."""
        if hit.project_id != self.project_id:
            return ""
        if hit.kind is HitKind.ENTRY:
            return self._line_of(hit.ref)
        if hit.kind is HitKind.SKILL:
            return self._existing(f"memory://root/skills/{hit.ref}/SKILL.md")
        session = hit.ref.partition(":")[2]
        own = (url for url in self.urls() if url.startswith("memory://root/rollout_summaries/"))
        return next((url for url in own if session in read_url(url, self.root).text), "")

    def _line_of(self, short_id: str) -> str:
        try:
            text = read_url(HANDBOOK, self.root).text
        except MemoryUrlError:
            return ""
        lines = text.split("\n")
        number = next((number for number, line in enumerate(lines, 1) if id_of_line(line) == short_id), None)
        if number is None:
            return ""
        last = number
        while last < len(lines) and re.match(r"[ \t]+\S", lines[last]):
            last += 1
        return f"{HANDBOOK}#L{number}" if last == number else f"{HANDBOOK}#L{number}-L{last}"

    def _existing(self, url: str) -> str:
        try:
            read_url(url, self.root)
        except MemoryUrlError:
            return ""
        return url

    def report(self, reference: str, report: Report) -> bool:
        """Count that an entry helped or was wrong; False when there is no such entry."""
        return record_report(self.engine, self.project_id, reference, report, home=self.home)


def folder_library(app: App, folder: Path) -> Library:
    """Return the memory of the project that a folder belongs to; an unknown project's is empty until it has some."""
    try:
        return open_library(app, str(folder))
    except ConfigError:
        identity = project_for(look(str(folder)), book_of(app))
        root = memory_root(app.home, identity.slug, identity.id) / "current"
        return Library(app.engine, app.engine, identity.id, identity.name, root)


def open_library(app: App, project: str) -> Library:
    """Return the memory of a known project, given by folder, id or name.

    Raises:
        ConfigError: no project or several fit.
        StoreError: the database refuses.
    """
    store, found = find(app, project)
    root = memory_root(store.home, found.slug, found.id) / "current"
    return Library(store.engine, app.at(HOME_STORE).engine, found.id, found.name, root)
