"""Words of the manifest that have an order: the later one is stricter."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from .block import word_of, words_schema


class ClassificationLevel(str, Enum):
    """How far data may spread, from anybody to few."""

    PUBLIC = "PUBLIC"
    INTERNAL = "INTERNAL"
    CONFIDENTIAL = "CONFIDENTIAL"
    RESTRICTED = "RESTRICTED"

    @property
    def rank(self) -> int:
        """Tens leave room for levels of a platform's own."""
        return 10 * tuple(ClassificationLevel).index(self)


class SqlLinting(str, Enum):
    """What a finding of the SQL linter does."""

    DISABLED = "DISABLED"
    WARN = "WARN"
    ERROR = "ERROR"


class NamingEnforcement(str, Enum):
    """What the name of a model outside the architecture does."""

    OFF = "off"
    WARN = "warn"
    STRICT = "strict"


class IdentityEnforcement(str, Enum):
    """What compile does about the namespace of a product."""

    OFF = "off"
    WARN = "warn"
    REGISTER = "register"
    ENFORCE = "enforce"


class Ownership(str, Enum):
    """How a repository shows that it owns a namespace."""

    DECLARED = "declared"
    ATTESTED = "attested"


class SqlTrust(str, Enum):
    """How far SQL rules may reach; the later word is stricter."""

    FULL = "full"
    RESTRICTED = "restricted"


LintWord = Annotated[
    SqlLinting, Field(strict=False), BeforeValidator(word_of(SqlLinting)), WithJsonSchema(words_schema(SqlLinting))
]
NamingWord = Annotated[
    NamingEnforcement,
    Field(strict=False),
    BeforeValidator(word_of(NamingEnforcement)),
    WithJsonSchema(words_schema(NamingEnforcement)),
]
IdentityWord = Annotated[
    IdentityEnforcement,
    Field(strict=False),
    BeforeValidator(word_of(IdentityEnforcement)),
    WithJsonSchema(words_schema(IdentityEnforcement)),
]
OwnershipWord = Annotated[
    Ownership, Field(strict=False), BeforeValidator(word_of(Ownership)), WithJsonSchema(words_schema(Ownership))
]
TrustWord = Annotated[
    SqlTrust, Field(strict=False), BeforeValidator(word_of(SqlTrust)), WithJsonSchema(words_schema(SqlTrust))
]
