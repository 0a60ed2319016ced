"""Turn what a provider does into our errors, each with a reason code of its own.

The rules follow the provider's published error types (`error.type`) and error codes (`error.details.error_code`).

======================  ====================  ===================================================================
reason                  error                 when
======================  ====================  ===================================================================
bad_request             ModelRejected         400, 422: the request is malformed for this endpoint
prompt_too_long         PromptTooLong         400 about the prompt's or the context's length
request_too_large       PromptTooLong         413
usage_limit             ModelDenied           400: a limit that the account's owner set is reached
wrong_key               ModelDenied           401
no_credit               ModelDenied           402, or 400 about the credit balance
no_permission           ModelDenied           403
not_found               ModelDenied           404: no such model or no such path at this base URL
redirected              ModelDenied           3xx: the endpoint sends elsewhere; session text does not follow
spend_limit             ModelDenied           429 with a spend limit's error code
rate_limited            ModelUnavailable      429
overloaded              ModelUnavailable      529, and 503
server_error            ModelUnavailable      other 5xx, 408, 409, 499
timeout                 ModelUnavailable      no whole answer before the deadline
connection              ModelUnavailable      refused, reset, or cut off in the middle of the answer
invalid_response        ModelUnavailable      200 with something that is not a message
======================  ====================  ===================================================================
"""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Mapping
from typing import Any

import anthropic
import httpx2

from slowwave.errors import ModelDenied, ModelError, ModelRejected, ModelUnavailable, PromptTooLong
from slowwave.llm.endpoint.capabilities import Feature
from slowwave.llm.endpoint.parsing import bounded
from slowwave.llm.endpoint.wordings import Meaning, meaning_of, named_features
from slowwave.text.hygiene import clean_line

LONGEST_MESSAGE = 400
LONGEST_RETRY_AFTER = 86_400.0

_STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_SPEND_CODES = frozenset({"enforced_spend_limit_reached", "contract_spend_limit_reached"})
_DENIED = {
    Meaning.WRONG_KEY: ("wrong_key", "The provider refuses the API key",
                        "Check the key in the environment variable of apiKeyEnv."),
    Meaning.NO_CREDIT: ("no_credit", "The account has no credit; the provider wants to be paid first",
                        "Add credit to the account, then run again; no session lost an attempt."),
    Meaning.USAGE_LIMIT: ("usage_limit", "usage limit reached",
                          "Raise the limit of the account or the key, or wait until it is reset."),
    Meaning.NO_PERMISSION: ("no_permission", "The key may not use this model",
                            "Check the account, its region and the key's permissions."),
    Meaning.NO_MODEL: ("not_found", "The endpoint knows no such model or path",
                       "Check models.default.model and baseUrl."),
}  # fmt: skip


def refused_features(error: BaseException) -> tuple[Feature, ...]:
    """The parts of a request that a refusal names, so that it can be asked again without them."""
    cause = error.__cause__ if isinstance(error, ModelError) else error
    if not isinstance(cause, anthropic.APIStatusError) or cause.status_code not in (400, 404, 422, 501):
        return ()
    return named_features(_words(cause))


def was_worked_on(error: Exception) -> bool:
    """Tell whether an endpoint may have begun to answer before a call failed: then it is likely to bill for it."""
    if isinstance(error, anthropic.APITimeoutError | TimeoutError):
        return True
    if isinstance(error, anthropic.APIConnectionError):
        return not isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError)
    return isinstance(error, ModelUnavailable) and error.reason == "invalid_response" and "web page" not in str(error)


