"""The manifest's block `data_contracts`: that of monitoring, and what contracts must say."""

from __future__ import annotations

from pydantic import Field

from .block import Names, WrittenBlock
from .data_contracts import DataContracts
from .reference import Reference
from .words import SqlTrust, TrustWord


class Requirements(WrittenBlock):
    """What every contract must say."""

    owner: bool = False
    pii_classified: bool = False
    required_fields: Names = Field(default=(), description="Names of columns that every table must have.")


class ContractRules(DataContracts):
    """The block on contracts; enforcement is about run time only and never softens a compile error."""

    requirements: Requirements = Requirements()
    validators: Names = Field(default=(), description="Names of entry points.")
    base: tuple[Reference, ...] = Field(default=(), strict=False, description="Parent contracts, as paths.")
    sql_trust: TrustWord = SqlTrust.RESTRICTED
