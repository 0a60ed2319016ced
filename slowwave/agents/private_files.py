"""Writing our own small private files."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from slowwave.paths import make_private


def replace_file(path: Path, content: bytes) -> bool:
    """Put `content` at `path` atomically with mode 0600; return whether anything changed."""
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    make_private(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    return True
