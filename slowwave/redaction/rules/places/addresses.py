"""Secrets in URLs, connection strings, HTTP headers and cookies. Standard library only."""

from __future__ import annotations

import re

from slowwave.redaction.rules.places.place import PlaceRule, in_address, random_looking, real
from slowwave.redaction.scan.values import is_code, mixed_case


def _header_value(value: str) -> bool:
    if not real(value) or is_code(value) or value[0] in "&*" or "::" in value or value.endswith(("(", ")", "{")):
        return False
    return mixed_case(value) or not re.fullmatch(r"[A-Za-z_.,()\[\]-]+", value)


def _cookie(value: str) -> bool:
    if "(" in value:
        return False
    pairs = re.findall(r"=([^;\s]*)", value)
    return any(len(item) >= 16 and real(item) and any(map(str.isdigit, item)) for item in pairs)


ADDRESSES: tuple[PlaceRule, ...] = (
    PlaceRule(
        "url-password",
        ("://",),
        r"""://[^\s/:@"'`<>?#\\\x00]{0,128}:(?P<s>[^\s/"'`<>\x00]{1,256}?)
        @(?=(?:[A-Za-z0-9_.$\[{-]|%[0-9A-F]{2}){1,253}(?:[:/?"'`\s)\]}>,;\\\x00]|$))""",
        in_address,
    ),
    PlaceRule(
        "url-token",
        ("://",),
        r"""://(?P<s>[A-Za-z0-9_~.-]{16,255})(?::x-oauth-basic|:)?@(?=[A-Za-z0-9])""",
        random_looking,
    ),
    PlaceRule(
        "authorization",
        ("authorization",),
        r"""authorization
        ["'`\]\\]{0,4}[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'`(\[]{0,2}
        (?:(?:bearer|basic|token|digest|apikey|api-key|key|negotiate|bot|oauth|ssws|splunk|geniekey|discogs|klaviyo-api-key|
        snyk|pulse|hmac|sso-key|x-api-key|api_key|token[ ]token|zoho-oauthtoken)[ \t:=]{1,3})?
        (?P<s>[^\s"'`<>,;\\\x00${]{12,4096})""",
        _header_value,
        ahead=4200,
        fold=True,
    ),
    PlaceRule(
        "bearer",
        ("bearer",),
        r"""bearer[ \t]{1,3}["'`]?(?P<s>[A-Za-z0-9+/=_.~-]{16,4096})""",
        random_looking,
        ahead=4200,
        fold=True,
    ),
    PlaceRule(
        "cookie",
        ("cookie",),
        r"""cookie["'`\\]{0,4}[ \t]{0,2}[:=,][ \t]{0,2}["'`\\]{0,4}(?P<s>[A-Za-z0-9_.-]{1,80}=[^\n\r"'`\x00]{8,4096})""",
        _cookie,
        ahead=4200,
        fold=True,
    ),
    PlaceRule(
        "signature",
        ("signature=", "sig=", "x-amz-security-token=", "hmac=", "x-amz-credential="),
        r"""(?:x-amz-signature|x-goog-signature|signature|sig|x-amz-security-token|hmac|x-amz-credential)=
        (?P<s>[A-Za-z0-9%+/=_-]{20,2048})""",
        random_looking,
        back=8,
        ahead=2100,
        fold=True,
    ),
    PlaceRule(
        "storage-key",
        ("accountkey=", "sharedaccesskey=", "sharedaccesssignature=", "sharedsecret=", "sharedaccesskeyvalue="),
        r"""(?:accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret)=(?P<s>[^;\s"'`\x00]{16,400})""",
        fold=True,
    ),
    PlaceRule(
        "totp-seed",
        ("otpauth://",),
        r"""otpauth://[^\s"'`\x00]{0,300}?[?&]secret=(?P<s>[A-Za-z2-7=]{12,128})""",
    ),
    PlaceRule(
        "connection-secret",
        ("endpoint=https://",),
        r"""endpoint=https://[^;\s]{1,200};(?:id=[^;]{1,100};)?(?:secret|accesskey)=(?P<s>[A-Za-z0-9+/=]{20,200})""",
        fold=True,
    ),
)
