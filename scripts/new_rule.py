"""Begin a rule: `make new-rule ID=property-frozen` writes its file and says what else a new rule needs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

RULES = Path(__file__).parents[1] / "src/floe_contracts/compat/rules"

_RULE = """\
id: {id}
area: columns
bump: major
direction: both
title: What happened, as a short sentence without a full stop
why: What happens to readers, in one or two sentences.
message: "{{element}} changed: {{old}} → {{new}}"
fix: How to do it without breaking anybody; otherwise publish {{next_major}}.
since: 0.1.0
examples:
  - name: what makes the rule speak
    dialect: fields
    before: "fields: [{{name: note, type: STRING}}]"
    after: "fields: [{{name: note, type: STRING}}]"
    expect: [orders.note]
  - name: what looks alike and is not meant
    dialect: fields
    before: "fields: [{{name: note, type: STRING}}]"
    after: "fields: [{{name: note, type: STRING}}]"
    expect: []
"""
_STEPS = """\
wrote {path}

Then:
  1. src/floe_contracts/compat/kinds.py   add {member} = "{id}"
  2. src/floe_contracts/compat/           yield the fact where the change is seen (properties.py, slas.py, …)
  3. tests/support/fact_examples.py               add the smallest pair of contracts that shows it
  4. {path}
                                          write the texts and the examples
  5. make rules docs                      compile the rules, render docs/rules/
  6. UPDATE_SNAPSHOTS=1 make test ARGS=tests/compat
                                          and review the diff of tests/compat/rule_matrix.txt
"""


def main(arguments: list[str]) -> int:
    """Write the file unless it exists."""
    rule_id = arguments[0] if len(arguments) == 1 else ""
    if not re.fullmatch(r"[a-z]+(?:-[a-z]+)+", rule_id):
        print("usage: make new-rule ID=what-happened, in lower case with dashes", file=sys.stderr)
        return 2
    path = RULES / f"{rule_id}.yaml"
    if path.exists():
        print(f"there is a rule {rule_id} already: {path.relative_to(RULES.parents[3])}", file=sys.stderr)
        return 2
    path.write_text(_RULE.format(id=rule_id), "utf-8")
    member = rule_id.upper().replace("-", "_")
    print(_STEPS.format(path=path.relative_to(RULES.parents[3]), id=rule_id, member=member), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
