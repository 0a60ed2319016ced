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
import re
import time

import anthropic

from slowwave.errors import ModelDenied, ModelError, ModelRejected, ModelUnavailable, PromptTooLong

LONGEST_MESSAGE = 300
LONGEST_RETRY_AFTER = 86_400.0

_TOO_LONG = re.compile(
    r"prompt is too long|context (?:window|length|size)|maximum context|too many (?:input )?tokens|exceed\w* (?:the )?"
    r"(?:available )?context|input length and .{0,20}max_tokens.{0,20} exceed",
    re.IGNORECASE,
)
_FORMAT_REFUSED = re.compile(r"output_config|output_format|json_schema|grammar|response_format|schema", re.IGNORECASE)
_SPEND_CODES = frozenset({"enforced_spend_limit_reached", "contract_spend_limit_reached"})
_USAGE_LIMIT = "you have reached your specified api usage limits"
_DENIED = {
    401: ("wrong_key", "The provider refuses the API key", "Check the key in the environment variable of apiKeyEnv."),
    402: ("no_credit", "The provider wants to be paid first", "Add credit to the account, then run again."),
    403: ("no_permission", "The key may not use this model", "Check the key's permissions and the model's name."),
    404: ("not_found", "The endpoint knows no such model or path", "Check models.default.model and baseUrl."),
}


def refuses_format(error: BaseException) -> bool:
    """Tell whether a 400 is about structured output, which a server may not offer."""
    return isinstance(error, anthropic.BadRequestError) and bool(_FORMAT_REFUSED.search(_message(error)))


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


def _from_status(error: anthropic.APIStatusError) -> ModelError:
    status, message = error.status_code, _message(error)
    said = f"{status}: {message}"
    if status in _DENIED:
        reason, text, hint = _DENIED[status]
        return ModelDenied(f"{text} ({said})", hint=hint, reason=reason)
    if 300 <= status < 400:
        return ModelDenied(f"the endpoint redirects elsewhere ({status})", hint="Correct baseUrl.", reason="redirected")
    if status == 429:
        return _rate_limited(error, said)
    if status == 413:
        return PromptTooLong(f"the request is too large ({said})", reason="request_too_large")
    if status in (400, 422):
        return _bad_request(message, said)
    if status in (503, 529):
        return ModelUnavailable(f"overloaded ({said})", reason="overloaded", retry_after=retry_after(error))
    if status >= 500 or status in (408, 409, 425, 499):
        return ModelUnavailable(f"server error ({said})", reason="server_error", retry_after=retry_after(error))
    return ModelRejected(f"refused ({said})", reason="bad_request")


def _bad_request(message: str, said: str) -> ModelError:
    lowered = message.lower()
    if _USAGE_LIMIT in lowered:
        hint = "Raise the limit in the provider's console or wait until it is reset."
        return ModelDenied(f"usage limit reached ({said})", hint=hint, reason="usage_limit")
    if "credit balance" in lowered:
        return ModelDenied(f"no credit ({said})", hint="Add credit to the account, then run again.", reason="no_credit")
    if _TOO_LONG.search(message):
        return PromptTooLong(f"the prompt is too long ({said})")
    return ModelRejected(f"bad request ({said})", reason="bad_request")


def _rate_limited(error: anthropic.APIStatusError, said: str) -> ModelError:
    details = getattr(error, "details", None)
    code = getattr(error, "error_code", None) or (details.get("error_code") if isinstance(details, dict) else None)
    if str(code) in _SPEND_CODES:
        hint = "The account's spend limit is reached; raise it or wait until it is reset."
        return ModelDenied(f"spend limit reached ({said})", hint=hint, reason="spend_limit")
    return ModelUnavailable(f"rate limited ({said})", reason="rate_limited", retry_after=retry_after(error))


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


def _message(error: anthropic.APIStatusError) -> str:
    body = error.body
    inner = body.get("error") if isinstance(body, dict) else None
    said = inner.get("message") if isinstance(inner, dict) else None
    text = said if isinstance(said, str) else str(inner or body or error.message)
    return " ".join(text.split())[:LONGEST_MESSAGE]
