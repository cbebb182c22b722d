"""What the docstrings say of parameters is what the signatures say: names, order, defaults."""

import importlib
import inspect
import re

from cases import each, modules
from places import METHODS

import treelab
from treelab.fast.growing import Limits

REQUIRED = inspect.Parameter.empty


def public():
    """Every public function, class and method of treelab, by its full name."""
    found = {}
    for name in modules():
        module = importlib.import_module(name)
        for what in getattr(module, "__all__", [n for n in vars(module) if n[0] != "_"]):
            thing = getattr(module, what)
            if not callable(thing) or not getattr(thing, "__module__", "").startswith("treelab"):
                continue
            found[f"{thing.__module__}.{what}"] = thing
            for method, function in vars(thing).items() if inspect.isclass(thing) else ():
                if inspect.isfunction(function) and not method.startswith("_"):
                    found[f"{thing.__module__}.{what}.{method}"] = function
    return found


PUBLIC = public()


def documented(thing):
    """The parameters of a docstring in order: name, its stated default or None, description."""
    text = inspect.cleandoc(thing.__doc__ or "")
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", text, re.M | re.S)
    parameters = []
    for head, body in re.findall(
        r"^(\S[^\n]*)\n((?:[ ]+[^\n]*\n?|\n)*)", section.group(1) + "\n" if section else "", re.M
    ):
        names, _, kind = head.partition(" : ")
        default = re.search(r"default=(.*)$", kind)
        for one in names.split(", "):
            parameters.append((one.lstrip("*"), default and default.group(1), body))
    return parameters


def of_signature(thing):
    """The parameters of a signature in order: name and default."""
    parameters = inspect.signature(thing).parameters.values()
    return {p.name: p.default for p in parameters if p.name != "self"}


DOCUMENTED = {name: thing for name, thing in PUBLIC.items() if documented(thing)}


def test_there_are_enough_of_them():
    assert len(DOCUMENTED) > 120
    for estimator in treelab.__all__:
        assert any(name.endswith("." + estimator) for name in DOCUMENTED)


@each("name", DOCUMENTED)
def test_parameters_and_defaults_are_those_of_the_signature(name):
    said, true = documented(DOCUMENTED[name]), of_signature(DOCUMENTED[name])
    assert {one for one, _, _ in said} == set(true)
    for one, default, body in said:
        if default is not None:
            value = eval(default, {"Limits": Limits})
            assert (type(true[one]), true[one]) == (type(value), value), one
        elif other := re.search(r"As in `(?:\w+\.)*(\w+)`", body):
            assert true[one] in (REQUIRED, of_signature(nearest(other.group(1), name)).get(one)), (
                one
            )
        else:
            assert true[one] is REQUIRED, f"{one}: no default is stated"


def nearest(short, name):
    """What `short` means in the docstring of `name`: a method of the same class goes first."""
    names = [n for n in PUBLIC if n.split(".")[-1] == short and is_plain(n) == is_plain(name)]
    return PUBLIC[max(names, key=lambda full: full.startswith(name.rpartition(".")[0]))]


SHORT = [name for name in PUBLIC if name not in DOCUMENTED and not inspect.isclass(PUBLIC[name])]


def is_plain(name):
    """Whether a function is a plain one; what a letter means there stands on top of its file."""
    return name.split(".")[1] in METHODS


@each("name", [name for name in SHORT if not is_plain(name)])
def test_a_default_that_no_docstring_states_is_none_or_the_one_of_its_name(name):
    """Methods of one line have no section on parameters."""
    for one, default in of_signature(PUBLIC[name]).items():
        if default not in (REQUIRED, None, False):
            elsewhere = [
                value
                for other in DOCUMENTED.values()
                for known, value in of_signature(other).items()
                if known == one
            ]
            if elsewhere:
                assert default == max(set(elsewhere), key=elsewhere.count), one
            else:
                assert re.search(rf"\b{one}\b", PUBLIC[name].__doc__), one


@each("name", [name for name in PUBLIC if is_plain(name)])
def test_plain_functions_say_in_a_line_what_they_return(name):
    first, *more = inspect.cleandoc(PUBLIC[name].__doc__).split("\n\n")
    assert first.endswith((".", ":"))
    assert "\n" not in first
    assert len(" ".join(more).splitlines()) <= 3
