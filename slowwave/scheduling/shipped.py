"""Find the deployment files: package data in an installed wheel, the repository's folder in a checkout."""

from __future__ import annotations

from pathlib import Path


def deployments_folder() -> Path:
    """The folder with prefect.yaml and its companions."""
    package = Path(__file__).resolve().parent.parent
    shipped = package / "_data" / "deployments"
    return shipped if shipped.is_dir() else package.parent / "deployments"
