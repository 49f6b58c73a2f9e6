"""Cutting, hashing, offsets."""

import hashlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.assertions import Assertion, Attribution, hit, miss
from generator.model.projection import ProjectedField
from generator.project import encode
from generator.project.redact import Placeholders
from generator.project.shown import Shown, show
from generator.project.treat import cut, shown_json, treat_text
from tests.project.build import project, redactor, run_of, whitelist

EMAIL = "li.lei" + "@" + "example.com"
HIDDEN = "⟦已脱敏：邮箱⟧"
repeatable = settings(deadline=None, database=None, derandomize=True, max_examples=150)


def answer_limit() -> int:
    (field,) = [field for field in whitelist().fields if field.field == "answer"]
    assert field.limit is not None
    return field.limit


def answer_of(text: str) -> dict[str, Any]:
    answer = project(run_of(answer=text)).answer
    assert answer is not None
    return answer


def test_a_short_text_has_no_hash() -> None:
    assert answer_of("x" * 63) == {"text": "x" * 63, "truncated": False, "length": 63, "sha256": None}


def test_a_longer_text_has_the_hash_of_what_is_shown() -> None:
    raw = f"{EMAIL} " + "x" * 70
    answer = answer_of(raw)
    shown = f"{HIDDEN} " + "x" * 70
    assert answer["text"] == shown
    assert answer["length"] == len(shown)
    assert answer["sha256"] == hashlib.sha256(shown.encode()).hexdigest()


def test_a_long_text_is_cut_and_says_so() -> None:
    raw = "长" * (answer_limit() + 5)
    answer = answer_of(raw)
    assert answer["text"] == "长" * answer_limit()
    assert answer["truncated"]
    assert answer["length"] == answer_limit() + 5
    assert answer["sha256"] == hashlib.sha256(raw.encode()).hexdigest()


def test_a_cut_makes_no_secret_of_something_longer() -> None:
    # Thirty digits are no card number; the first sixteen of them are the form of one.
    digits = "4111" + "1111" * 3 + "12345678901234"
    assert answer_of(f"no {digits}")["text"] == f"no {digits}"
    before = "长" * (answer_limit() - 17) + " "
    answer = answer_of(before + digits)
    assert answer["text"] == before
    assert answer["truncated"]


@pytest.mark.parametrize("value", ["hunter2", "a b", 'quo"te', 20261120])
def test_what_stands_under_the_name_of_a_secret_is_hidden(value: Any) -> None:
    arguments = {"user": "li", "password": value, "opts": [{"api_key": [value], "password_set": True}]}
    trace = [{"kind": "tool", "tool": "login", "arguments": arguments}]
    evidence = project(run_of(trace=trace))
    hidden = "⟦已脱敏：口令⟧"
    assert evidence.trace is not None
    assert evidence.trace[0]["arguments"] == {
        "user": "li",
        "password": hidden,
        "opts": [{"api_key": [hidden], "password_set": True}],
    }
    assert evidence.source.redactions == {"password": 2}


def test_a_name_of_a_secret_without_a_value_hides_nothing() -> None:
    arguments = {"password": None, "secret": True, "api_key": "", "token_count": 5}
    evidence = project(run_of(trace=[{"kind": "tool", "tool": "login", "arguments": arguments}]))
    assert evidence.trace is not None
    assert evidence.trace[0]["arguments"] == arguments


def test_a_cut_leaves_no_half_of_a_mark() -> None:
    assert cut("abc⟦U+202E⟧def", 6) == "abc"
    assert cut("abc⟦U+202E⟧def", 11) == "abc⟦U+202E⟧"
    assert cut("abc", 3) == "abc"


def test_a_secret_across_the_cut_is_replaced_before_it() -> None:
    raw = "x" * (answer_limit() - 4) + " " + EMAIL
    text = answer_of(raw)["text"]
    assert "li" not in text


@pytest.mark.parametrize("treatment", ["summarise", "hash"])
def test_null_and_plain_texts(treatment: Any) -> None:
    field = ProjectedField(field="trace[].error", path="trace[].error", type="json", treatment=treatment, limit=3)
    treated = treat_text(Shown("abcdef"), field.treatment, field.limit, Placeholders(redactor(), ()))
    assert treated["text"] == ("abc" if treatment == "summarise" else None)
    assert treated["truncated"]


def test_secrets_inside_arguments_are_replaced_in_keys_numbers_and_texts() -> None:
    phone = int("138" + "0013" + "8000")
    arguments = {EMAIL: [phone, 5, 12345678.5, True, None], "note": f"to {EMAIL}"}
    evidence = project(run_of(trace=[{"kind": "tool", "tool": "t", "arguments": arguments}]))
    assert evidence.trace is not None
    assert evidence.trace[0]["arguments"] == {
        HIDDEN: ["⟦已脱敏：电话⟧", 5, 12345678.5, True, None],
        "note": f"to {HIDDEN}",
    }
    assert evidence.source.redactions == {"email": 2, "phone": 1}


