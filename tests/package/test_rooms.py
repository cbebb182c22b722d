"""Who may call whom: the methods nobody, the rooms of `fast` those below them."""

import ast
import importlib
import re
from functools import cache

from cases import each
from code_lines import lines_below
from places import ROOT

import treelab

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


def test_drawing_and_datasets_are_at_most_1050_lines_of_code():
    lines = lines_below("treelab/drawing", "treelab/datasets")
    assert len(lines) > 10
    assert sum(lines.values()) <= 1050


@each("room", rooms())
def test_rooms_call_only_rooms_below(room):
    assert floor(room) <= FLOORS


def test_the_front_door_needs_no_pictures():
    reached, waiting = set(), list(set(treelab.HOMES.values()))
    while waiting:
        room = waiting.pop()
        if room not in reached:
            reached.add(room)
            waiting += calls(room)
    assert reached
    assert not reached & {"drawing", "datasets"}


def test_every_room_stands_in_the_drawing_of_the_house():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = text.partition("## The house")[2].partition("\n## ")[0]
    assert set(rooms()) == set(
        re.findall(r"`(\w+)/?`", house.partition("| to add")[0].partition("|---|")[2])
    )


def is_private(name):
    return name.startswith("_") and not name.endswith("__") and len(name) > 1


@cache
def private_names(room):
    """The private names that a room defines: functions, classes, variables and attributes."""
    names = set()
    for node in nodes(room):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return {name for name in names if is_private(name)}


def nodes(room):
    for path in rooms()[room]:
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def private_names_of_others(room):
    """Names with an underscore that a room takes from another, imported or as an attribute."""
    own, found = private_names(room), set()
    others = set().union(*(private_names(other) for other in rooms() if other != room))
    for node in nodes(room):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("treelab"):
            same = f"treelab.fast.{room}" in f"{node.module}."
            found |= {alias.name for alias in node.names if is_private(alias.name) and not same}
        elif isinstance(node, ast.Attribute) and node.attr in others - own:
            found.add(node.attr)
    return found


@each("room", [room for room in rooms() if room not in ("drawing", "datasets")])
def test_rooms_share_no_private_names(room):
    assert private_names_of_others(room) == set()


def hooks(room):
    """Private methods that a class overrides or calls where its base has them in another room."""
    for path in rooms()[room]:
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                for base in kind.__mro__[1:]:
                    if base.__module__.startswith("treelab.fast."):
                        other = base.__module__.split(".")[2]
                        if other != room:
                            names = {n for n in set(vars(kind)) & set(vars(base)) if is_private(n)}
                            yield from (f"{kind.__name__}.{n} of {base.__name__}" for n in names)


@each("room", [room for room in rooms() if room not in ("drawing", "datasets")])
def test_classes_override_no_private_method_of_another_room(room):
    assert sorted(hooks(room)) == []
