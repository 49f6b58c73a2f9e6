"""Changes to numbers on aggregate evidence, to the register and to claims are found, though manifest and hashes are
renewed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.verify import verify_site
from tests.support.audit_files import OF_BATCH, PASS_RATE, with_audit
from tests.support.once import small_site_once
from tests.verify.forging import Forged, api_disagreements

Json = Any
ENTRY = "api/v1/evidence/e02.json"
NUMBERS = "api/v1/numbers/evidence.json"
LEDGER = "api/v1/claims.json"
MEAN, DEVIATION, P95 = (f"evidence/e02/time_{name}" for name in ("mean", "deviation", "p95"))
QUOTED = "evidence/e02/quoted_median"
ROWS = [[10, 4], [0, 1], [None, 2], [20, 3], [900, 2]]


@pytest.fixture(scope="module")
def audit_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "audited", with_audit)


@pytest.fixture
def forged(audit_site: Path, tmp_path: Path) -> Forged:
    return Forged(audit_site, tmp_path / "site")


def found(forged: Forged) -> list[tuple[str, str]]:
    """Place and kind of everything that verification finds once all hashes are renewed."""
    forged.renew()
    return [(wrong.place, wrong.what) for wrong in verify_site(forged.root).disagreements]


def found_in_api(forged: Forged) -> list[tuple[str, str]]:
    forged.renew()
    return [(wrong.place, wrong.what) for wrong in api_disagreements(forged.root)]


def change(forged: Forged, address: str, edit: Callable[[Json], None]) -> None:
    value = forged.json(address)
    edit(value)
    forged.write_json(address, value)


def number(forged: Forged, name: str, **changes: Json) -> None:
    def edit(numbers: Json) -> None:
        next(entry for entry in numbers if entry["id"] == name).update(changes)

    change(forged, NUMBERS, edit)


def test_what_was_not_changed_agrees(forged: Forged) -> None:
    assert found(forged) == []


def test_a_table_with_the_same_sum_and_another_distribution(forged: Forged) -> None:
    # 4·10 + 3·20 = 100 = 4·25 + 3·0: the mean stays 190, and nothing else does.
    def edit(entry: Json) -> None:
        assert entry["data"]["tables"][0]["rows"] == ROWS
        entry["data"]["tables"][0]["rows"] = [[25, 4], [0, 4], [None, 2], [900, 2]]

    change(forged, ENTRY, edit)
    wrong = found_in_api(forged)
    assert (DEVIATION, "value") in wrong
    assert (DEVIATION, "detail.figures.sum_of_squares") in wrong
    assert (MEAN, "value") not in wrong


def test_a_table_with_the_same_moments_order_and_a_missing_record_less(forged: Forged) -> None:
    def edit(entry: Json) -> None:
        rows = entry["data"]["tables"][0]["rows"]
        rows[2] = [None, 1]

    change(forged, ENTRY, edit)
    wrong = found_in_api(forged)
    assert ("evidence/e02/time_missing", "value") in wrong
    assert (MEAN, "missing") in wrong
    assert (MEAN, "value") not in wrong


def test_a_figure_of_the_evidence(forged: Forged) -> None:
    def edit(entry: Json) -> None:
        next(figure for figure in entry["data"]["figures"] if figure["id"] == "passed")["value"] = 8

    change(forged, ENTRY, edit)
    wrong = found_in_api(forged)
    assert (PASS_RATE, "value") in wrong
    assert (PASS_RATE, "numerator") in wrong
    assert ("evidence/e02/gap", "value") in wrong


def test_a_printed_figure(forged: Forged) -> None:
    """The page says that it agrees with the number."""

    def edit(entry: Json) -> None:
        next(one for one in entry["data"]["numbers"] if one["said"] is not None)["said"] = "99.9"

    change(forged, ENTRY, edit)
    assert "said" in {what for _, what in found_in_api(forged)}


@pytest.mark.parametrize(
    ("name", "changes", "what"),
    [
        (PASS_RATE, {"value": 0.8}, "value"),
        (PASS_RATE, {"numerator": 8}, "numerator"),
        (PASS_RATE, {"interval": None}, "interval"),
        (PASS_RATE, {"evidence": "E01"}, "evidence"),
        (PASS_RATE, {"evidence": None}, "evidence"),
        (PASS_RATE, {"runset": "rs-0000000000000000"}, "runset"),
        ("evidence/e02/gap", {"value": 0.21}, "value"),
        ("evidence/e02/gap", {"change": "improved"}, "change"),
        ("evidence/e02/gap", {"compares": None}, "compares"),
        ("evidence/e02/reduction", {"value": 0.76}, "value"),
        ("evidence/e02/quoted_median", {"marks": []}, "marks"),
        (P95, {"marks": []}, "marks"),
        (P95, {"value": 901}, "value"),
        ("evidence/e02/reduction--category-whole", {"value": 0}, "value"),
        ("evidence/e02/reduction--category-whole", {"reason": "no_record"}, "reason"),
    ],
)
def test_a_field_of_a_number(forged: Forged, name: str, changes: Json, what: str) -> None:
    number(forged, name, **changes)
    assert (name, what) in found_in_api(forged)


def test_a_detail(forged: Forged) -> None:
    def edit(numbers: Json) -> None:
        found = next(entry for entry in numbers if entry["id"] == P95)
        found["detail"]["figures"]["rank"] = 8.5

    change(forged, NUMBERS, edit)
    assert (P95, "detail.figures.rank") in found_in_api(forged)


def test_a_result_that_a_claim_calls_configured(forged: Forged) -> None:
    def edit(ledger: Json) -> None:
        for lang in ("zh", "en"):
            text = ledger["claims"][0]["text"]
            text[lang] = text[lang].replace("ref(alpha)", "ref(93.7%)")

    change(forged, LEDGER, edit)
    for address in ("audit.html", "en/audit.html"):
        forged.replace(address, ">0.05<", ">93.7%<")
    assert {(f"{LEDGER} C01", "references that name no setting"), ("audit.html", "text of claim-C01")} <= set(
        found(forged)
    )


def test_a_setting_that_has_another_value_on_the_page(forged: Forged) -> None:
    forged.replace("audit.html", ">0.05<", ">0.1<")
    assert ("audit.html", "text of claim-C01") in found(forged)


def test_an_interval_that_is_too_narrow(forged: Forged) -> None:
    def edit(numbers: Json) -> None:
        next(entry for entry in numbers if entry["id"] == PASS_RATE)["interval"]["low"] += 1e-6

    change(forged, NUMBERS, edit)
    assert (PASS_RATE, "interval low") in found_in_api(forged)


def test_a_number_that_is_taken_away(forged: Forged) -> None:
    def edit(numbers: Json) -> None:
        numbers[:] = [entry for entry in numbers if entry["id"] != PASS_RATE]

    change(forged, NUMBERS, edit)
    assert (NUMBERS, "ids") in found_in_api(forged)


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (lambda ledger: ledger["claims"][1].update(status="VERIFIED"), "status"),
        (lambda ledger: ledger["claims"][0].update(numbers=[OF_BATCH]), "numbers of the claim that are not listed"),
        (lambda ledger: ledger["claims"][0]["numbers"].append("x/y/z"), "numbers that are not published"),
        (lambda ledger: ledger["claims"][0].update(evidence=["E09"]), "evidence that is not in the register"),
        (lambda ledger: ledger["claims"][0].update(improvement=PASS_RATE), "improvement"),
        (lambda ledger: ledger["claims"][0]["text"].update(en="Yes."), "text"),
        (lambda ledger: ledger["claims"][0].update(evidence=[]), "evidence of claim-C01"),
    ],
)
def test_a_claim_in_the_ledger(forged: Forged, edit: Callable[[Json], None], what: str) -> None:
    change(forged, LEDGER, edit)
    assert what in {kind for _, kind in found(forged)}


@pytest.mark.parametrize(
    ("address", "old", "new", "what"),
    [
        ("audit.html", "已核验", "有支持", "status of claim-C01"),
        ("audit.html", "谁更好", "谁都好", "does_not_show of claim-C01"),
        ("audit.html", "通过率 <a", "失败率 <a", "text of claim-C01"),
        ("en/audit.html", "The pass rate is", "The fail rate is", "text of claim-C01"),
        ("en/audit.html", "Two things", "One thing", "why of kept-D01"),
        ("audit.html", "5ce45a9b", "5ce45a9c", "hashes of evidence-e01"),
        ("audit.html", "逐条结果", "合计结果", "cannot_show of evidence-e02"),
        ("audit.html", 'id="claim-C02"', 'id="claim-C03"', "what stands there"),
    ],
)
def test_a_word_on_the_page_of_claims(forged: Forged, address: str, old: str, new: str, what: str) -> None:
    text = forged.text(address)
    assert old in text
    forged.write(address, text.replace(old, new).encode())
    assert (address, what) in found(forged)


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        (PASS_RATE, '<code class="ref">7</code>', '<code class="ref">8</code>', "row 2 of figures"),
        (P95, '<code class="ref">900</code>', '<code class="ref">90</code>', "row 4 of frequencies"),
        (P95, '<code class="ref">3</code></td></tr>', '<code class="ref">4</code></td></tr>', "row 3 of frequencies"),
    ],
)
def test_a_figure_on_the_page_of_a_number(forged: Forged, name: str, old: str, new: str, what: str) -> None:
    forged.replace(f"numbers/{name}.html", old, new)
    assert (f"numbers/{name}.html", what) in found(forged)


def test_a_claim_that_stands_there_twice_or_in_a_comment(forged: Forged) -> None:
    """The true one where nobody sees it, another one where everybody does."""
    page = forged.text("audit.html")
    start = page.index('<section id="claim-C01"') if '<section id="claim-C01"' in page else page.index('id="claim-C01"')
    start = page.rindex("<section", 0, start + 9)
    end = page.index("</section>", start) + len("</section>")
    section = page[start:end]
    forged.write(
        "audit.html", page.replace(section, section.replace("已核验", "有支持") + f"<!--{section}-->").encode()
    )
    assert {"what stands there", "comments"} <= {what for _, what in found(forged)}


def test_the_formula_of_a_number(forged: Forged) -> None:
    page = f"numbers/{P95}.html"
    forged.replace(page, ">8.55<", ">8.56<")
    assert any(place == page and "rank" in what for place, what in found(forged))


def test_a_page_that_is_taken_away(forged: Forged) -> None:
    (forged.root / f"numbers/{P95}.html").unlink()
    assert (f"numbers/{P95}.html", "a page") in found(forged)


def test_a_site_without_its_page_of_claims(forged: Forged) -> None:
    (forged.root / "audit.html").unlink()
    assert ("audit.html", "a page") in found(forged)


def test_an_improvement_that_a_claim_does_not_name(forged: Forged) -> None:
    """It stands in the ledger and on the page; a claim may lose it as well as gain it."""
    change(forged, LEDGER, lambda ledger: ledger["claims"][1].update(improvement=OF_BATCH))
    assert {"numbers of the claim that are not listed", "improvement of claim-C02"} <= {
        what for _, what in found(forged)
    }


def swap(forged: Forged, address: str, one: str, other: str) -> None:
    """Exchange two texts wherever they stand on a page."""
    text = forged.text(address)
    assert one in text
    assert other in text
    exchanged = text.replace(one, "\0").replace(other, one).replace("\0", other)
    forged.write(address, exchanged.encode())


ALL, PASSED = (
    f'<span lang="zh-CN">{name}（数目）</span><span lang="en">{name} (figure)</span>' for name in ("all", "passed")
)


def test_names_of_figures_that_are_exchanged(forged: Forged) -> None:
    address = f"numbers/{PASS_RATE}.html"
    swap(forged, address, ALL, PASSED)
    assert {what for place, what in found(forged) if place == address} == {
        "names of figures",
        "the name of detail.figures.all in the formula",
        "the name of detail.figures.passed in the formula",
    }


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        (f"{PASS_RATE}--category-easy", ">易<", ">难<", "the title"),
        (
            "evidence/e02/gap",
            'lang="en">Easy<',
            'lang="en">Hard<',
            "head of the row of evidence/e02/gap detail.products.0",
        ),
        (P95, 'lang="zh-CN">时长<', 'lang="zh-CN">易<', "names of tables"),
    ],
)
def test_other_names_on_pages_of_evidence(forged: Forged, name: str, old: str, new: str, what: str) -> None:
    address = f"numbers/{name}.html"
    forged.write(address, forged.text(address).replace(old, new).encode())
    assert (address, what) in found(forged)


def test_a_quoted_number_does_not_say_that_it_is_made_again(audit_site: Path) -> None:
    quoted, made = ((audit_site / f"numbers/{name}.html").read_text("utf-8") for name in (QUOTED, MEAN))
    assert "cannot make it again" in quoted
    assert "verification makes it again" not in quoted
    assert "verification makes it again" in made
