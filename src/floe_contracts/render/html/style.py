"""The style sheet of the HTML page: system fonts, light and dark, narrow and wide, screen and paper."""

from __future__ import annotations

from .palette import PALETTE

STYLE = (
    PALETTE
    + """* { box-sizing: border-box; }
html { scroll-padding-top: 5.5rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
code, pre, .diff td { font: 0.87em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { background: var(--code); border-radius: 4px; padding: 0.1em 0.35em; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 2px; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px;
}
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--card); padding: 0.5rem 1rem; }
.top {
  position: sticky; top: 0; z-index: 1; background: var(--card); border-bottom: 1px solid var(--line);
  border-top: 4px solid var(--verdict);
}
.top > div, main, footer { max-width: 75rem; margin: 0 auto; padding: 0.85rem 1.5rem; }
.top > div { display: flex; gap: 0.4rem 0.9rem; align-items: baseline; flex-wrap: wrap; }
.top h1 { font-size: 1.05rem; line-height: 1.4; font-weight: 600; margin: 0; flex: 1 1 24rem; overflow-wrap: anywhere; }
.pass { --verdict: var(--green); --verdict-bg: var(--green-bg); }
.blocked { --verdict: var(--red); --verdict-bg: var(--red-bg); }
.unsure { --verdict: var(--amber); --verdict-bg: var(--amber-bg); }
.verdict, .pill {
  display: inline-block; border-radius: 999px; padding: 0.1rem 0.65rem; font-size: 0.8rem; font-weight: 600;
  white-space: nowrap;
}
.verdict { background: var(--verdict-bg); color: var(--verdict); letter-spacing: 0.03em; font-size: 0.85rem; }
.pill { background: var(--code); color: var(--soft); }
.pill.error, .pill.critical, .pill.major, .pill.block { background: var(--red-bg); color: var(--red); }
.pill.warning, .pill.minor { background: var(--amber-bg); color: var(--amber); }
.pill.info, .pill.patch { background: var(--blue-bg); color: var(--blue); }
.pill.passed { background: var(--green-bg); color: var(--green); }
.soft { color: var(--soft); }
main { padding-top: 1.5rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0 0 1.5rem; padding: 0; }
nav a {
  display: inline-flex; gap: 0.5rem; align-items: center; padding: 0.3rem 0.45rem 0.3rem 0.8rem; text-decoration: none;
  color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 999px; font-size: 0.9rem;
}
nav a:hover { border-color: var(--link); }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: 0 0 1.5rem;
  padding: 1.1rem 1.4rem 1.3rem; overflow: clip;
}
.card > header { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; align-items: baseline; }
h2 { font-size: 1.2rem; margin: 0; overflow-wrap: anywhere; }
h3 { font-size: 0.95rem; color: var(--soft); margin: 1.3rem 0 0.6rem; }
.card > header .path { color: var(--soft); font-size: 0.9rem; overflow-wrap: anywhere; }
.version { margin: 0.5rem 0 0; }
.version + p { margin: 0.3rem 0 0; }
.finding { border-left: 4px solid var(--line); padding: 0.15rem 0 0.15rem 1rem; margin: 0 0 1.1rem; }
.finding.critical, .finding.error { border-color: var(--red); }
.finding.warning { border-color: var(--amber); }
.finding.info { border-color: var(--blue); }
.finding.excused { border-color: var(--line); }
.finding > p { margin: 0.3rem 0; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: 0.25rem 0.6rem; align-items: baseline; font-size: 0.9rem; }
.facts .rule { font-weight: 600; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem; margin: 0.5rem 0; }
.sides div { border-radius: 6px; padding: 0.45rem 0.7rem; overflow-wrap: anywhere; }
.sides dt { font-size: 0.75rem; color: var(--soft); }
.sides dd { margin: 0; font: 0.87em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.sides .before { background: var(--old); }
.sides .after { background: var(--new); }
.sides .expected, .sides .actual { background: var(--code); }
dl { margin: 0; }
.readers { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
.readers th { text-align: left; font-weight: 600; color: var(--soft); font-size: 0.8rem; }
.readers td:last-child, .readers th:last-child { min-width: 0; padding-right: 0; }
.readers td, .readers th {
  padding: 0.35rem 0.8rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; min-width: 6rem;
}
.readers code { white-space: nowrap; }
.wide { overflow-x: auto; }
details { margin: 1rem 0 0; }
summary { cursor: pointer; font-weight: 600; }
details > :not(summary) { margin-top: 0.8rem; }
pre { background: var(--code); border-radius: 6px; padding: 0.8rem 1rem; overflow-x: auto; margin: 0.5rem 0 0; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin-top: 0.8rem; }
.diff { border-collapse: collapse; width: 100%; min-width: 46rem; table-layout: fixed; }
.diff col.number { width: 4rem; }
.diff th { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); color: var(--soft); }
.diff td.number { text-align: right; color: var(--soft); padding: 0 0.6rem 0 0; white-space: nowrap; }
.diff .number a { color: var(--red); font-weight: 700; text-decoration: none; }
.diff td { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 0.5rem; vertical-align: top; }
.diff td.none { background: var(--code); }
.diff td.old { background: var(--old); }
.diff td.new { background: var(--new); }
.diff .old mark { background: var(--old-mark); }
.diff .new mark { background: var(--new-mark); }
.diff mark { color: inherit; border-radius: 2px; }
.diff tr.noted td { box-shadow: inset 0 1px 0 var(--red), inset 0 -1px 0 var(--red); }
.diff tr:target td { background: var(--amber-bg); }
.diff .gap td { text-align: center; color: var(--soft); background: var(--code); padding: 0.15rem; }
.notes { margin: 0 0 1.5rem; padding-left: 1.2rem; }
footer { color: var(--soft); font-size: 0.87rem; padding-bottom: 2.5rem; }
@media (max-width: 40rem) {
  .top > div, main, footer { padding-left: 0.9rem; padding-right: 0.9rem; }
  .card { padding: 0.9rem 0.95rem 1rem; }
  .sides { grid-template-columns: 1fr; }
  .finding { padding-left: 0.7rem; }
}
@media print {
  :root {
    --page: #ffffff; --card: #ffffff; --ink: #000000; --soft: #444444; --line: #bbbbbb; --code: #f2f2f2;
    --link: #000000;
    --red: #9b1c14; --red-bg: #ffffff; --amber: #6d4200; --amber-bg: #ffffff; --green: #14532d; --green-bg: #ffffff;
    --blue: #143f6b; --blue-bg: #ffffff; --old: #fbe9e7; --old-mark: #f3bdb7; --new: #e4f4e8; --new-mark: #b4dfc0;
  }
  body { font-size: 10.5pt; }
  .top { position: static; }
  nav, .skip { display: none; }
  h2, h3, .card > header { break-after: avoid; }
  .finding, .readers tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; height: auto; }
  .verdict, .pill { border: 1px solid currentColor; }
  .diff { min-width: 0; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
"""
)
