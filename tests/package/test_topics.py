"""Every test file has a topic, or is known as one that holds for the whole."""

import re
from types import SimpleNamespace

import facts
import pytest
import topics
from places import METHODS, ROOT, TESTS

FILES = [path.relative_to(TESTS).as_posix() for path in sorted(TESTS.rglob("test_*.py"))]


def test_every_test_file_has_a_topic_or_is_general():
    without = [path for path in FILES if not topics.entry_of(path) and not topics.topics_of(path)]
    assert without == [], "give these a topic in tests/tools/topics.py, or list them as general"


def test_the_lists_name_only_what_is_there():
    assert {
        entry for entry in (*topics.TOPIC_OF, *topics.GENERAL) if not (TESTS / entry).exists()
    } == set()
    assert topics.TOPICS == facts.TOPICS
    assert set().union(*topics.TOPIC_OF.values()) <= {*topics.TOPICS}


@pytest.mark.parametrize("topic", topics.TOPICS)
def test_a_topic_has_tests_and_cases_of_its_exercises(topic):
    assert [path for path in FILES if topic in topics.topics_of(path)]
    assert (TESTS / "teaching" / "exercise_cases" / f"{topic}.py").exists()


def test_the_topic_of_one_exercise_exhibit_or_notebook():
    found = [
        topics.topic_of_value("growing-3"),
        topics.topic_of_value("gradient-boosting-2"),
        topics.topic_of_value(SimpleNamespace(room=4)),
        topics.topic_of_value(ROOT / "notebooks" / "05_id3_and_c45.ipynb"),
        topics.topic_of_value("05_id3_and_c45"),
    ]
    assert found == ["growing", "gradient_boosting", "pruning", "c45", "c45"]
    assert {topics.topic_of_value(value) for value in ("hw3-1", "a sentence", 7)} == {None}


def test_a_test_has_the_topics_of_its_file_or_of_what_it_is_run_with(request):
    assert topics.topics_of("plain/test_plain_trees.py") == {"growing", "pruning", "c45"}
    assert topics.topics_of("boosting/test_losses.py", ["growing-3"]) == {"gradient_boosting"}
    assert topics.topics_of("teaching/test_exercises.py", ["growing-3"]) == {"growing"}
    assert topics.topics_of("teaching/test_exercises.py") == set()
    assert not {mark.name for mark in request.node.iter_markers()} & set(topics.TOPICS)


def test_the_dictionary_of_chapters_names_what_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [
        line.strip("| ").split(" | ") for line in re.findall(r"^\| \d+ \| \w+ \|.*", text, re.M)
    ]
    assert [row[1] for row in rows] == list(topics.TOPICS)
    museum = ROOT / "notebooks" / "teaching" / "museum"
    for _, topic, methods, rooms, exhibits, tests in rows:
        assert set(methods.split(", ")) <= METHODS
        for room in rooms.split(", "):
            assert list((ROOT / "treelab" / "fast").glob(f"{room}*"))
        assert (museum / f"exhibits_{exhibits}.py").exists()
        for name in tests.split(", "):
            assert list(TESTS.glob(f"{name}*"))
        assert (ROOT / "notebooks" / "exercises" / f"checks_{topic}.py").exists()
