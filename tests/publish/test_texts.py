"""The words of the pages as a file."""

import json

import jsonschema

from generator.publish.schemas import schema_of
from generator.publish.texts import texts_file
from generator.read.texts import read_texts


def test_the_file_holds_every_text_of_both_languages() -> None:
    texts = read_texts()
    published = json.loads(texts_file(texts))
    assert published == texts
    assert list(published["zh"]) == sorted(published["zh"])
    jsonschema.validate(published, schema_of("texts"))
