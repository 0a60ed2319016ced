"""Load, explain and edit `config.yml`. Every complaint names the file, the line and the nearest right key."""

from __future__ import annotations

import difflib
import json
import os
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from slowwave.errors import ConfigError
from slowwave.paths import config_file
from slowwave.private import make_private_folder, replace_private
from slowwave.settings import Settings

ENV_PREFIX = "SLOWWAVE_"
LEVEL = "__"


@dataclass(frozen=True, slots=True)
class Leaf:
    """One key of the settings: its dotted camelCase name, its environment variable and its documentation."""

    path: tuple[str, ...]
    attributes: tuple[str, ...]
    annotation: Any
    default: Any
    description: str

    @property
    def key(self) -> str:
        """Dotted name, as in `memories.enabled`."""
        return ".".join(self.path)

    @property
    def variable(self) -> str:
        """Environment variable, as in `SLOWWAVE_MEMORIES__ENABLED`."""
        return ENV_PREFIX + LEVEL.join(part.upper() for part in self.attributes)


@dataclass(frozen=True, slots=True)
class Effective:
    """The value in force for a key and where it came from."""

    key: str
    value: Any
    source: str
    description: str


def _group_of(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        for part in typing.get_args(annotation):
            if (group := _group_of(part)) is not None:
                return group
    return None


def leaves(
    model: type[BaseModel] = Settings,
    path: tuple[str, ...] = (),
    attributes: tuple[str, ...] = (),
    defaults: BaseModel | None = None,
) -> Iterator[Leaf]:
    """Yield every key of the settings model, depth first in the order of the model.

    `defaults` is the group that is in force where nothing is set: its values, not those of the group's class.
    """
    for name, field in model.model_fields.items():
        here = (*path, field.alias or name)
        attribute = (*attributes, name)
        default = field.get_default(call_default_factory=True, validated_data={})
        if defaults is not None:
            default = getattr(defaults, name)
        if (group := _group_of(field.annotation)) is not None:
            yield from leaves(group, here, attribute, default)
        else:
            yield Leaf(here, attribute, field.annotation, default, field.description or "")


def _yaml() -> YAML:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.allow_duplicate_keys = False
    return yaml


def read_config(path: Path) -> CommentedMap:
    """Parse the settings file, keeping comments and line numbers.

    Raises:
        ConfigError: it cannot be read, is not YAML, or is not a mapping.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return CommentedMap()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} cannot be read: {error}", hint="Make it a UTF-8 file.") from error
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(f"{path} cannot be read: {reason}", hint="SLOWWAVE_HOME names the folder.") from error
    try:
        data = _yaml().load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 0
        raise ConfigError(f"{path}:{line}: {error.problem or 'not valid YAML'}", hint="Correct that line.") from error
    except YAMLError as error:
        raise ConfigError(f"{path}: not valid YAML: {error}", hint="Correct the file.") from error
    if data is None:
        return CommentedMap()
    if not isinstance(data, CommentedMap):
        raise ConfigError(f"{path}:1: the file must hold keys such as `memories:`", hint="See `slowwave config`.")
    return data


def _line_of(data: Any, location: tuple[Any, ...]) -> int | None:
    line: int | None = None
    for part in location:
        if isinstance(data, CommentedMap) and part in data:
            # A key that `set_value` has just added stands in no line yet.
            line = data.lc.key(part)[0] + 1 if part in (data.lc.data or {}) else line
            data = data[part]
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            break
    return line


def _environment(env: Mapping[str, str]) -> tuple[dict[str, Any], dict[tuple[str, ...], str]]:
    by_variable = {leaf.variable: leaf for leaf in leaves()}
    values: dict[str, Any] = {}
    sources: dict[tuple[str, ...], str] = {}
    for name in sorted(env):
        if not name.startswith(ENV_PREFIX) or LEVEL not in name:
            continue
        leaf = by_variable.get(name)
        if leaf is None:
            near = difflib.get_close_matches(name, by_variable, n=1, cutoff=0.5)
            hint = f"Did you mean {near[0]}?" if near else "`slowwave config --env` lists the variables."
            raise ConfigError(f"{name}: no such setting", hint=hint)
        raw = env[name]
        _put(values, leaf.path, _parse_text(leaf, raw))
        sources[leaf.path] = name
    return values, sources


def _parse_text(leaf: Leaf, raw: str) -> Any:
    """Text from the environment or the command line: JSON where the key takes a list or null, else as it stands."""
    stripped = raw.strip()
    if stripped in ("null", "None", "~"):
        return None
    if "tuple" in str(leaf.annotation):
        if not stripped.startswith("["):
            return [part.strip() for part in stripped.split(",") if part.strip()]
        try:
            return json.loads(stripped)
        except ValueError as error:
            raise ConfigError(f"{leaf.key}: {raw!r} is not a JSON list", hint='Write ["a", "b"] or a,b.') from error
    return stripped


def _put(tree: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for part in path[:-1]:
        existing = tree.get(part)
        if not isinstance(existing, dict):
            existing = tree[part] = {}
        tree = existing
    tree[path[-1]] = value


def _merge(base: Any, over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base) if isinstance(base, Mapping) else {}
    for key, value in over.items():
        merged[key] = _merge(merged.get(key), value) if isinstance(value, dict) else value
    return merged


def load_settings(home: Path, env: Mapping[str, str] | None = None) -> Settings:
    """Return the settings in force.

    Raises:
        ConfigError: with the file and line (or the variable), what is allowed and the nearest right key.
    """
    return load_with_sources(home, env)[0]


def load_with_sources(home: Path, env: Mapping[str, str] | None = None) -> tuple[Settings, list[Effective]]:
    """Return the settings and, for every key, the value in force and where it came from."""
    env = os.environ if env is None else env
    path = config_file(home)
    data = read_config(path)
    from_env, env_sources = _environment(env)
    try:
        settings = Settings(**_merge(data, from_env))
    except ValidationError as error:
        raise _explain(error, path, data, env_sources) from error
    return settings, list(_effective(settings, path, data, env_sources))


def _effective(
    settings: Settings, path: Path, data: CommentedMap, env_sources: Mapping[tuple[str, ...], str]
) -> Iterator[Effective]:
    for leaf in leaves():
        value: Any = settings
        for attribute in leaf.attributes:
            value = getattr(value, attribute) if value is not None else None
        if leaf.path in env_sources:
            source = env_sources[leaf.path]
        elif _holds(data, leaf.path):
            source = f"{path}:{_line_of(data, leaf.path)}"
        else:
            source = "default"
        yield Effective(leaf.key, value, source, leaf.description)


def _holds(data: Any, path: tuple[str, ...]) -> bool:
    for part in path:
        if not isinstance(data, Mapping) or part not in data:
            return False
        data = data[part]
    return True


def _explain(
    error: ValidationError, path: Path, data: CommentedMap, env_sources: Mapping[tuple[str, ...], str]
) -> ConfigError:
    problems: list[str] = []
    hints: list[str] = []
    for issue in error.errors():
        location = tuple(part for part in issue["loc"] if not str(part).startswith("function-"))
        keys = tuple(str(part) for part in location if isinstance(part, str))
        where = env_sources.get(keys) or f"{path}:{_line_of(data, location) or 1}"
        dotted = ".".join(keys) or "settings"
        if issue["type"] == "extra_forbidden":
            problems.append(f"{where}: unknown key {dotted}")
            hints.append(_nearest(dotted))
        else:
            given = "" if issue["type"] == "value_error" else f" (given: {issue['input']!r})"
            problems.append(f"{where}: {dotted}: {issue['msg'].removeprefix('Value error, ')}{given}")
            hints.append(_allowed(dotted))
    return ConfigError("\n".join(problems), hint=" ".join(dict.fromkeys(hint for hint in hints if hint)))


def _nearest(dotted: str) -> str:
    known = [leaf.key for leaf in leaves()]
    folded = {key.casefold().replace("_", ""): key for key in known}
    near = difflib.get_close_matches(dotted.casefold().replace("_", ""), folded, n=1, cutoff=0.6)
    if near:
        return f"Did you mean {folded[near[0]]}?"
    last = {key.rpartition(".")[2].casefold(): key for key in known}
    near = difflib.get_close_matches(dotted.rpartition(".")[2].casefold().replace("_", ""), last, n=1, cutoff=0.6)
    return f"Did you mean {last[near[0]]}?" if near else "`slowwave config` lists all keys."


def _allowed(dotted: str) -> str:
    for leaf in leaves():
        if leaf.key == dotted:
            return f"{dotted}: {leaf.description} Default: {leaf.default!r}."
    return ""


def find_leaf(key: str) -> Leaf:
    """Return the leaf with this dotted name.

    Raises:
        ConfigError: there is none; the hint names the nearest.
    """
    for leaf in leaves():
        if leaf.key == key:
            return leaf
    raise ConfigError(f"{key}: no such setting", hint=_nearest(key))


def set_value(home: Path, key: str, raw: str) -> Any:
    """Write one key into `config.yml`, keeping comments and order, and return the value. Nothing is written when the
    result would not load.

    `raw` is the value as a person types it: text stands for itself, whatever YAML would make of it.
    """
    leaf = find_leaf(key)
    path = config_file(home)
    data = read_config(path)
    node: Any = data
    for part in leaf.path[:-1]:
        if not isinstance(node.get(part), CommentedMap):
            node[part] = CommentedMap()
        node = node[part]
    node[leaf.path[-1]] = _parse_text(leaf, raw)
    value: Any = _checked(path, data)
    for attribute in leaf.attributes:
        value = getattr(value, attribute)
    node[leaf.path[-1]] = list(value) if isinstance(value, tuple) else value
    _write(path, data)
    return value


def unset_value(home: Path, key: str) -> bool:
    """Take one key out of `config.yml`, so that its default is in force again; tell whether it stood there."""
    leaf = find_leaf(key)
    path = config_file(home)
    data = read_config(path)
    if not _holds(data, leaf.path):
        return False
    groups: list[Any] = [data]
    for part in leaf.path[:-1]:
        groups.append(groups[-1][part])
    for group, part in zip(reversed(groups), reversed(leaf.path), strict=True):
        if part == leaf.path[-1] or not group[part]:
            del group[part]
    _checked(path, data)
    _write(path, data)
    return True


def _checked(path: Path, data: CommentedMap) -> Settings:
    try:
        return Settings(**_merge(data, {}))
    except ValidationError as error:
        raise _explain(error, path, data, {}) from error


def _write(path: Path, data: CommentedMap) -> None:
    buffer = StringIO()
    _yaml().dump(data, buffer)
    make_private_folder(path.parent)
    replace_private(path, buffer.getvalue().encode())
