/**
 * Pictures of charts: the time of one, warm, beside the same renderer with an empty picture of the same size.
 *
 *   node test/proof/bench/chart.ts [--quick]
 */
import { parseArgs } from 'node:util';
import { loadRenderer } from '#functions/chart/render-png.ts';
import { chartSize } from '#shared/charts/chart-scale.ts';
import { chartSvg } from '#shared/charts/price-chart.ts';
import { typicalCharts } from '#test/support/charts.ts';
import { median, quantile } from '#test/support/quantile.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rounds = flags.quick ? 20 : 100;

const { width, height } = chartSize;
const empty = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/></svg>`;
const renderPng = await loadRenderer();
/** Milliseconds, with the making of the SVG where there is a chart. */
function timeOf(make: () => Uint8Array): { ms: number; bytes: number } {
  const from = performance.now();
  const { length: bytes } = make();
  return { ms: performance.now() - from, bytes };
}

const charts = Object.values(typicalCharts);
for (const facts of charts) renderPng(chartSvg(facts, 'light') ?? empty);
const took = Array.from({ length: rounds }, (_, round) => {
  const facts = charts[round % charts.length];
  const theme = round % 2 === 0 ? 'light' : 'dark';
  const chart = timeOf(() => renderPng((facts && chartSvg(facts, theme)) ?? empty));
  return { chart, peer: timeOf(() => renderPng(empty)) };
});

const of = (times: number[]) => ({ p50: median(times), p95: quantile(times, 0.95) });
const chart = of(took.map((each) => each.chart.ms));
const peer = of(took.map((each) => each.peer.ms));
const largest = Math.max(...took.map((each) => each.chart.bytes));
console.table({ 'a chart': chart, 'an empty picture of its size': peer });
console.log(
  `${charts.length} kinds of chart; the largest picture has ${Math.round(largest / 1_000)} KB`,
);
console.log(
  JSON.stringify({
    ...{ bench: 'chart', rounds, p50_ms: round(chart.p50), p95_ms: round(chart.p95) },
    ...{ empty_p50_ms: round(peer.p50), largest_bytes: largest },
  }),
);

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
