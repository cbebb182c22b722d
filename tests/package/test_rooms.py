"""Who may call whom: the methods nobody, the rooms of `fast` those below them."""

import ast
import re
from functools import cache

from cases import each
from places import ROOT

PACKAGE = ROOT / "treelab"
FAST = PACKAGE / "fast"
FLOORS = 7


@cache
def rooms():
    """The rooms of `fast`, and the packages beside it, by name, each with its files."""
    found = {}
    for path in sorted([*FAST.rglob("*.py"), *PACKAGE.glob("d*/*.py")]):
        base = FAST if FAST in path.parents else PACKAGE
        first = path.relative_to(base).parts[0].removesuffix(".py")
        if first != "__init__":
            found.setdefault(first, []).append(path)
    return found


@cache
def calls(room):
    """The rooms that a room imports from."""
    names = set()
    for path in rooms()[room]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    parts = [name.removeprefix("treelab.").removeprefix("fast.").split(".") for name in names]
    return {part[0] for part in parts} & set(rooms()) - {room}


def floor(room, above=()):
    """The floor of a room: one above the highest that it calls."""
    assert room not in above, f"a circle: {' -> '.join([*above, room])}"
    return 1 + max((floor(other, (*above, room)) for other in calls(room)), default=0)


@each("room", rooms())
def test_rooms_call_only_rooms_below(room):
    assert floor(room) <= FLOORS


def test_the_front_door_needs_no_pictures():
    reached, waiting = set(), list(imported_at_the_door())
    while waiting:
        room = waiting.pop()
        if room not in reached:
            reached.add(room)
            waiting += calls(room)
    assert reached
    assert not reached & {"drawing", "datasets"}


def imported_at_the_door():
    text = (FAST / "__init__.py").read_text(encoding="utf-8")
    return set(re.findall(r"^from treelab\.fast\.(\w+)", text, re.M))


def test_every_room_stands_in_the_drawing_of_the_house():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = text.partition("## The house")[2].partition("\n## ")[0]
    assert set(rooms()) == set(
        re.findall(r"`(\w+)/?`", house.partition("| to add")[0].partition("|---|")[2])
    )
