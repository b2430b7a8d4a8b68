// What an alert's message shows beside its words: where tickets are sold, the alert's page with what can be
// done there, and the chart.
import { chartAltText } from '#shared/charts/alt-text.ts';
import { sparklineOf } from '#shared/charts/sparkline.ts';
import type { Alert } from '../../alerts/alert.ts';
import { type BuyLinkTemplate, ticketLinks } from '../../alerts/ticket-link.ts';
import { offeredActs } from '../alert-acts.ts';
import { chartFactsOf } from '../alert-chart.ts';
import { type AlertLinks, createAlertLinks } from '../alert-links.ts';
import type { AlertExtras } from './message.ts';
import type { MessageLink } from './message-link.ts';

/**
 * @param stopUrl the stop address of the channel that gets the message; the operator's channels have none, and
 *   so no pages and no pictures.
 */
export function createAlertExtras(
  stopUrl: string,
  buyLinks: readonly BuyLinkTemplate[],
): (alert: Alert) => AlertExtras {
  const links = createAlertLinks(stopUrl);
  return (alert) => ({
    pageUrl: links?.pageUrl(alert.alertId),
    links: [...ticketsOf(alert, buyLinks), ...(links ? pagesOf(alert, links) : [])],
    ...chartOf(alert, links),
  });
}

/** The only place is named by what a reader wants there, several by their names. */
function ticketsOf(alert: Alert, buyLinks: readonly BuyLinkTemplate[]): MessageLink[] {
  const found = ticketLinks(alert, buyLinks);
  return found.map(({ label, url }, index) => ({
    kind: 'tickets',
    label: index === 0 ? 'See tickets' : label,
    url,
  }));
}

function pagesOf(alert: Alert, links: AlertLinks): MessageLink[] {
  const { alertId } = alert;
  const acts = offeredActs(alert).map(({ act, label }): MessageLink => {
    return { kind: 'act', label, url: links.pageUrl(alertId, act) };
  });
  return [{ kind: 'open', label: 'Open in Getin', url: links.pageUrl(alertId) }, ...acts];
}

function chartOf(
  alert: Alert,
  links: AlertLinks | undefined,
): Pick<AlertExtras, 'chart' | 'sparkline'> {
  const facts = chartFactsOf(alert);
  if (!facts) return { chart: undefined, sparkline: '' };
  const sparkline = sparklineOf(facts.chart.points);
  if (!links) return { chart: undefined, sparkline };
  const url = links.chartUrl(alert.alertId);
  return { chart: { url, darkUrl: `${url}?theme=dark`, alt: chartAltText(facts) }, sparkline };
}
