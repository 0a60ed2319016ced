"""Write the page of all settings: `python -m slowwave.settings_page > docs/settings.md`. A test compares."""

from __future__ import annotations

import json
import sys

from slowwave.settings_file import leaves

INTRODUCTION = """# Settings

`$SLOWWAVE_HOME/config.yml` holds them, in the nesting that the dots show; a key that is not there has its default.
Every key can also be set by the environment variable in the last column, which wins over the file. `slowwave config`
prints what is in force and where each value came from; `slowwave config set KEY VALUE` writes one and keeps comments.
An unknown or wrong key is refused with its line and the nearest right one.

```yaml
memories:
  enabled: true
  exclude: ["~/clients/*"]
budget:
  perDay:
    dollars: 1.0
```

`$SLOWWAVE_HOME` is where everything lies; by default the platform's user data folder. `models.smol` takes the same
keys as `models.default`.
"""


def page() -> str:
    """The page as markdown."""
    lines = [INTRODUCTION, "| key | default | meaning | variable |", "|---|---|---|---|"]
    for leaf in leaves():
        default = json.dumps(list(leaf.default) if isinstance(leaf.default, tuple) else leaf.default)
        lines.append(f"| `{leaf.key}` | `{default}` | {leaf.description} | `{leaf.variable}` |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
