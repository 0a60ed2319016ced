"""What endpoints say when they refuse a request: status, body, and what it means for the run.

`long`: this prompt must shrink. `room`: the output limit must shrink. `account`, `model`, `key`: every call would meet
it, the run stops. `retry`: may pass later. A feature's name: asked again without it. `session`: this request alone.
"""

from __future__ import annotations

from typing import Any


def anthropic(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def openai(message: str, code: str | None = None, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def google(status: int, message: str, kind: str = "INVALID_ARGUMENT") -> dict[str, Any]:
    return {"error": {"code": status, "message": message, "status": kind}}


CASES: tuple[tuple[int, Any, str], ...] = (
    # the prompt is too long
    (400, anthropic("prompt is too long: 1043112 tokens > 1000000 maximum"), "long"),
    (400, anthropic("input length and `max_tokens` exceed context limit: 196000 + 8000 > 200000"), "long"),
    (400, openai("Please reduce the length of the messages or completion.", "context_length_exceeded"), "long"),
    (400, openai("This model's maximum prompt length is 131072 but the request contains 140210 tokens."), "long"),
    (400, openai("too large for model with 32768 maximum context length"), "long"),
    (400, openai("Prompt contains 40013 tokens, too large for this model's 32768 token window"), "long"),
    (400, {"message": "too many tokens: size limit exceeded by 312 tokens. Try using shorter or fewer inputs."}, "long"),
    (400, {"message": "ValidationException: Too many input tokens. Max input tokens: 8192, got: 9120"}, "long"),
    (400, google(400, "Unable to submit request because the input token count is 40000 but the model only supports up"
                      " to 32768."), "long"),
    (400, {"error": {"code": 400, "message": "the request exceeds the available context size", "n_ctx": 4096}}, "long"),
    (400, {"error": "prompt too long; exceeded max context length by 204 tokens"}, "long"),
    (400, {"error": "Trying to keep the first 9000 tokens when context overflows. The model is loaded with context"
                    " length of only 4096 tokens."}, "long"),
    (400, {"object": "error", "message": "The decoder prompt (length 5210) is longer than the maximum model length of"
                                         " 4096."}, "long"),
    (422, {"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs`"
                    " tokens and 8000 `max_new_tokens`", "error_type": "validation"}, "long"),
    (400, openai("The input (9120 tokens) is longer than the model's context length (8192 tokens)."), "long"),
    (400, openai("Your request exceeded model token limit: 262144 (requested: 279872)"), "long"),
    (400, {"error": {"code": "1261", "message": "Prompt exceeds max length"}}, "long"),
    (400, openai("prompt token count of 135000 exceeds the limit of 128000", "model_max_prompt_tokens_exceeded"), "long"),
    (400, openai("Requested tokens (5321) exceed context window of 4096"), "long"),
    (400, {"error": {"message": "输入长度超过模型的最大上下文长度"}}, "long"),
    (413, "<html><h1>413 Request Entity Too Large</h1></html>", "long"),
    (413, openai("Request too large for model on tokens per minute (TPM): Limit 6000, Requested 7120"), "long"),
    (429, openai("Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 41000. The input or"
                 " output tokens must be reduced in order to run successfully."), "long"),
    (500, {"error": "litellm.BadRequestError: prompt is longer than the context window"}, "long"),
    (503, openai("input tokens exceed the configured limit of 65536 tokens", "string_above_max_length"), "long"),
    # the output limit is too large
    (400, anthropic("max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens"), "room"),
    (400, openai("max_tokens is too large: 8000. This model supports at most 4096 completion tokens."), "room"),
    (400, openai("Invalid max_tokens value, the valid range of max_tokens is [1, 4096]"), "room"),
    (422, openai("`max_tokens` must be less than or equal to `4096`"), "room"),
    # the account
    (429, openai("You exceeded your current quota, please check your plan and billing details.", "insufficient_quota",
                 "insufficient_quota"), "account"),
    (400, openai("Billing hard limit has been reached", "billing_hard_limit_reached"), "account"),
    (402, openai("Insufficient Balance"), "account"),
    (402, openai("This request requires more credits, or fewer max_tokens."), "account"),
    (403, openai("Key limit exceeded (total limit). Manage it in the dashboard."), "account"),
    (429, openai("Your account is suspended because of an unpaid invoice", "exceeded_current_quota_error"), "account"),
    (429, {"error": {"code": "1113", "message": "余额不足，请充值"}}, "account"),
    (400, {"code": "Arrearage", "message": "Access denied, please make sure your account is in good standing."}, "account"),
    (400, openai("ExceededBudget: team=research over budget. Spend: 52.1, Budget: 50.0", "400", "budget_exceeded"), "account"),
    (400, openai("Virtual key over its max budget"), "account"),
    (400, anthropic("This organization has been disabled."), "account"),
    (403, openai("Your account has been deactivated", "account_deactivated"), "account"),
    (400, anthropic("You have reached your specified workspace API usage limits."), "account"),
    (429, openai("Your team has used all available credits or reached its monthly spending limit."), "account"),
    (403, google(403, "This API method requires billing to be enabled.", "PERMISSION_DENIED"), "account"),
    (500, openai("upstream said: insufficient_quota"), "account"),
    (400, google(400, "User location is not supported for the API use.", "FAILED_PRECONDITION"), "account"),
    (403, openai("Country, region, or territory not supported", "unsupported_country_region_territory"), "account"),
    # the key
    (401, openai("Incorrect API key provided"), "key"),
    (400, google(400, "API key not valid. Please pass a valid API key."), "key"),
    (403, anthropic("Your API key does not have permission to use the specified resource.", "permission_error"), "account"),
    # the model
    (404, anthropic("model: claude-unheard-of", "not_found_error"), "model"),
    (404, openai("The model `gpt-9` does not exist or you do not have access to it.", "model_not_found"), "model"),
    (404, {"error": "model 'qwen9:4b' not found, try pulling it first"}, "model"),
    (400, openai("The model `llama-2` has been decommissioned and is no longer supported.", "model_decommissioned"), "model"),
    (400, {"object": "error", "message": "Invalid model: tiny-latest", "code": "1500"}, "model"),
    (400, {"message": "The provided model identifier is invalid."}, "model"),
    (400, {"message": "Invocation of model ID x.y with on-demand throughput isn’t supported."}, "model"),
    (404, {"message": "This model version has reached the end of its life."}, "model"),
    (404, google(404, "models/tiny is not found for API version v1, or is not supported for this call", "NOT_FOUND"), "model"),
    (400, openai("The requested model is not supported.", "model_not_supported"), "model"),
    (403, openai("Project does not have access to model gpt-9", "model_not_found"), "model"),
    (500, openai("No deployments available for the selected model, unknown model group"), "model"),
    (400, anthropic("Unsupported model: tiny"), "model"),
    (400, anthropic("Claude Tiny is deprecated and was shut down last week; migrate to a newer model"), "model"),
    # may pass
    (429, anthropic("Number of requests has exceeded your per-minute rate limit", "rate_limit_error"), "retry"),
    (429, openai("Rate limit reached for requests per min (RPM): Limit 3, Used 3. Please try again in 20s."), "retry"),
    (429, google(429, "Quota exceeded for metric 'requests per minute' and limit 'per minute per region'",
                 "RESOURCE_EXHAUSTED"), "retry"),
    (429, "Too Many Requests", "retry"),
    (500, anthropic("Internal server error", "api_error"), "retry"),
    (502, "<html>Bad gateway</html>", "retry"),
    (503, google(503, "The model is overloaded. Please try again later.", "UNAVAILABLE"), "retry"),
    (529, anthropic("Overloaded", "overloaded_error"), "retry"),
    (500, {"error": "model runner has unexpectedly stopped"}, "retry"),
    (503, {"error": {"message": "Loading model", "code": 503}}, "retry"),
    # a part of the request that this endpoint does not take
    (400, anthropic("output_config.effort: Extra inputs are not permitted"), "effort"),
    (400, openai("reasoning_effort is not supported with this model", "unsupported_parameter"), "effort"),
    (400, openai("Invalid schema for response_format 'answer'"), "structured_output"),
    (422, {"detail": [{"loc": ["body", "output_config", "format"], "msg": "extra fields not permitted"}]},
     "structured_output"),
    (404, openai("No endpoints found that support the requested parameters: structured_outputs"), "structured_output"),
    (400, anthropic("system: Input should be a valid string"), "system_list"),
    (400, openai("Unknown field: cache_control"), "caching"),
    (400, anthropic("thinking: adaptive thinking is not supported on this model"), "thinking"),
    # this request alone
    (400, anthropic("messages.0.content: text content blocks must be non-empty"), "session"),
    (400, openai("Your prompt was flagged as violating our usage policy", "content_policy_violation"), "session"),
)  # fmt: skip
