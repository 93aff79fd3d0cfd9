"""Our dataclasses behave like the standard ones in everything that floe, pytest, pickle and copy ask of them."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar, get_type_hints

import pytest

from floe_contracts import frozen
from floe_contracts.contract.model import Property
from floe_contracts.frozen import compared

T = TypeVar("T")


def pair(decorate: Any, field: Any) -> tuple[Any, ...]:
    """The same classes by either decorator."""

    @decorate(frozen=True, slots=True)
    class Plain:
        """Said."""

        name: str
        size: int = 3
        tags: tuple[str, ...] = ()

        @property
        def shout(self) -> str:
            return self.name.upper()

    @decorate(frozen=True, slots=True)
    class Hidden:
        name: str
        more: dict[str, int] = field(default_factory=dict)
        at: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @decorate(frozen=True, slots=True)
    class Ordered:
        name: str
        parts: tuple[str, ...] = ()

        def __post_init__(self) -> None:
            object.__setattr__(self, "parts", tuple(sorted(self.parts)))

    @decorate(slots=True)
    class Mutable:
        name: str
        found: list[str] = field(default_factory=list)

    @decorate(frozen=True)
    class Lazy:
        name: str

        @cached_property
        def long(self) -> str:
            return self.name * 3

    @decorate(frozen=True, slots=True)
    class Box(Generic[T]):
        value: T

    @decorate(frozen=True, slots=True)
    class Empty:
        pass

    return Plain, Hidden, Ordered, Mutable, Lazy, Box, Empty


STANDARD = pair(dataclasses.dataclass, dataclasses.field)
OURS = pair(frozen.dataclass, frozen.field)
ARGUMENTS: tuple[tuple[tuple[Any, ...], ...], ...] = (
    (("a",), ("b", 4), ("a", 3, ()), ("a", 3, ("x",))),
    (("a",), ("a", {"x": 1}), ("a", {}, (1, 2)), ("b",)),
    (("a",), ("a", ("z", "y")), ("a", ("y", "z"))),
    (("a",), ("a", ["x"]), ("b",)),
    (("a",), ("b",)),
    ((1,), ("x",)),
    ((),),
)
CASES = [
    pytest.param(ours, standard, given, id=ours.__name__)
    for ours, standard, given in zip(OURS, STANDARD, ARGUMENTS, strict=True)
]


def outcome(action: Callable[[], Any]) -> Any:
    """A result or the kind of error."""
    try:
        return action()
    except Exception as error:
        return type(error)


@pytest.mark.parametrize(("ours", "standard", "given"), CASES)
def test_values_look_and_compare_alike(ours: Any, standard: Any, given: Any) -> None:
    mine, theirs = [ours(*each) for each in given], [standard(*each) for each in given]
    assert [repr(one).replace("pair.<locals>.", "") for one in mine] == [
        repr(one).replace("pair.<locals>.", "") for one in theirs
    ]
    assert [[one == other for other in mine] for one in mine] == [[one == other for other in theirs] for one in theirs]
    assert mine[0] != theirs[0]
    assert (mine[0] == object()) is False


@pytest.mark.parametrize(("ours", "standard", "given"), CASES)
def test_hashes_follow_equality(ours: Any, standard: Any, given: Any) -> None:
    for each in given:
        mine, theirs = outcome(lambda each=each: hash(ours(*each))), outcome(lambda each=each: hash(standard(*each)))  # type: ignore[misc]
        assert isinstance(mine, int) is isinstance(theirs, int)
        assert not isinstance(mine, int) or mine == hash(ours(*each))


@pytest.mark.parametrize(("ours", "standard", "given"), CASES)
def test_signatures_are_alike_after_a_few_instances(ours: Any, standard: Any, given: Any) -> None:
    for _ in range(frozen.FEW + 1):
        ours(*given[0])
    one, other = inspect.signature(ours), inspect.signature(standard)
    assert list(one.parameters) == list(other.parameters)
    assert [item.default is item.empty for item in one.parameters.values()] == [
        item.default is item.empty for item in other.parameters.values()
    ]
    assert ours.__init__.__annotations__ == standard.__init__.__annotations__


@pytest.mark.parametrize(("ours", "standard", "given"), CASES)
def test_descriptions_are_alike(ours: Any, standard: Any, given: Any) -> None:
    known: Any = ours
    assert dataclasses.is_dataclass(known)

    def described(cls: Any) -> list[tuple[Any, ...]]:
        return [
            (each.name, each.type, each.default, each.default_factory, each.compare, each.repr, each.init)
            for each in dataclasses.fields(cls)
        ]

    assert described(ours) == described(standard)
    assert ours.__match_args__ == standard.__match_args__
    assert compared(ours) == tuple(each.name for each in dataclasses.fields(standard) if each.compare)
    assert (ours.__doc__ or "")[:4] == (standard.__doc__ or "")[:4] or standard.__doc__.startswith(standard.__name__)


@pytest.mark.parametrize("replace", [dataclasses.replace, frozen.replace])
@pytest.mark.parametrize(("ours", "standard", "given"), CASES)
def test_one_field_can_be_replaced(ours: Any, standard: Any, given: Any, replace: Any) -> None:
    for name in ours.__match_args__:
        assert getattr(replace(ours(*given[0]), **{name: ("new",)}), name) == ("new",)
    assert outcome(lambda: replace(ours(*given[0]), nothing=1)) is TypeError


@pytest.mark.parametrize("number", range(len(ARGUMENTS)))
def test_the_first_instances_are_filled_like_all_others(number: int) -> None:
    ours, standard, given = pair(frozen.dataclass, frozen.field)[number], STANDARD[number], ARGUMENTS[number]
    for arguments in given * (frozen.FEW + 1):
        for wrong in ((*arguments, 1, 2, 3, 4), ()):
            assert _fits(ours, wrong) is _fits(standard, wrong)
        mine, theirs = ours(*arguments), standard(*arguments)
        assert all(getattr(mine, name) == getattr(theirs, name) for name in ours.__match_args__)


def _fits(cls: Any, arguments: tuple[Any, ...]) -> bool:
    try:
        cls(*arguments)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("given", [(), ("a", 1, (), "more")])
@pytest.mark.parametrize("cls", [OURS[0], STANDARD[0]])
def test_arguments_are_counted(cls: Any, given: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        cls(*given)


@pytest.mark.parametrize("named", [{"name": "b"}, {"nothing": 1}])
@pytest.mark.parametrize("cls", [pair(frozen.dataclass, frozen.field)[0], STANDARD[0]])
def test_arguments_are_named_once_and_known(cls: Any, named: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        cls("a", **named)


@pytest.mark.parametrize(("ours", "standard", "given"), CASES)
def test_frozen_is_frozen(ours: Any, standard: Any, given: Any) -> None:
    for name in ours.__match_args__:
        mine, theirs = ours(*given[0]), standard(*given[0])
        assert outcome(lambda: setattr(mine, name, 1)) == outcome(lambda: setattr(theirs, name, 1))  # noqa: B023
        assert outcome(lambda: delattr(mine, name)) == outcome(lambda: delattr(theirs, name))  # noqa: B023


def test_each_value_gets_a_default_of_its_own() -> None:
    cls = OURS[3]
    assert cls("a").found is not cls("b").found


def test_what_a_class_defines_itself_stays() -> None:
    assert OURS[0]("a").shout == "A"
    assert OURS[4]("ab").long == "ababab"
    assert not hasattr(OURS[0]("a"), "__dict__")


def test_values_can_be_copied_and_pickled() -> None:
    value = Property("id", logical_type="string", at=("schema", 0))
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert (other, other.at) == (value, value.at)


def test_hints_can_be_resolved() -> None:
    for _ in range(frozen.FEW + 1):
        Property("id")
    assert get_type_hints(Property.__init__)["name"] is str


def test_values_match_by_position() -> None:
    match Property("id", "x"):
        case Property(name, stable):
            assert (name, stable) == ("id", "x")


def test_every_class_of_the_package_can_be_described() -> None:
    """The standard library builds each of them without complaint: no mutable default, no field out of order."""
    seen = 0
    for part in ("contract", "compat", "render"):
        package = importlib.import_module(f"floe_contracts.{part}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, type) and hasattr(value, "__compared__"):
                    assert [each.name for each in dataclasses.fields(value)] == list(value.__match_args__)  # type: ignore[attr-defined]
                    seen += 1
    assert seen > 50
