import re

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.render.escape import foreign
from generator.render.marking import with_names, with_values

_TEXT = st.text(st.sampled_from("aZ中5９7 .%-:/，（<&\u202e"), max_size=20)


def test_names_and_values() -> None:
    assert with_names("p95 of C-1: 12 <b>") == (
        '<span class="ref">p95</span> of <span class="ref">C-1</span>: 12 &lt;b&gt;'
    )
    assert with_values("至多 3 步，95%") == '至多 <span class="ref">3</span> 步，<span class="ref">95%</span>'


def test_line_breaks_are_no_lines_of_markdown() -> None:
    for marked in (with_names, with_values):
        assert marked("a\n\n```\nb<") == "a&#10;&#10;```&#10;b&lt;"


def test_code_points_of_what_cannot_be_seen_are_names() -> None:
    for marked in (with_names, with_values):
        assert marked("a\u202e<") == 'a<span class="ref">⟦U+202E⟧</span>&lt;'


@given(_TEXT)
@settings(deadline=None, database=None, derandomize=True, max_examples=200)
def test_marks_change_no_text(text: str) -> None:
    for marked in (with_names, with_values):
        assert re.sub(r'<span class="ref">|</span>', "", str(marked(text))) == str(foreign(text))


@given(_TEXT)
@settings(deadline=None, database=None, derandomize=True, max_examples=200)
def test_no_digit_of_a_configured_value_is_left_out(text: str) -> None:
    rest = re.sub(r'<span class="ref">.*?</span>', "", str(with_values(text)))
    assert not re.search(r"\d", rest)
