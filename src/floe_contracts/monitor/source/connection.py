"""Where the tables of one contract are, as an operator says it: in the settings, on the command line, or in code.

A connection with a `type` stands alone; one without refines the contract's own server: credentials, another location,
the column that tells the time. What stands under `tables` is for one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    field_validator,
)

from ...contract.model import Json
from ...contract.source.scalars import text_of
from ...errors import UsageError
from ...product.secret import Options, embedded_problem, problem_of, value_of
from .server_types import TYPES, type_problem

_SCALAR = {"type": ["string", "number", "boolean"]}


def _text(value: object) -> object:
    """Numbers and truth values as they were written: options are text to every driver."""
    return text_of(value) if isinstance(value, (bool, int, float)) else value


def _open_text(value: str) -> str:
    problem = embedded_problem(value)
    if problem:
        raise ValueError(problem)
    return value


Word = Annotated[str, BeforeValidator(_text), AfterValidator(_open_text), WithJsonSchema(_SCALAR)]
OptionText = Annotated[str, BeforeValidator(_text), WithJsonSchema(_SCALAR)]


class TableConnection(BaseModel):
    """How one table is reached."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)

    location: Word = Field(default="", description="A path or URL; {model} stands for the table's name.")
    table: Word = Field(default="", description="The table, topic or registered data frame.")
    format: Word = Field(default="", description="parquet, csv, json, orc, avro, delta, iceberg …")
    timestamp_column: Word = Field(default="", description="The column that tells how old the data is.")
    filter: str = Field(default="", description="A SQL condition; only rows that meet it are looked at.")
    options: dict[str, OptionText] = Field(
        default_factory=dict, description="Options of Spark's reader; secrets only as env:NAME or file:PATH."
    )

    @field_validator("options")
    @classmethod
    def _no_secrets(cls, options: dict[str, str]) -> dict[str, str]:
        for name, text in options.items():
            problem = problem_of(name, text)
            if problem:
                raise ValueError(f"{name}: {problem}")
        return options

    def option_pairs(self) -> Options:
        return tuple((name, value_of(text)) for name, text in sorted(self.options.items()))


class Connection(TableConnection):
    """How all tables of one contract are reached."""

    server: Word = Field(default="", description="The name of one of the contract's servers.")
    type: Word = Field(default="", description="The type of the source; without it the contract's server says.")
    url: Word = Field(default="", description="A JDBC URL without credentials.")
    host: Word = ""
    port: Word = ""
    account: Word = ""
    catalog: Word = ""
    database: Word = ""
    schema_name: Word = Field(default="", alias="schema")
    warehouse: Word = ""
    tables: dict[str, TableConnection] = Field(default_factory=dict, description="By the table's name.")

    @field_validator("type")
    @classmethod
    def _known_type(cls, word: str) -> str:
        problem = type_problem(word) if word and word.casefold() not in TYPES else ""
        if problem:
            raise ValueError(problem)
        return word.casefold()

    def coordinates(self) -> dict[str, str]:
        """What it says beside the table, under the names that servers use."""
        fields = {
            **{name: getattr(self, name) for name in ("url", "host", "port", "account", "catalog", "database")},
            "schema": self.schema_name,
            "warehouse": self.warehouse,
            "location": self.location,
            "format": self.format,
        }
        return {name: text for name, text in fields.items() if text}


def connection_from(values: Mapping[str, Json]) -> Connection:
    """The connection; a UsageError says which key is wrong, and never repeats a value."""
    try:
        return Connection.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "it"
        reason = "no such key" if first["type"] == "extra_forbidden" else first["msg"].removeprefix("Value error, ")
        raise UsageError(
            f"the connection cannot be used: {where}: {reason}",
            fix="Write it like an entry of connections: in .floe/monitoring.yaml.",
        ) from None
