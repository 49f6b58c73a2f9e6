"""The words of the pages as a file."""

import json

import jsonschema
import pytest
import yaml

from generator.model.base import Lang
from generator.publish.schemas import schema_of
from generator.publish.texts import texts_file
from generator.read.texts import read_texts
from tests.support.whole_sites import ROOT


def test_the_file_holds_every_text_of_both_languages() -> None:
    texts = read_texts()
    published = json.loads(texts_file(texts))
    assert published == texts
    assert list(published["zh"]) == sorted(published["zh"])
    jsonschema.validate(published, schema_of("texts"))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_reason_of_the_sample_has_words(lang: Lang) -> None:
    texts = read_texts()[lang]
    reasons: set[str | None] = set()
    for batch in sorted((ROOT / "data/batches").iterdir()):
        reasons |= {json.loads(line).get("reason") for line in (batch / "runs.jsonl").read_bytes().splitlines()}
        head = yaml.safe_load((batch / "batch.yaml").read_text(encoding="utf-8"))
        reasons |= {skip["reason"] for skip in head.get("skipped", [])}
    assert len(reasons) > 9
    assert [reason for reason in reasons if reason and f"reasons.{reason}" not in texts] == []
