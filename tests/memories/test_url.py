"""memory:// addresses: what they name, and that none leaves the root."""

import os
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from slowwave.errors import MemoryUrlError
from slowwave.memories.reading.url import list_urls, parse_url, read_url

SECRET = "outside the root"


def make_tree(base: Path) -> Path:
    """A published folder beside files that no address may reach; returns the link `current`."""
    version = base / "versions" / "1-abc"
    (version / "skills" / "run-tests" / "scripts").mkdir(parents=True)
    (version / "rollout_summaries").mkdir()
    (version / "MEMORY.md").write_text("# Memory\n- one [m1]\n- two [m2]\n- three [m3]\n")
    (version / "memory_summary.md").write_text("# Summary\n- one [m1]\n")
    (version / "manifest.json").write_text(SECRET)
    (version / ".hidden").write_text(SECRET)
    (version / "skills" / "run-tests" / "SKILL.md").write_text("---\nname: run-tests\n---\nbody\n")
    (version / "skills" / "run-tests" / "scripts" / "go.sh").write_text("pytest\n")
    (version / "rollout_summaries" / "2026-11-01-übung eins.md").write_text("summary\n")
    (base / "secret.md").write_text(SECRET)
    (base / "versions" / "secret.md").write_text(SECRET)
    (version / "skills" / "out").symlink_to(base)
    (version / "skills" / "link.md").symlink_to(base / "secret.md")
    (base / "current").symlink_to(Path("versions") / "1-abc")
    return base / "current"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_tree(tmp_path)


@pytest.mark.parametrize(
    ("url", "start"),
    [
        ("memory://root", "# Summary"),
        ("memory://root/", "# Summary"),
        ("MEMORY://root/memory_summary.md", "# Summary"),
        ("memory://root/MEMORY.md", "# Memory"),
        ("memory://root/MEMORY%2Emd", "# Memory"),
        ("memory://root/skills/run-tests/SKILL.md", "---\nname: run-tests"),
        ("memory://root/skills/run-tests/scripts/go.sh", "pytest"),
        ("memory://root/rollout_summaries/2026-11-01-%C3%BCbung%20eins.md", "summary"),
    ],
)
def test_an_address_names_a_published_file(root: Path, url: str, start: str) -> None:
    assert read_url(url, root).text.startswith(start)


@pytest.mark.parametrize("suffix", ["#L2-L3", "#2-3", "#L2-3", "?lines=2-3"])
def test_a_line_range_gives_those_lines(root: Path, suffix: str) -> None:
    found = read_url(f"memory://root/MEMORY.md{suffix}", root)
    assert found.text == "- one [m1]\n- two [m2]\n"
    assert (found.first, found.last, found.total) == (2, 3, 4)


def test_a_range_that_ends_beyond_the_file_is_shortened(root: Path) -> None:
    assert read_url("memory://root/MEMORY.md#L4-L900", root).text == "- three [m3]\n"


@pytest.mark.parametrize("suffix", ["#L0", "#L3-L2", "#Lx", "#L5", "?line=3", "?lines=", "#", "#1-2-3"])
def test_a_wrong_line_range_is_refused(root: Path, suffix: str) -> None:
    with pytest.raises(MemoryUrlError):
        read_url(f"memory://root/MEMORY.md{suffix}", root)


ESCAPES = [
    "memory://root/../secret.md",
    "memory://root/skills/../../secret.md",
    "memory://root/skills/%2e%2e/%2E%2E/secret.md",
    "memory://root/skills/..%2f..%2fsecret.md",
    "memory://root/skills/..%5c..%5csecret.md",
    "memory://root/skills/%252e%252e/secret.md",
    "memory://root/skills/．．/．．/secret.md",
    "memory://root/skills/%EF%BC%8E%EF%BC%8E/secret.md",
    "memory://root/skills/‥/secret.md",
    "memory://root/skills/a／..／..／secret.md",
    "memory://root/skills//secret.md",
    "memory://root//etc/passwd",
    "memory://root/C:/Windows/win.ini",
    "memory://root/skills/C:secret.md",
    "memory://root/MEMORY.md::$DATA",
    "memory://root/skills/CON",
    "memory://root/skills/nul.md",
    "memory://root/skills/COM¹.md",
    "memory://root/skills/run-tests./SKILL.md",
    "memory://root/skills/run-tests /SKILL.md",
    "memory://root/skills/run-tests/SKILL.md%00.png",
    "memory://root/skills/out/secret.md",
    "memory://root/skills/link.md",
    "memory://root/skills",
    "memory://root/skills/run-tests",
    "memory://root/manifest.json",
    "memory://root/.hidden",
    "memory://root/skills/.hidden",
    "memory://root/memory.md",
    "memory://root/%",
    "memory://root/%zz",
    "memory://root/%ff",
    "memory://other/MEMORY.md",
    "memory://ROOT/MEMORY.md",
    "memory://user@root/MEMORY.md",
    "memory://root:80/MEMORY.md",
    "memory:/root/MEMORY.md",
    "file:///etc/passwd",
    "MEMORY.md",
    "",
    "memory://root/" + "a/" * 40,
    "memory://root/skills/" + "a" * 5000,
]


@pytest.mark.parametrize("url", ESCAPES)
def test_no_address_leaves_the_root(root: Path, url: str) -> None:
    with pytest.raises(MemoryUrlError):
        read_url(url, root)


def test_a_pipe_does_not_hang_and_a_folder_is_no_file(root: Path) -> None:
    os.mkfifo(root / "skills" / "pipe.md")
    with pytest.raises(MemoryUrlError, match="not a regular file"):
        read_url("memory://root/skills/pipe.md", root)


PIECES = st.sampled_from(
    ["..", ".", "", "%2e%2e", "%2E.", "．．", "‥", "%00", "\0", "skills", "out", "run-tests", "secret.md", "link.md",
     "SKILL.md", "MEMORY.md", "versions", "1-abc", "%2f", "%5c", "\\", "／", "C:", "~", "current", "etc", "passwd"]
)  # fmt: skip
TEXTS = st.text(max_size=12).map(lambda text: quote(text, safe="/."))
PATHS = st.lists(PIECES | TEXTS | st.text(max_size=6), max_size=8).map("/".join)


@settings(max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=PATHS)
@example(path="skills/run-tests/../../../secret.md")
def test_whatever_is_read_lies_in_the_published_folder(root: Path, path: str) -> None:
    url = f"memory://root/{path}"
    try:
        found = read_url(url, root)
    except MemoryUrlError:
        return
    assert SECRET not in found.text
    inside = root.resolve().joinpath(*found.url.segments)
    assert inside.is_relative_to(root.resolve()) and inside.resolve() == inside


@given(path=PATHS)
def test_parsing_raises_nothing_but_its_own_error(path: str) -> None:
    try:
        address = parse_url(f"memory://root/{path}")
    except MemoryUrlError:
        return
    assert all(part not in ("", ".", "..") and "/" not in part and "\\" not in part for part in address.segments)


def test_every_listed_address_can_be_read_and_links_are_not_listed(root: Path) -> None:
    urls = list_urls(root)
    assert urls == [
        "memory://root/MEMORY.md",
        "memory://root/memory_summary.md",
        "memory://root/rollout_summaries/2026-11-01-%C3%BCbung%20eins.md",
        "memory://root/skills/run-tests/SKILL.md",
        "memory://root/skills/run-tests/scripts/go.sh",
    ]
    assert all(read_url(url, root).text for url in urls)
