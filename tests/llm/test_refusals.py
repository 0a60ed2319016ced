"""What endpoints mean by their refusals, in the words of many."""

from __future__ import annotations

import csv
from typing import Any

import anthropic
import httpx2
import pytest

from slowwave.errors import ModelDenied, ModelRejected, ModelUnavailable, PromptTooLong
from slowwave.llm.endpoint.error_mapping import refused_features, translate
from tests.conftest import SHARED
from tests.llm.refusal_cases import CASES

SHARED_CASES = SHARED.parent / "cases" / "overflow-and-account-errors.tsv"


def refusal(status: int, body: Any) -> anthropic.APIStatusError:
    """The error that the SDK raises for an answer of an endpoint."""
    client = anthropic.Anthropic(api_key="none", base_url="http://127.0.0.1:9")
    request = httpx2.Request("POST", "http://127.0.0.1:9/v1/messages")
    if isinstance(body, str):
        response = httpx2.Response(status, text=body, request=request)
    else:
        response = httpx2.Response(status, json=body, request=request)
    error = client._make_status_error_from_response(response)
    client.close()
    return error


def found(status: int, body: Any) -> str:
    error = refusal(status, body)
    said = translate(error)
    if isinstance(said, PromptTooLong):
        return "long"
    if isinstance(said, ModelDenied):
        kinds = {"wrong_key": "key", "not_found": "model"}
        return kinds.get(said.reason, "account")
    if isinstance(said, ModelUnavailable):
        return "retry"
    assert isinstance(said, ModelRejected)
    if said.reason == "output_limit":
        return "room"
    features = refused_features(said)
    return "/".join(features) if features else "session"


@pytest.mark.parametrize(("status", "body", "meaning"), CASES, ids=[f"{n}-{row[2]}" for n, row in enumerate(CASES)])
def test_a_refusal_is_understood(status: int, body: Any, meaning: str) -> None:
    assert meaning in found(status, body).split("/")


RIGHT = {
    "too long": {"long"},
    "run stops: account": {"account", "key"},
    "run stops: model": {"model"},
    "asked again without it": {"effort"},
    "asked again with less": {"room"},
    "retry": {"retry"},
}


def test_the_shared_cases() -> None:
    if not SHARED_CASES.is_file():
        pytest.skip("the shared cases are not here")
    with SHARED_CASES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    wrong = {}
    for row in rows:
        body = {"type": "error", "error": {"type": "api_error", "message": row["wording"]}}
        if (was := found(int(row["status"]), body)) not in RIGHT[row["right"]]:
            wrong[row["id"]] = was
    assert rows and wrong == {}
