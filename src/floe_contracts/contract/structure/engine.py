"""The JSON schema engine, loaded without a mail library.

While it is being imported, jsonschema_rs parses the date of its own build with `email.utils`, which brings sockets,
random numbers and URLs: a twelfth of the CPU time of a gate on one changed contract. A stand-in answers that question
and is gone when the import is done. Whoever has the mail library already, or runs threads, gets the plain import.
"""

from __future__ import annotations

import sys
from types import ModuleType

_MAIL = "email.utils"


def _alone() -> bool:
    threads = sys.modules.get("threading")
    return threads is None or threads.active_count() == 1


if _MAIL in sys.modules or "jsonschema_rs" in sys.modules or not _alone():
    import jsonschema_rs
else:
    _stand_in = ModuleType(_MAIL)
    _stand_in.parsedate_to_datetime = str  # type: ignore[attr-defined]  # the one name that is asked for
    sys.modules[_MAIL] = _stand_in
    try:
        import jsonschema_rs
    finally:
        del sys.modules[_MAIL]

__all__ = ["jsonschema_rs"]
