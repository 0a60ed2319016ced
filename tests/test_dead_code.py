"""No function, class or import of the product is without a caller; what only a test looks with counts as called."""

from __future__ import annotations

from vulture import Vulture

from tests.conftest import ROOT

PRODUCT = ("slowwave", "storage", "flows")
CALLED_BY_OTHERS = (
    # decorated: click, MCP, Prefect, pydantic
    "@*.command", "@*.group", "@*.tool", "@*.resource", "@flow", "@task", "@field_validator", "@model_validator",
)  # fmt: skip
NAMED_BY_OTHERS = (
    "*Reader", "__getattr__",  # looked up by name
    "SlowwaveDetector", "analyze_string",  # detect-secrets
    "str_replace", "clear_all_memory",  # the SDK's memory tool
    "process_bind_param",  # SQLAlchemy
    "ProjectKey",  # a table that is used through its columns
)  # fmt: skip


def test_nothing_of_the_product_is_without_a_caller() -> None:
    vulture = Vulture(ignore_names=list(NAMED_BY_OTHERS), ignore_decorators=list(CALLED_BY_OTHERS))
    vulture.scavenge([str(ROOT / name) for name in (*PRODUCT, "tests", "benchmarks", "docs/examples")])
    dead = [
        f"{item.filename.relative_to(ROOT)}:{item.first_lineno} {item.typ} {item.name}"
        for item in vulture.get_unused_code()
        if item.typ in ("function", "class", "method", "property", "import")
        and item.filename.relative_to(ROOT).parts[0] in PRODUCT
        and "migrations" not in item.filename.parts
    ]
    assert not dead, "\n".join(dead)
