"""Copies of generated skills: valid, marked, pruned, and never over a person's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from skills_ref.validator import validate

from slowwave.agents.install.installer import carry_out, plan_install
from slowwave.agents.install.integrations import INTEGRATIONS, Place, Scope, Way
from slowwave.agents.install.skills import MARK, export, export_all, marked
from slowwave.errors import AgentIntegrationError
from tests.support.memory import MemoryHome


def skill(name: str, body: str = "1. do it\n") -> dict[str, bytes]:
    return {"SKILL.md": f'---\nname: {name}\ndescription: "How to {name}."\n---\n\n{body}'.encode()}


def test_a_copy_is_valid_and_marked_and_written_once(tmp_path: Path) -> None:
    folder = tmp_path / "skills"
    done = export(folder, "p1", {"run-tests": skill("run-tests"), "deploy": skill("deploy")})
    assert done.written == ("deploy", "run-tests")
    assert validate(folder / "run-tests") == [] and validate(folder / "deploy") == []
    assert sorted(marked(folder)) == [("deploy", "p1"), ("run-tests", "p1")]
    again = export(folder, "p1", {"run-tests": skill("run-tests"), "deploy": skill("deploy")})
    assert (again.written, again.removed, again.kept) == ((), (), ())


def test_a_changed_skill_is_renewed_and_a_pruned_one_removed_with_the_empty_folder(tmp_path: Path) -> None:
    folder = tmp_path / ".agents" / "skills"
    export(folder, "p1", {"run-tests": {**skill("run-tests"), "scripts/go.sh": b"go\n"}})
    assert (folder / "run-tests" / "scripts" / "go.sh").is_file()
    export(folder, "p1", {"run-tests": skill("run-tests", "2. better\n")})
    assert "2. better" in (folder / "run-tests" / "SKILL.md").read_text()
    assert not (folder / "run-tests" / "scripts").exists()
    assert export(folder, "p1", {}).removed == ("run-tests",)
    assert not (tmp_path / ".agents").exists()


def test_a_persons_own_skill_of_that_name_is_never_touched(tmp_path: Path) -> None:
    own = tmp_path / "run-tests"
    own.mkdir()
    (own / "SKILL.md").write_text("mine")
    linked = tmp_path / "deploy"
    (tmp_path / "elsewhere").mkdir()
    linked.symlink_to(tmp_path / "elsewhere")
    done = export(tmp_path, "p1", {"run-tests": skill("run-tests"), "deploy": skill("deploy")})
    assert done.kept == ("deploy", "run-tests") and done.written == ()
    assert (own / "SKILL.md").read_text() == "mine" and not list((tmp_path / "elsewhere").iterdir())
    assert export(tmp_path, "p1", {}).removed == ()


@pytest.mark.parametrize("wanted", [{}, {"run-tests": skill("run-tests", "new\n")}])
def test_a_copy_that_a_person_changed_is_theirs_from_then_on(
    wanted: dict[str, dict[str, bytes]], tmp_path: Path
) -> None:
    export(tmp_path, "p1", {"run-tests": skill("run-tests")})
    (tmp_path / "run-tests" / "SKILL.md").write_text("my version")
    assert export(tmp_path, "p1", wanted).kept == ("run-tests",)
    assert (tmp_path / "run-tests" / "SKILL.md").read_text() == "my version"
    assert not (tmp_path / "run-tests" / MARK).exists()
    export(tmp_path, "p1", {})
    assert (tmp_path / "run-tests" / "SKILL.md").read_text() == "my version"


def test_copies_of_another_project_in_the_same_folder_stay(tmp_path: Path) -> None:
    export(tmp_path, "p1", {"run-tests": skill("run-tests")})
    export(tmp_path, "p2", {"deploy": skill("deploy")})
    assert export(tmp_path, "p1", {}).removed == ("run-tests",)
    assert list(marked(tmp_path)) == [("deploy", "p2")]


def test_a_damaged_mark_makes_a_copy_a_persons(tmp_path: Path) -> None:
    export(tmp_path, "p1", {"run-tests": skill("run-tests")})
    (tmp_path / "run-tests" / MARK).write_text("{")
    assert export(tmp_path, "p1", {"run-tests": skill("run-tests", "new\n")}).kept == ("run-tests",)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "skills").write_text("a file")
    with pytest.raises(AgentIntegrationError, match="skills"):
        export(tmp_path / "skills", "p1", {"run-tests": skill("run-tests")})


def test_each_installation_gets_the_skills_of_its_own_scope_and_project(tmp_path: Path) -> None:
    memory = MemoryHome(tmp_path / "home")
    user, repo, other = tmp_path / "user", tmp_path / "repo", tmp_path / "other"
    project, elsewhere = memory.project(repo), memory.project(other)
    memory.publish(project.id, ["a"], skills={"of-repo": "1. x"})
    memory.publish(elsewhere.id, ["b"], skills={"of-other": "1. x"})
    memory.user_level(["c"])
    memory.compile()
    user.mkdir()
    for agent, place in (("claude", Place(Scope.USER, user)), ("codex", Place(Scope.PROJECT, repo))):
        carry_out(memory.home, plan_install(memory.home, INTEGRATIONS[agent], place, Way.HOOKS))
    export_all(memory.home)
    assert [name for name, _ in marked(repo / ".agents" / "skills")] == ["of-repo"]
    assert not (repo / ".claude").exists() and not list(user.rglob("of-*")) and not (other / ".agents").exists()
    assert json.loads((repo / ".agents" / "skills" / "of-repo" / MARK).read_text())["project"] == project.id
