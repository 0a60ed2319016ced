"""What the redaction tests share: the labelled generators, where the machine has them, and one pool of workers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from slowwave.redaction.guard import Guard

GENERATORS = Path(__file__).parents[2].parent / "shared" / "secrets"


def _generator(name: str) -> ModuleType:
    if not (GENERATORS / f"{name}.py").exists():
        pytest.skip(f"the labelled generators are not at {GENERATORS}")
    if str(GENERATORS) not in sys.path:
        sys.path.append(str(GENERATORS))
    return import_module(name)


@pytest.fixture(scope="session")
def corpus() -> ModuleType:
    """The generator of labelled secrets and clean lines."""
    return _generator("corpus")


@pytest.fixture(scope="session")
def adversarial() -> ModuleType:
    """The generator of lines that make careless patterns slow."""
    return _generator("adversarial")


@pytest.fixture(scope="session")
def guard() -> Iterator[Guard]:
    """A pool of one worker, shared by the tests that do not break it."""
    with Guard() as pool:
        yield pool
