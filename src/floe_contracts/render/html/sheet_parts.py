"""What every searchable page is made of: frame, tools, cards, tables, pills."""

from __future__ import annotations

PARTS = """
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
code, kbd { font: 0.87em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { background: var(--code); border-radius: 4px; padding: 0.1em 0.35em; overflow-wrap: anywhere; }
kbd {
  border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 0.35em; color: var(--soft);
}
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
h1, h2, h3, h4, p, dl, dd, ul, ol { margin: 0; }
ul, ol { padding: 0; list-style: none; }
.number, time, td.right, .counts strong, .tile-value { font-variant-numeric: tabular-nums; }
.soft { color: var(--soft); }
.small { font-size: 0.85rem; }
.warn { color: var(--amber); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
[hidden] { display: none !important; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; z-index: 3; background: var(--card); padding: 0.5rem 1rem; }
.top { position: sticky; top: 0; z-index: 2; background: var(--card); border-bottom: 1px solid var(--line); }
.top > div, main, footer { max-width: 80rem; margin: 0 auto; padding: 0.7rem 1.5rem; }
.top > div { display: flex; flex-wrap: wrap; gap: 0.2rem 2rem; align-items: center; justify-content: space-between; }
h1 { font-size: 1.05rem; font-weight: 650; letter-spacing: -0.01em; }
.top p { font-size: 0.85rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.1rem; margin: 0 -0.6rem; }
nav a { color: var(--soft); text-decoration: none; font-size: 0.9rem; padding: 0.25rem 0.6rem; border-radius: 6px; }
nav a:hover { color: var(--ink); background: var(--code); }
main { padding-top: 1.5rem; }
h2 { font-size: 1.05rem; font-weight: 650; margin-bottom: 0.8rem; }
#tools { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin: 0 0 1.1rem; }
.search { position: relative; flex: 1 1 18rem; }
.search kbd { position: absolute; right: 0.7rem; top: 50%; transform: translateY(-50%); }
#search:focus + kbd { visibility: hidden; }
#search, select, #clear {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 0.45rem 0.75rem; min-height: 2.5rem;
}
#search { width: 100%; appearance: none; }
#search::placeholder { color: var(--soft); opacity: 1; }
select { max-width: 14rem; }
#count {
  color: var(--soft); font-size: 0.9rem; font-variant-numeric: tabular-nums; min-width: 7rem; text-align: right;
}
#nothing { padding: 2rem; text-align: center; color: var(--soft); }
#clear { margin-left: 0.5rem; cursor: pointer; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: 0 0 0.6rem;
  box-shadow: inset 4px 0 0 var(--edge, transparent); overflow: clip;
}
.card > summary {
  display: flex; flex-wrap: wrap; gap: 0.15rem 0.65rem; align-items: center; cursor: pointer; list-style: none;
  padding: 0.75rem 1.1rem 0.75rem 1.25rem;
}
.card > summary::-webkit-details-marker { display: none; }
.card > summary:focus-visible { outline-offset: -3px; border-radius: 10px; }
.card > summary:hover h3 { text-decoration: underline; text-underline-offset: 3px; }
.card h3 { font-size: 1.02rem; font-weight: 650; overflow-wrap: anywhere; }
.card .version { color: var(--soft); font-size: 0.85rem; }
.card .about { font-size: 0.9rem; overflow-wrap: anywhere; }
.card .body { padding: 0 1.25rem 1.1rem; }
.standing {
  margin-left: auto; display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; align-items: center; font-size: 0.88rem;
}
.part { font-size: 0.8rem; font-weight: 600; color: var(--soft); margin: 1rem 0 0.4rem; }
.pill {
  display: inline-block; border-radius: 999px; padding: 0.05rem 0.6rem; font-size: 0.78rem; font-weight: 600;
  white-space: nowrap; background: var(--code); color: var(--soft);
}
.pill.error, .pill.critical, .pill.violated, .pill.major, .pill.block { background: var(--red-bg); color: var(--red); }
.pill.critical { background: var(--red); color: var(--card); }
.pill.warning, .pill.errored, .pill.missed, .pill.minor { background: var(--amber-bg); color: var(--amber); }
.pill.info, .pill.patch { background: var(--blue-bg); color: var(--blue); }
.pill.passing { background: var(--green-bg); color: var(--green); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 0.78rem; white-space: nowrap; }
td, th { padding: 0.35rem 1rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
td:last-child, th:last-child { padding-right: 0; }
td time { white-space: nowrap; }
.wide code { white-space: nowrap; }
.snug table { width: auto; min-width: min(100%, 34rem); }
.more { margin: 1rem 0 0; }
.more > summary, .panel summary { cursor: pointer; font-weight: 600; font-size: 0.9rem; }
.more > .wide { margin-top: 0.5rem; }
footer {
  color: var(--soft); font-size: 0.85rem; padding-bottom: 3rem; display: flex; flex-wrap: wrap; gap: 0.3rem 2rem;
}
.keys span { margin-right: 0.8rem; white-space: nowrap; }
.keys kbd { margin-right: 0.15rem; }
@media (max-width: 44rem) {
  .top > div, main, footer { padding-left: 0.9rem; padding-right: 0.9rem; }
  .top { position: static; }
  html { scroll-padding-top: 1rem; }
  .card > summary { padding: 0.7rem 0.9rem 0.7rem 1rem; }
  .card .body { padding: 0 0.9rem 1rem 1rem; }
  .standing { margin-left: 0; flex-basis: 100%; }
  .search { flex-basis: 100%; }
  select { flex: 1 1 8rem; }
  #count { text-align: left; }
  .keys { display: none; }
  nav a { font-size: 0.85rem; padding: 0.25rem 0.4rem; }
  nav { margin: 0 -0.4rem; }
}
@media print {
  .top { position: static; }
  nav, .skip, #tools, .keys { display: none !important; }
  .card, .panel { break-inside: avoid; }
  .card[hidden] { display: block !important; }
  details::details-content { content-visibility: visible; height: auto; }
  .pill { border: 1px solid currentColor; }
}
"""
