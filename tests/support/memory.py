"""A home with published memory, made through the real database, the real files and the real compile step."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from slowwave.agents.compile import Compiled, compile_hooks
from slowwave.paths import database_file, memory_root
from slowwave.rollouts.identity.projects import ProjectIdentity, identify
from slowwave.settings import MemoriesSettings, Settings
from slowwave.storage.engine import open_database
from slowwave.storage.tables import Entry, Project, Skill
from slowwave.storage.types import MemoryKind, Standing

USER_PROJECT = "0123456789abcdef"


@dataclass
class MemoryHome:
    """A `$SLOWWAVE_HOME` and its projects. `publish` writes what the nightly job would; `compile` is the real step."""

    home: Path
    memories: MemoriesSettings = field(default_factory=MemoriesSettings)

    def __post_init__(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        self.engine: Engine = open_database(database_file(self.home))

    @property
    def settings(self) -> Settings:
        """Settings with the memories group that the test wants."""
        return Settings(memories=self.memories)

    def project(self, folder: Path) -> ProjectIdentity:
        """Create the folder and register it as a project, as the scan would."""
        folder.mkdir(parents=True, exist_ok=True)
        found = identify(str(folder))
        with Session(self.engine) as session:
            if session.get(Project, found.id) is None:
                session.add(Project(id=found.id, key=found.key, slug=found.slug, name=found.name, root=found.root))
                session.commit()
        return found

    def publish(self, project_id: str, entries: list[str], *, skills: dict[str, str] | None = None) -> Path:
        """Add entries to the project and publish them; returns the live folder."""
        with Session(self.engine) as session:
            project = session.get_one(Project, project_id)
            first = project.next_entry
            for number, text in enumerate(entries, first):
                session.add(
                    Entry(
                        project_id=project_id,
                        number=number,
                        kind=MemoryKind.FACT,
                        text=text,
                        standing=Standing.USER_SAID,
                    )
                )
            for name, body in (skills or {}).items():
                session.add(Skill(project_id=project_id, name=name, description=f"How to {name}.", body=body))
            project.next_entry += len(entries)
            project.version += 1
            session.commit()
            version, slug, name = project.version, project.slug, project.name
            lines = "".join(f"- {text} [m{number}]\n" for number, text in enumerate(entries, first))
        base = memory_root(self.home, slug, project_id)
        folder = base / "versions" / f"{version}-test"
        folder.mkdir(parents=True)
        (folder / "MEMORY.md").write_text(f"# Memory of {name}\n\n## Facts\n\n{lines}")
        (folder / "memory_summary.md").write_text(f"# What is remembered about {name}\n\n{lines}")
        for skill, body in (skills or {}).items():
            (folder / "skills" / skill).mkdir(parents=True)
            (folder / "skills" / skill / "SKILL.md").write_text(
                f'---\nname: {skill}\ndescription: "How to {skill}."\n---\n\n{body}\n'
            )
        current = base / "current"
        current.unlink(missing_ok=True)
        current.symlink_to(Path("versions") / folder.name)
        return current

    def user_level(self, entries: list[str]) -> None:
        """Publish entries of the user level."""
        with Session(self.engine) as session:
            if session.get(Project, USER_PROJECT) is None:
                session.add(Project(id=USER_PROJECT, key="user", slug="user", name="user", user_level=True))
                session.commit()
        self.publish(USER_PROJECT, entries)

    def compile(self, now: float | None = None) -> Compiled:
        """Run the real compile step."""
        return compile_hooks(self.home, self.engine, self.settings, now=now)
