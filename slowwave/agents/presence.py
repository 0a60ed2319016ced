"""Whether an agent is on this machine."""

from __future__ import annotations

import shutil

from slowwave.agents.install.integrations import Integration, Place


def binary_of(integration: Integration, place: Place) -> str | None:
    """Path of the agent's command, None when it is not on the PATH."""
    return shutil.which(integration.binary, path=place.env.get("PATH"))


def is_present(integration: Integration, place: Place) -> bool:
    """True when the agent's command or its folder is there."""
    return binary_of(integration, place) is not None or integration.config(place).is_dir()
