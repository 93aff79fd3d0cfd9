"""The colours of every page that floe writes, light and dark; each ink is readable on each ground it is used on."""

from __future__ import annotations

PALETTE = """
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2430; --soft: #56616f; --line: #dde2e8; --code: #eef1f5;
  --link: #0b5cad; --focus: #0b5cad;
  --red: #b3261e; --red-bg: #fdecea; --amber: #8a5300; --amber-bg: #fff4df;
  --green: #1a6b3a; --green-bg: #e6f5eb; --blue: #1f5a96; --blue-bg: #e9f2fb;
  --old: #ffe9e7; --old-mark: #ffc4bf; --new: #e2f6e7; --new-mark: #a9e3b9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f141a; --card: #171e26; --ink: #e4e9ef; --soft: #9daab8; --line: #2b3541; --code: #222c37;
    --link: #7cb8f5; --focus: #7cb8f5;
    --red: #ff9b93; --red-bg: #3b1a1a; --amber: #f5c469; --amber-bg: #3a2b10;
    --green: #83d6a0; --green-bg: #14301f; --blue: #93c4f5; --blue-bg: #16293d;
    --old: #3a1c1e; --old-mark: #6d2b2c; --new: #15301f; --new-mark: #22603a;
  }
}
"""
