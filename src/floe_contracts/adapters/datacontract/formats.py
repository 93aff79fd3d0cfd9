"""Foreign formats by way of datacontract-cli: SQL, Avro, dbt, Protobuf and the rest, in and out as ODCS."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any

from ...contract.meaning.phrase import close_names, did_you_mean
from ...errors import FloeError, MissingExtra, UsageError

_FIX = "Check the source and the options given with -O."


@dataclass(frozen=True, slots=True)
class Foreign:
    """The content that datacontract-cli made, and its notes meanwhile."""

    content: str | bytes
    notes: tuple[str, ...]


def import_contract(form: str, source: str, arguments: Mapping[str, str], *, fix: str = _FIX) -> Foreign:
    """A contract in ODCS from a source in another format; `fix` is what to do where that fails."""
    contract_type = _data_contract()
    _check_format(form, import_formats(), "import")
    call = lambda: contract_type.import_from_source(form, source, **arguments).to_yaml()  # noqa: E731
    return _make(call, f"datacontract-cli cannot import {source} as {form}", form, fix)


def export_contract(odcs: str, form: str, arguments: Mapping[str, str]) -> Foreign:
    """A contract, given as ODCS text, in another format; nothing is fetched on its behalf."""
    contract_type = _data_contract()
    _check_format(form, export_formats(), "export")
    contract = contract_type(data_contract_str=odcs, inline_references=False, untrusted_contract=True)
    return _make(lambda: contract.export(form, **arguments), f"datacontract-cli cannot export as {form}", form)


def import_formats() -> tuple[str, ...]:
    """The formats datacontract-cli reads."""
    _data_contract()
    from datacontract.imports.importer import ImportFormat

    return tuple(sorted(kind.value for kind in ImportFormat))


def export_formats() -> tuple[str, ...]:
    """The formats datacontract-cli writes."""
    _data_contract()
    from datacontract.export.exporter import ExportFormat

    return tuple(sorted(kind.value for kind in ExportFormat))


def _data_contract() -> Any:
    try:
        from datacontract.data_contract import DataContract
    except ImportError as error:
        raise MissingExtra("importing and exporting other formats", "datacontract") from error
    return DataContract


def _check_format(form: str, formats: tuple[str, ...], verb: str) -> None:
    if form not in formats:
        fix = f"{did_you_mean(*close_names(form, formats))} It knows {', '.join(formats)}.".lstrip()
        raise UsageError(f"datacontract-cli has no {verb} format {form!r}", fix=fix)


def _make(call: Callable[[], Any], failure: str, form: str, fix: str = _FIX) -> Foreign:
    with overhear() as notes:
        try:
            content = call()
        except Exception as error:  # whatever its drivers raise is the same to us: the format could not be made
            raise _refusal(error, failure, form, fix) from error
    return Foreign(content if isinstance(content, (str, bytes)) else str(content), tuple(notes))


def _refusal(error: Exception, failure: str, form: str, fix: str) -> FloeError:
    reason = str(getattr(error, "reason", "") or error) or type(error).__name__
    if isinstance(error, ImportError) or "could not be loaded" in reason:
        return FloeError(f"{failure}: a package for {form} is missing", fix=f"pip install 'datacontract-cli[{form}]'")
    return FloeError(f"{failure}: {reason}", fix=fix)


@contextmanager
def overhear() -> Iterator[list[str]]:
    """Collect log records and printed lines of a library, kept instead of shown: they may carry text from files."""
    lines: list[str] = []
    handler = _Listener(lines)
    logger = logging.getLogger()
    logger.addHandler(handler)
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            yield lines
    finally:
        logger.removeHandler(handler)
        lines += [line for line in printed.getvalue().splitlines() if line.strip()]


class _Listener(logging.Handler):
    """logging hands its records to subclasses of Handler only."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(record.getMessage())