def test_one_value_has_one_placeholder_wherever_the_run_says_it() -> None:
    other = "han.mei" + "@" + "example.org"
    step = {
        "kind": "tool",
        "tool": f"mail {other}",
        "arguments": {"to": [EMAIL, other]},
        "result": {"sent": other},
        "error": f"{EMAIL} bounced",
    }
    evidence = project(run_of(answer=f"{other}, not {EMAIL}", trace=[step]))
    assert evidence.trace is not None
    assert evidence.answer is not None
    first, second = evidence.trace[0]["arguments"]["to"]
    assert {first, second} == {HIDDEN, "⟦已脱敏：邮箱 2⟧"}
    assert evidence.trace[0]["tool"] == f"mail {second}"
    assert evidence.trace[0]["summary"]["text"] == f'{{"sent":"{second}"}}'
    assert evidence.trace[0]["error"]["text"] == f"{first} bounced"
    assert evidence.answer["text"] == f"{second}, not {first}"
    assert evidence.source.redactions == {"email": 7}


def test_another_run_begins_to_number_again() -> None:
    for said in (EMAIL, "han.mei" + "@" + "example.org"):
        assert answer_of(said)["text"] == HIDDEN


def test_two_keys_that_look_alike_both_stay() -> None:
    placeholders = Placeholders(redactor(), redactor().all)
    assert shown_json({"a\u200b": 1, "a⟦U+200B⟧": 2}, placeholders) == {"a⟦U+200B⟧": 1, "a⟦U+27E6⟧U+200B⟧": 2}


def test_deep_arguments_become_text() -> None:
    deep: Any = "end"
    for _ in range(300):
        deep = [deep]
    evidence = project(run_of(answer=EMAIL, trace=[{"kind": "tool", "tool": "t", "arguments": deep}]))
    assert b"end" in encode(evidence)


def details_of(raw: str, **detail: Any) -> dict[str, Any]:
    assertion: Assertion = miss(**detail)
    return project(run_of(answer=raw), {"m": assertion}).assertions["m"].detail


def test_offsets_follow_the_shown_answer() -> None:
    raw = f"a\u202eb {EMAIL} 777 end"
    start = raw.index("777")
    span = details_of(raw, unmatched=[{"text": "777", "start": start, "end": start + 3}])["unmatched"]
    shown = answer_of(raw)["text"]
    assert shown == f"a⟦U+202E⟧b {HIDDEN} 777 end"
    assert [shown[item["start"] : item["end"]] for item in span] == ["777"]


def test_an_offset_inside_a_secret_covers_its_placeholder_and_its_text_is_hidden() -> None:
    email = "li3818" + "@" + "example.com"
    raw = f"mail {email} now"
    start = raw.index("3818")
    (span,) = details_of(raw, unmatched=[{"text": "3818", "start": start, "end": start + 4}])["unmatched"]
    shown = answer_of(raw)["text"]
    assert shown[span["start"] : span["end"]] == HIDDEN
    assert span["text"] == HIDDEN


def test_an_offset_behind_the_cut_is_dropped() -> None:
    raw = "x" * answer_limit() + " 777"
    (span,) = details_of(raw, unmatched=[{"text": "777", "start": len(raw) - 3, "end": len(raw)}])["unmatched"]
    assert span == {"text": None, "start": None, "end": None}


def test_texts_behind_the_cut_are_counted_and_not_shown() -> None:
    raw = "x" * (answer_limit() - 3) + " SECRET-OF-THE-REST"
    start = raw.index("SECRET")
    details = details_of(
        raw,
        violations=[
            {"text": raw[start:], "start": start, "end": len(raw)},
            {"text": raw[start:], "span": [start, len(raw)]},
            {"text": raw[start:], "spans": [[0, 1], [start, len(raw)]]},
            {"text": "xx", "start": 0, "end": 2},
        ],
    )
    assert [item["text"] for item in details["violations"]] == [None, None, None, "xx"]
    assert "SECRET" not in str(details)


@repeatable
@given(st.text(st.sampled_from("a7\u202e\u200b⟦ "), max_size=12), st.text(max_size=8), st.text(max_size=8))
def test_offsets_agree_for_any_text(before: str, middle: str, after: str) -> None:
    raw = f"{before} {EMAIL} {middle} {after}"
    placeholders = Placeholders(redactor(), redactor().all)
    shown = show(raw, placeholders)
    for start in range(len(raw)):
        piece = show(raw[start], Placeholders(redactor(), redactor().all)).text
        found = shown.text[shown.start(start) : shown.end(start + 1)]
        assert found == piece or HIDDEN in found


def test_details_and_attribution_are_shown_like_the_run() -> None:
    run = run_of(trace=[{"kind": "tool", "tool": "evil\u202e", "arguments": {}}])
    attribution = [Attribution(layer="hallucinated_tool_rate", metric="hallucinated_tool_rate", entries=["evil\u202e"])]
    evidence = project(run, {"hallucinated_tool_rate": hit(unknown=["evil\u202e"], calls=1)}, attribution)
    assert evidence.assertions["hallucinated_tool_rate"].detail == {"unknown": ["evil⟦U+202E⟧"], "calls": 1}
    assert evidence.attribution[0].entries == ["evil⟦U+202E⟧"]
    assert evidence.source.redactions == {}


@repeatable
@given(st.text(), st.text(), st.text())
def test_any_run_can_be_encoded(answer: str, name: str, key: str) -> None:
    run = run_of(
        run_id=f"r{name}",
        answer=answer + "\udc80",
        trace=[{"kind": "tool", "tool": name, "arguments": {key: answer}, "result": {key: "\ud800"}}],
    )
    data = encode(project(run, {"m": miss(text=answer)}))
    data.decode()
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1
