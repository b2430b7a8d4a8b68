// Shows the chart of an alert to anyone who has its signed link. It reads one alert and its owner, and writes nothing.
import type { Alert } from '#shared/alerts/alert.ts';
import { chartSvg } from '#shared/charts/price-chart.ts';
import type { ChartTheme } from '#shared/charts/themes.ts';
import { chartFactsOf } from '#shared/delivery/alert-chart.ts';
import type { Links } from '#shared/delivery/links.ts';
import { isExpired } from '#shared/retention.ts';
import type { Owner } from '#shared/watchlist/owner.ts';
import type { RenderPng } from './render-png.ts';

interface ShowChartDeps {
  readLink: Links['read'];
  findAlert: (alertId: string) => Promise<Alert | undefined>;
  findOwner: (ownerId: string) => Promise<Owner | undefined>;
  renderPng: RenderPng;
}

/** The token of a link, the colours, and whether the picture itself is asked for. */
export interface ChartRequest {
  token: string;
  theme: ChartTheme;
  wantsPicture: boolean;
}

/** A chart; its bytes only if they were asked for. */
export interface ShownChart {
  png?: Uint8Array;
}

/** @returns undefined for a link that is not ours, and if the alert, its chart or its owner's data is gone. */
export type ShowChart = (request: ChartRequest, now: number) => Promise<ShownChart | undefined>;

export function createShowChart(deps: ShowChartDeps): ShowChart {
  return async function showChart({ token, theme, wantsPicture }, now) {
    const link = await deps.readLink(token, now);
    if (link?.action !== 'chart') return undefined;
    const alert = await deps.findAlert(link.alertId);
    if (!alert || isExpired(alert, now)) return undefined;
    const facts = chartFactsOf(alert);
    const svg = facts && chartSvg(facts, theme);
    if (svg === undefined) return undefined;
    const owner = await deps.findOwner(alert.ownerId);
    if (owner?.deletion) return undefined;
    return wantsPicture ? { png: deps.renderPng(svg) } : {};
  };
}
