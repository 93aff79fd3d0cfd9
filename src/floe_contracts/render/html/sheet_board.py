"""What only the report page shows: counts, tiles with pictures, problems, timeline and calendar."""

from __future__ import annotations

BOARD = """
.violated { --edge: var(--red); }
.errored, .missed, .mild { --edge: var(--amber); }
.card.passing { --edge: transparent; }
.glyph { width: 1.05rem; height: 1.05rem; flex: none; fill: var(--soft); fill-rule: evenodd; }
.glyph.violated { fill: var(--red); }
.glyph.errored, .glyph.missed { fill: var(--amber); }
.glyph.passing { fill: var(--green); }
.counts { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 0 0 1.25rem; }
.counts button {
  font: inherit; color: inherit; text-align: left; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; padding: 0.75rem 1rem; display: grid; align-content: start; gap: 0.1rem; cursor: pointer;
  flex: 1 1 11rem; max-width: 24rem;
}
.counts button:disabled { cursor: default; }
.counts button:not(:disabled):hover { border-color: var(--soft); }
.counts button[aria-pressed="true"] { border-color: var(--focus); box-shadow: inset 0 0 0 1px var(--focus); }
.counts .label { display: flex; gap: 0.45rem; align-items: center; font-size: 0.88rem; font-weight: 600; }
.counts .label::first-letter, .counts .label { text-transform: capitalize; }
.counts strong { font-size: 1.9rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; }
.counts .zero { --edge: transparent; }
.counts .zero .glyph { fill: var(--soft); }
.counts .zero strong { color: var(--soft); font-weight: 500; }
.problems { display: grid; gap: 0.9rem; margin: 0.1rem 0 1.1rem; }
.problems li { border-left: 3px solid var(--line); padding: 0.05rem 0 0.05rem 0.9rem; }
.problems .critical, .problems .error, .timeline .error, .timeline .critical { border-color: var(--red); }
.problems .warning, .timeline .warning { border-color: var(--amber); }
.problems .info, .timeline .info { border-color: var(--blue); }
.facts { display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; align-items: baseline; font-size: 0.88rem; }
.facts .check { font-weight: 600; }
.message { margin: 0.25rem 0 0.1rem; overflow-wrap: anywhere; }
.both { display: flex; flex-wrap: wrap; gap: 0.1rem 1.5rem; font-size: 0.88rem; margin: 0.2rem 0; }
.both div { display: flex; gap: 0.5rem; }
.both dt { color: var(--soft); }
.both dd { overflow-wrap: anywhere; }
.which { font-weight: 600; }
.since { min-width: 5rem; text-align: right; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); gap: 0.75rem; }
.tile {
  border: 1px solid var(--line); border-radius: 8px; padding: 0.65rem 0.8rem 0.6rem; min-width: 0;
  display: grid; align-content: start;
}
.tile.violated { border-color: var(--red); }
.tile.errored, .tile.missed, .tile.mild { border-color: var(--amber); }
.mild > summary .glyph, .tile.mild .glyph { fill: var(--amber); }
.tile-head { display: flex; justify-content: space-between; gap: 0.5rem; font-size: 0.8rem; align-items: center; }
.tile-head h4 { font-size: 0.85rem; font-weight: 600; display: flex; gap: 0.35rem; align-items: center; }
.tile-head .glyph { width: 0.9rem; height: 0.9rem; }
.tile-value { margin: 0.15rem 0 0.5rem; }
.tile-value strong, .tile-value .soft { display: block; }
.tile-value .soft { min-height: 1.5em; }
.tile-value strong { font-size: 1.3rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; }
.tile-value .soft, .tile-below, .tile-foot { font-size: 0.8rem; }
.tile-below { margin-top: 0.35rem; }
.tile-foot { color: var(--soft); margin-top: 0.35rem; font-variant-numeric: tabular-nums; }
svg { display: block; }
.trend { width: 100%; height: 3rem; overflow: visible; }
.trend path { fill: none; vector-effect: non-scaling-stroke; }
.trend .beyond { fill: var(--red-bg); opacity: 0.75; }
.trend .limit { stroke: var(--red); stroke-width: 1; stroke-dasharray: 3 3; }
.trend .value { stroke: var(--link); stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
.trend .now { stroke: var(--link); stroke-width: 6; stroke-linecap: round; }
.tile.violated .now { stroke: var(--red); }
.strip { width: 100%; height: 1.6rem; margin: 0.7rem 0; border-radius: 3px; }
.strip .passing, .bar .passing { fill: var(--good); }
.strip .violated, .bar .violated { fill: var(--red); }
.strip .errored, .strip .warned, .bar .low { fill: var(--fair); }
.strip .none, .bar .ground { fill: var(--line); }
.bar { width: 100%; height: 0.35rem; border-radius: 3px; margin-bottom: 0.25rem; }
:root { --good: #7fbf96; --fair: #dca648; }
@media (prefers-color-scheme: dark) { :root { --good: #3f8a5b; --fair: #b3822f; } }
.panels, .panels > div { display: grid; gap: 0.9rem; align-content: start; min-width: 0; }
.panels { grid-template-columns: 1fr 1fr; margin-top: 1.8rem; }
.panel {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem 1.1rem;
  min-width: 0;
}
.timeline li { border-left: 3px solid var(--line); padding: 0 0 0 0.9rem; margin: 0 0 0.9rem; }
.timeline li:last-child { margin-bottom: 0; }
.calendar li { padding: 0 0 0.9rem; margin: 0 0 0.9rem; border-bottom: 1px solid var(--line); }
.calendar li:last-child { padding-bottom: 0; margin-bottom: 0; border-bottom: 0; }
.course { width: 100%; height: 1.1rem; margin: 0.45rem 0 0.35rem; }
.course path { vector-effect: non-scaling-stroke; fill: none; stroke-width: 6; }
.course .ground { stroke: var(--line); }
.course .notice { stroke: var(--fair); }
.course .ending { stroke: var(--red); }
.course .today { stroke: var(--ink); stroke-width: 2; }
.dates { display: flex; flex-wrap: wrap; gap: 0.1rem 1.4rem; font-size: 0.85rem; }
.dates div { display: flex; gap: 0.45rem; }
.dates dt { color: var(--soft); }
.reads { display: grid; gap: 0.15rem; }
.reads li { display: flex; gap: 0.4rem; align-items: center; }
.end { margin-top: 0.7rem; }
.body > .part:first-child { margin-top: 0.1rem; }
.tile.errored .tile-value strong, .tile.missed .tile-value strong { color: var(--soft); }
.purpose { max-width: 60rem; margin-bottom: 0.7rem; }
.facts-list { display: flex; flex-wrap: wrap; gap: 0.25rem 1.8rem; font-size: 0.9rem; }
.facts-list div { display: flex; gap: 0.5rem; }
.facts-list dt { color: var(--soft); white-space: nowrap; }
.facts-list dd { overflow-wrap: anywhere; }
.split { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 2.5rem; }
.part .soft { font-weight: 400; }
.meaning { min-width: 12rem; }
.marks .pill { font-weight: 500; }
.changes { display: grid; gap: 0.2rem; margin-top: 0.25rem; }
.changes li { border: 0; margin: 0; padding: 0; overflow-wrap: anywhere; }
@media (max-width: 60rem) { .panels, .split { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 44rem) {
  .counts { gap: 0.5rem; }
  .counts button { padding: 0.55rem 0.8rem; flex-basis: 9rem; }
  .counts strong { font-size: 1.5rem; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 0.5rem; }
  .tile { padding: 0.55rem 0.6rem; }
  .tile-head .soft { display: none; }
  .tile-value strong { font-size: 1.1rem; }
  .tile:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .since { text-align: left; min-width: 0; }
  .panel { padding: 0.9rem; }
}
"""
