"""Jinja that touches nothing: an immutable sandbox in which a hole stays a hole through filters, calls and texts."""

from __future__ import annotations

from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from .holes import Hole, Undecided, UnknownName, concat, holds_hole, taint, why_of
from .marks import hole_mark


class _Transform(NodeTransformer):
    """Marks the lines of the model's own text, and lets every value that is read pass `taint`."""

    def visit_Name(self, node: nodes.Name) -> nodes.Node:  # noqa: N802 - Jinja's name
        if node.ctx != "load":
            return node
        taint = nodes.Name("__floe_taint", "load", lineno=node.lineno)
        return nodes.Call(taint, [node], [], None, None, lineno=node.lineno)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802 - Jinja's name
        self.generic_visit(node)
        function = nodes.Name("__floe_concat", "load", lineno=node.lineno)
        return nodes.Call(function, list(node.nodes), [], None, None, lineno=node.lineno)


class Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset({"%", "+", "*", "**"})

    def __init__(self, *, mark_lines: bool = False) -> None:
        super().__init__(extensions=["jinja2.ext.do", DbtBlocks], undefined=UnknownName, cache_size=0)
        self.mark_lines = mark_lines
        self.globals.pop("lipsum", None)
        taint.floe = concat.floe = True  # type: ignore[attr-defined]
        self.globals.update({"__floe_taint": taint, "__floe_concat": concat})
        self.filters = {name: _guard_filter(name, call) for name, call in self.filters.items()}
        self.tests = {name: _guard_test(call) for name, call in self.tests.items()}

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Hole):
            return self._part(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, Hole) or isinstance(argument, Hole):
            return Hole(why_of(obj, argument), hole_mark(0))
        return super().getitem(obj, argument)

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - as Jinja has it
        ours = isinstance(__obj, Hole) or getattr(__obj, "floe", False)
        if not ours and any(isinstance(value, Hole) for value in (*args, *kwargs.values())):
            return Hole(why_of(*args, *kwargs.values()), hole_mark(0))
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str):
            return (
                Hole("a formatted text", hole_mark(0))
                if holds_hole(right)
                else super().call_binop(context, operator, left, right)
            )
        if operator == "*" and any(isinstance(side, (str, list, tuple)) for side in (left, right)):
            raise Undecided("a text that is repeated")
        return super().call_binop(context, operator, left, right)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        if self.mark_lines:
            _mark_lines(template.body)
        return _Transform().visit(template)  # type: ignore[no-any-return]

    def _part(self, hole: Hole, attribute: str) -> Any:
        return Hole(hole.why, hole_mark(0)) if not attribute.startswith("_") else UnknownName(name=attribute)


class DbtBlocks(Extension):
    """The blocks that dbt adds to Jinja; none of them makes the text of a model."""

    tags = {"test", "materialization", "snapshot", "docs", "data_test"}  # noqa: RUF012 - Jinja's way

    def parse(self, parser: Any) -> nodes.Node:
        tag = parser.stream.current.value
        if tag == "snapshot":
            parser.fail("a snapshot")
        while parser.stream.current.type != "block_end":
            next(parser.stream)
        parser.parse_statements((f"name:end{tag}",), drop_needle=True)
        return nodes.Output([])


def _mark_lines(body: list[nodes.Node]) -> None:
    """A mark with its line before every text that the model itself prints; what is kept for later has none."""
    for node in body:
        if isinstance(node, nodes.Output):
            for part in node.nodes:
                if isinstance(part, nodes.TemplateData):
                    part.data = f"\ue000{part.lineno}\ue001{part.data}"
        elif isinstance(node, nodes.For):
            _mark_lines(node.body)
        elif isinstance(node, nodes.If):
            for branch in (node.body, node.else_, *(item.body for item in node.elif_)):
                _mark_lines(branch)


def _guard_filter(name: str, call: Any) -> Any:
    """The filter; given a hole it gives one, but for those that leave the text as it is."""
    same = name in ("trim", "indent", "string", "safe")

    def guarded(*args: Any, **kwargs: Any) -> Any:
        holes = [value for value in (*args, *kwargs.values()) if isinstance(value, Hole)]
        if not holes:
            return call(*args, **kwargs)
        return holes[0] if same else Hole(holes[0].why, hole_mark(0))

    for mark in ("jinja_pass_arg",):
        if hasattr(call, mark):
            setattr(guarded, mark, getattr(call, mark))
    return guarded


def _guard_test(call: Any) -> Any:
    def guarded(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            if isinstance(value, Hole):
                raise Undecided(f"a condition that depends on {value.why}")
        return call(*args, **kwargs)

    if hasattr(call, "jinja_pass_arg"):
        guarded.jinja_pass_arg = call.jinja_pass_arg  # type: ignore[attr-defined]
    return guarded
