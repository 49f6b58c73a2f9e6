"""Every pattern of `data/redaction.yaml`: what it replaces and what it leaves. All values are made up here."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.base import Text
from generator.model.tools import Redaction, RedactionPattern
from generator.project.redact import Placeholders, Redactor, cn_identity, luhn
from generator.project.shown import show
from tests.project.build import redactor

# Put together here, so that no scanner takes this file for a leak.
KEY = "sk-" + "proj" + "Ab3" * 10
TOKEN = ".".join(["ey" + "J" + "hbGciOi" * 2, "eyJ" + "zdWIiOi" * 2, "c2ln" * 4])
PRIVATE = "-----BEGIN " + "PRIVATE KEY-----\nMIIB\nxyz=\n-----END " + "PRIVATE KEY-----"
CARD = "4111" + "1111" * 3
IDENTITY = "11010519491231" + "002X"
MOBILE = "138" + "0013" + "8000"
EMAIL = "li.lei" + "@" + "example.com"

SHOWN = [
    ("private_key", f"key: {PRIVATE} end", "key: ⟦已脱敏：私钥⟧ end"),
    ("private_key", PRIVATE[:40], "⟦已脱敏：私钥⟧"),
    ("provider_key", f"use {KEY}.", "use ⟦已脱敏：服务密钥⟧."),
    ("provider_key", "AKI" + "A" + "Z" * 16, "⟦已脱敏：服务密钥⟧"),
    ("provider_key", "gh" + "p_" + "a1B2" * 9, "⟦已脱敏：服务密钥⟧"),
    ("provider_key", "sk-ant-" + "api03-" + "Xy9_" * 8, "⟦已脱敏：服务密钥⟧"),
    ("provider_key", "AI" + "za" + "Sy0" + "aB3-" * 8, "⟦已脱敏：服务密钥⟧"),
    ("provider_key", "LT" + "AI5t" + "Ab3d" * 4, "⟦已脱敏：服务密钥⟧"),
    ("provider_key", "h" + "f_" + "aBcD" * 8, "⟦已脱敏：服务密钥⟧"),
    ("provider_key", "github" + "_pat_" + "11AB_" * 6, "⟦已脱敏：服务密钥⟧"),
    ("provider_key", "xo" + "xb-" + "1234-5678-abcd", "⟦已脱敏：服务密钥⟧"),
    (
        "provider_key",
        "https://hooks.slack.com/services/" + "T0/B0/" + "ab12" * 5,
        "https://hooks.slack.com/services/⟦已脱敏：服务密钥⟧",
    ),
    ("web_token", TOKEN, "⟦已脱敏：网络令牌⟧"),
    ("web_token", f"jwt_{TOKEN}", "jwt_⟦已脱敏：网络令牌⟧"),
    ("web_token", TOKEN.rsplit(".", 1)[0] + "/x", "⟦已脱敏：网络令牌⟧/x"),
    ("token", "Authorization: Bearer " + "a1" * 12, "Authorization: Bearer ⟦已脱敏：令牌⟧"),
    ("password", "password=" + "hunter22", "password=⟦已脱敏：口令⟧"),
    ("password", '{"api_key":"' + "abc-def-1" + '"}', '{"api_key":"⟦已脱敏：口令⟧"}'),
    ("password", "aws_secret_access_key = " + "wJalr/K7MD" * 4, "aws_secret_access_key = ⟦已脱敏：口令⟧"),
    ("password", "AccessKeySecret: " + "q1w2e3r4t5", "AccessKeySecret: ⟦已脱敏：口令⟧"),
    ("password", "密码：" + "open2026", "密码：⟦已脱敏：口令⟧"),
    ("url_password", "postgres://app:" + "s3cret" + "@db/x", "postgres://app:⟦已脱敏：网址口令⟧@db/x"),
    ("email", EMAIL.replace("@", "＠"), "⟦已脱敏：邮箱⟧"),
    ("email", f"写给{EMAIL}，谢谢", "写给⟦已脱敏：邮箱⟧，谢谢"),
    ("cn_identity", f"证件{IDENTITY}。", "证件⟦已脱敏：身份证号⟧。"),
    ("bank_card", f"卡号 {CARD}", "卡号 ⟦已脱敏：银行卡号⟧"),
    ("bank_card", "4111 " + "1111 " * 2 + "1111", "⟦已脱敏：银行卡号⟧"),
    ("bank_card", "3782 " + "822463 " + "10005", "⟦已脱敏：银行卡号⟧"),
    ("bank_card", "4111 " + "1111 " * 2 + "1111 12 件", "⟦已脱敏：银行卡号⟧ 12 件"),
    ("phone", "１３８" + "００１３８０００", "⟦已脱敏：电话⟧"),
    ("phone", "86 138" + "00138000", "⟦已脱敏：电话⟧"),
    ("phone", f"打{MOBILE}", "打⟦已脱敏：电话⟧"),
    ("phone", "+86 138 " + "0013 8000", "⟦已脱敏：电话⟧"),
    ("phone", "0755-" + "86012345", "⟦已脱敏：电话⟧"),
    ("phone", "+44 20 " + "7946 0958", "⟦已脱敏：电话⟧"),
    ("phone", "(555) " + "234-5678", "⟦已脱敏：电话⟧"),
    ("private_address", "at 192.168." + "1.20:8080", "at ⟦已脱敏：内网地址⟧:8080"),
    ("private_address", "10.0." + "0.7", "⟦已脱敏：内网地址⟧"),
    ("private_address", "fd12:" + "3456:789a::1", "⟦已脱敏：内网地址⟧"),
    ("home_path", "/home/" + "lilei/x.py", "/home/⟦已脱敏：用户目录⟧/x.py"),
    ("home_path", "/home/" + "\ue000lilei/x", "/home/⟦已脱敏：用户目录⟧/x"),
    ("home_path", "/home/" + "⟦lilei/x", "/home/⟦已脱敏：用户目录⟧/x"),
    ("home_path", "C:\\Users\\" + "lilei\\x", "C:\\Users\\⟦已脱敏：用户目录⟧\\x"),
    ("home_path", "C:\\\\Users\\\\" + "lilei\\\\x", "C:\\\\Users\\\\⟦已脱敏：用户目录⟧\\\\x"),
]

LEFT = [
    "the risk-assessment-and-management-plan, task-0123456789abcdef01",
    "sk-learn-is-a-library-for-learning",
    "Basic authentication is required",
    "bearer of good news and more",
    "prompt_tokens: 123456789",
    "the password is required",
    "see https://example.com/a:b@c",
    "@mention and a@b",
    "2026-11-20 09:30:00.123 and 1,234,567,890.12 元",
    "110105194912310021",  # wrong check digit
    "4111" + "1111" * 2 + "1112",  # wrong check digit
    "3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    '{"access_token":null}}}, "password": false, secret: undefined',
    "order 1234567890123 of 12 items",
    "0.1380013800012",
    "id a13800138000",
    "+1234567.5%",
    "version 10.2.3, 172.40.0.1, 8.8.8.8",
    "1.10.0.0.7",
    "12:34:56 fade:x",
    "/homes/x, C:\\Program Files\\x",
    "https://example.com/users/list",
]


NEAR: list[tuple[str, str, str]] = [
    ("private_key", "public key", PRIVATE.replace("PRIVATE", "PUBLIC")),
    ("private_key", "certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"),
    ("provider_key", "OpenAI, one short", "sk-" + "a1" * 7 + "b"),
    ("provider_key", "OpenAI, no digit", "sk-" + "learn-and-more-of-it"),
    ("provider_key", "Anthropic, no digit", "sk-ant-" + "is-not-yet-a-key"),
    ("provider_key", "Google, one short", "AI" + "za" + "Sy0" + "aB3-" * 7 + "abc"),
    ("provider_key", "AWS, one short", "AKI" + "A" + "Z" * 15),
    ("provider_key", "AWS, lower case", "aki" + "a" + "z" * 16),
    ("provider_key", "Aliyun, one short", "LT" + "AI" + "Ab3d" * 2 + "abc"),
    ("provider_key", "Hugging Face, one short", "h" + "f_" + "a1B2c" * 5 + "abcd"),
    ("provider_key", "GitHub, one short", "gh" + "p_" + "a1B2c" * 7),
    ("provider_key", "GitHub, another letter", "gh" + "x_" + "a1B2" * 9),
    ("provider_key", "GitHub, fine-grained, one short", "github" + "_pat_" + "11AB_" * 4 + "a"),
    ("provider_key", "Slack, one short", "xo" + "xb-" + "1234-5678"),
    ("provider_key", "Slack, another letter", "xo" + "xq-" + "1234-5678-abcd"),
    ("provider_key", "Slack, hook without a path", "https://hooks.slack.com/services/" + "T0/B0"),
    ("web_token", "first part one short", "eyJ" + "a1" * 3 + "b." + "zdWIi" * 3 + ".c2ln"),
    ("web_token", "one part", "eyJ" + "hbGciOi" * 4),
    ("token", "bearer, one short", "Bearer " + "a1" * 7 + "b"),
    ("token", "bearer, words", "Bearer of-good-news-and-more"),
    ("password", "one short", "password=" + "12345"),
    ("password", "of a type", "password: text"),
    ("password", "a nothing", "api_key=null"),
    ("url_password", "a port", "https://example.com:8080/a@b"),
    ("url_password", "a name alone", "https://app@" + "db/x"),
    ("email", "no domain", "li.lei" + "@" + "localhost"),
    ("email", "a domain of one letter", "li.lei" + "@" + "example.c"),
    ("cn_identity", "wrong check digit", IDENTITY[:-1] + "1"),
    ("cn_identity", "month 13", "11010519491331" + "0021"),
    ("cn_identity", "a digit more", "9" + IDENTITY),
    ("bank_card", "wrong check digit", CARD[:-1] + "2"),
    ("bank_card", "14 digits", "41111111111114"),
    ("bank_card", "a digit more than a card has", CARD * 2),
    ("phone", "ten digits", MOBILE[:-1]),
    ("phone", "128 is no mobile number", "128" + MOBILE[3:]),
    ("phone", "no country", "+0 20 " + "7946 0958"),
    ("phone", "too short for another country", "+44 " + "7946"),
    ("phone", "too short for a city", "0755-" + "860123"),
    ("private_address", "10 is 11", "11.0." + "0.7"),
    ("private_address", "before 172.16", "172.15." + "0.1"),
    ("private_address", "after 172.31", "172.32." + "0.1"),
    ("private_address", "192.169", "192.169." + "1.20"),
    ("private_address", "five parts", "10.0." + "0.7.1"),
    ("private_address", "a public address", "2001:" + "db8::1"),
    ("home_path", "the folder of all homes", "/home/"),
    ("home_path", "another folder", "/homes/" + "lilei"),
    ("home_path", "another folder of Windows", "C:\\Userspace\\" + "lilei"),
]
"""Pattern, what is missing, text: nearly what the pattern finds."""


def shown(text: str) -> tuple[str, dict[str, int]]:
    placeholders = Placeholders(redactor(), redactor().possible(text))
    return show(text, placeholders).text, placeholders.ordered_counts()


@pytest.mark.parametrize(("pattern", "text", "expected"), SHOWN)
def test_a_secret_is_replaced_and_counted(pattern: str, text: str, expected: str) -> None:
    assert shown(text) == (expected, {pattern: 1})


@pytest.mark.parametrize("text", LEFT)
def test_other_text_stays(text: str) -> None:
    assert shown(text) == (text, {})


@pytest.mark.parametrize(("missing", "text"), [(f"{pattern}: {missing}", text) for pattern, missing, text in NEAR])
def test_what_is_nearly_a_secret_stays(missing: str, text: str) -> None:
    assert shown(f"前 {text} 后") == (f"前 {text} 后", {})


FLOODS = [
    *(
        "AKIA",
        "sk-",
        "sk-a",
        "eyJ",
        "eyJ-",
        "eyJaaaaaaaa.",
        "Bearer ",
        "bearer a",
        "password=",
        "api_key: a1b2c3 ",
        "密码：",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN ",
        "a@",
        "a.",
        "@",
        "a@b.",
        "://",
        "a://a:",
        "a:",
        "1380013 ",
        "4111 ",
    ),
    *(
        "+1 ",
        "+1(",
        "010-",
        "10.",
        "192.168.",
        "fd:",
        "fe80::",
        "/home/",
        "/home/a/",
        "C:\\Users\\",
        "\\",
        "⟦",
        "１",
        "1-",
    ),
    *(
        "11010519491231002X",
        "x" * 64 + "@",
        "a@b.example ",
        "4111111111111111 ",
        "hooks.slack.com/services/a",
        "bce-v3/",
    ),
]


@pytest.mark.parametrize("piece", FLOODS)
def test_time_grows_with_the_length_of_a_text_alone(piece: str) -> None:
    """Whoever writes a text must not choose how long it is searched. The time is far more than is needed, and far less
    than a search takes that grows with the square of the length."""
    text = piece * (300_000 // len(piece))
    started = time.process_time()
    shown(text)
    assert time.process_time() - started < 10


def test_every_pattern_has_tests() -> None:
    patterns = {pattern.id for pattern in redactor().patterns}
    assert patterns == {pattern for pattern, _, _ in SHOWN} == {pattern for pattern, _, _ in NEAR}


def test_hints_hide_no_match() -> None:
    """Without hints and digit counts the same is found in all of these texts together."""
    from dataclasses import replace

    plain = Redactor(Redaction(version=1, patterns=[]))
    plain.patterns = tuple(replace(pattern, hints=(), min_digits=0) for pattern in redactor().patterns)
    for text in [*(text for _, text, _ in SHOWN), *LEFT]:
        assert plain.find(text, tuple(range(len(plain.patterns)))) == redactor().find(text, redactor().all)


def test_the_same_value_has_the_same_placeholder_and_others_are_numbered() -> None:
    other = "han.mei" + "@" + "example.org"
    text, counts = shown(f"{EMAIL} {other} {EMAIL}")
    assert text == "⟦已脱敏：邮箱⟧ ⟦已脱敏：邮箱 2⟧ ⟦已脱敏：邮箱⟧"
    assert counts == {"email": 3}


def test_overlapping_secrets_leave_no_rest() -> None:
    patterns = [
        RedactionPattern(id="late", name=Text(zh="后", en="late"), pattern="cdefgh"),
        RedactionPattern(id="early", name=Text(zh="先", en="early"), pattern="abcdef"),
    ]
    own = Redactor(Redaction(version=1, patterns=patterns))
    placeholders = Placeholders(own, own.all)
    assert show("xabcdefghx", placeholders).text == "x⟦已脱敏：后⟧x"


def test_check_digits() -> None:
    # 7992739871 and the check digit 3: the example of ISO/IEC 7812-1.
    assert [digit for digit in range(10) if luhn(f"7992739871{digit}")] == [3]
    # The example of GB 11643-1999, appendix: 11010519491231002X.
    assert cn_identity(IDENTITY)
    assert not cn_identity(IDENTITY[:-1] + "1")


FRAGMENTS = [
    *(
        EMAIL,
        CARD,
        MOBILE,
        IDENTITY,
        KEY,
        TOKEN,
        PRIVATE,
        PRIVATE[:30],
        "password=" + "hunter22",
        "https://a:" + "pa5s",
    ),
    *("@", ".", "-", " ", "+", "86", "/home/", "li", "://", ":", "0755-", "10.", "192.168.", "fd12:", "::1", "1", "12"),
    *(
        "345",
        "6789",
        "4111 1111 ",
        "sk-",
        "Bearer ",
        '"',
        "'",
        "\n",
        "\u200b",
        "⟦",
        "⟧",
        "，",
        "１３８",
        "＠",
        "x",
        "中",
    ),
]


@settings(deadline=None, database=None, derandomize=True, max_examples=600)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_shown_text_holds_no_secret(text: str) -> None:
    """Whatever is shown passes the leak scan, which looks for the same patterns."""
    clean, _ = shown(text)
    assert redactor().first_left(clean, redactor().all) == len(clean)