def translate(error: Exception) -> ModelError:
    """Return our error for one that the SDK or the transport raised. An error of ours comes back as it is."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, anthropic.APITimeoutError | TimeoutError):
        return ModelUnavailable("the endpoint gave no whole answer in time", reason="timeout")
    if isinstance(error, anthropic.APIStatusError):
        return _from_status(error)
    if isinstance(error, anthropic.APIConnectionError):
        return ModelUnavailable("the connection failed or broke off", reason="connection")
    if isinstance(error, anthropic.APIResponseValidationError | json.JSONDecodeError | UnicodeDecodeError):
        return ModelUnavailable("the endpoint answered with something that is no message", reason="invalid_response")
    if isinstance(error, TypeError) and "authentication" in str(error):
        return ModelDenied("no API key is configured", hint="Set ANTHROPIC_API_KEY.", reason="wrong_key")
    return ModelUnavailable(f"the call failed: {type(error).__name__}", reason="connection")


def translate_told(told: Mapping[str, object], request: httpx2.Request | None = None) -> ModelError:
    """Return our error for an error object that came without a status of its own: in a batch, or under status 200."""
    kind, code = str(told.get("type")), told.get("code")
    named = code if isinstance(code, int) and 400 <= code < 600 else None
    status = named or _STATUS_OF.get(kind, 400 if "invalid" in kind else 500)
    request = request or httpx2.Request("POST", "http://batch.invalid")
    response = httpx2.Response(status, request=request)
    return _from_status(anthropic.APIStatusError("told", response=response, body={"error": dict(told)}))


def _from_status(error: anthropic.APIStatusError) -> ModelError:
    status = error.status_code
    said = f"{status}: {_message(error)}"
    if 300 <= status < 400:
        return ModelDenied(f"the endpoint redirects elsewhere ({status})", hint="Correct baseUrl.", reason="redirected")
    if status == 429 and _code(error) in _SPEND_CODES:
        hint = "The account's spend limit is reached; raise it or wait until it is reset."
        return ModelDenied(f"spend limit reached ({said})", hint=hint, reason="spend_limit")
    meaning = meaning_of(status, _words(error))
    if meaning in _DENIED:
        reason, text, hint = _DENIED[meaning]
        return ModelDenied(f"{text} ({said})", hint=hint, reason=reason)
    if meaning is Meaning.TOO_LONG:
        reason = "request_too_large" if status == 413 else "prompt_too_long"
        return _caused(PromptTooLong(f"the prompt is too long ({said})", reason=reason), error)
    if meaning is Meaning.LESS_ROOM:
        hint = "Lower models.default.maxOutputTokens."
        return _caused(ModelRejected(f"the output limit is too high ({said})", hint=hint, reason="output_limit"), error)
    return _caused(_by_status(error, said), error)


def _by_status(error: anthropic.APIStatusError, said: str) -> ModelError:
    status = error.status_code
    if status == 404 and not refused_features(error):
        where = error.request.url
        reason, text, hint = _DENIED[Meaning.NO_MODEL]
        return ModelDenied(f"{text}: {where} ({said})", hint=hint, reason=reason)
    if status == 429:
        return ModelUnavailable(f"rate limited ({said})", reason="rate_limited", retry_after=retry_after(error))
    if status in (503, 529):
        return ModelUnavailable(f"overloaded ({said})", reason="overloaded", retry_after=retry_after(error))
    if status == 501 or status in (400, 404, 422):
        return ModelRejected(f"bad request ({said})", reason="bad_request")
    if status >= 500 or status in (408, 409, 425, 499):
        return ModelUnavailable(f"server error ({said})", reason="server_error", retry_after=retry_after(error))
    return ModelRejected(f"refused ({said})", reason="bad_request")


def _caused(made: ModelError, by: BaseException) -> ModelError:
    made.__cause__ = by
    return made


def _code(error: anthropic.APIStatusError) -> str:
    details = getattr(error, "details", None)
    code = getattr(error, "error_code", None) or (details.get("error_code") if isinstance(details, dict) else None)
    return str(code or "")


def retry_after(error: anthropic.APIStatusError) -> float | None:
    """The seconds that the provider asks to wait, at most a day; None when it names none or nonsense."""
    headers = error.response.headers
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        wait = float(milliseconds) / 1000 if milliseconds else float(seconds or "nan")
    except ValueError:
        try:
            wait = email.utils.parsedate_to_datetime(seconds or "").timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return min(max(wait, 0.0), LONGEST_RETRY_AFTER) if wait == wait else None


def _body(error: anthropic.APIStatusError) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a refusal's body holds and its inner part, untrusted as any answer; empty where they are no objects."""
    body = bounded(error.body)
    inner = body.get("error") if isinstance(body, dict) else None
    return (body if isinstance(body, dict) else {}), (inner if isinstance(inner, dict) else {})


def _message(error: anthropic.APIStatusError) -> str:
    body, inner = _body(error)
    said = inner.get("message") or body.get("message")
    text = said if isinstance(said, str) else str(bounded(body.get("error") or error.body) or error.message)
    return clean_line(text, LONGEST_MESSAGE)


def _words(error: anthropic.APIStatusError) -> str:
    """All that a refusal says: its message, its type and its code, wherever the provider puts them."""
    body, inner = _body(error)
    keys = ("code", "type", "error_type", "detail")
    named = [str(part[key]) for part in (inner, body) for key in keys if part.get(key)]
    message = _message(error)
    return " ".join([message, *(name for name in named if name not in ("error", message))])[: 2 * LONGEST_MESSAGE]
