// Signed addresses that name one alert on one channel. A sender makes them from the channel's stop address, so
// it needs no secret of the deployment; links.ts reads them.
import { macOf } from './link-mac.ts';
import { tokenParts, tokenPayload, tokenText } from './link-token.ts';

/** The letters of the tokens: the page with the alert's actions, and its chart. */
export const alertLetters = { page: 'a', chart: 'g' } as const;
export type AlertLetter = (typeof alertLetters)[keyof typeof alertLetters];

/** The addresses that name an alert. */
export interface AlertLinks {
  /** The page that says what is true now and offers the alert's actions; `act` names the one to show first. */
  pageUrl(alertId: string, act?: string): string;
  /** The alert's chart as PNG. */
  chartUrl(alertId: string): string;
}

/**
 * @param stopUrl the channel's stop address, `…/l/TOKEN`. Its signature is the key of the alert's token, so an
 *   alert's token does not open the channel's own page.
 * @returns undefined for a channel without a stop address: the operator's.
 */
export function createAlertLinks(stopUrl: string): AlertLinks | undefined {
  const [publicUrl, token = ''] = stopUrl.split('/l/');
  const stop = tokenParts(token);
  if (!stop) return undefined;
  const tokenOf = (letter: AlertLetter, alertId: string): string => {
    const payload = tokenPayload(letter, stop.channelId, Buffer.from(alertId));
    return tokenText(payload, macOf(payload, stop.mac));
  };
  return {
    pageUrl(alertId, act) {
      const page = `${publicUrl}/l/${tokenOf(alertLetters.page, alertId)}`;
      return act === undefined ? page : `${page}?do=${act}`;
    },
    chartUrl: (alertId) => `${publicUrl}/c/${tokenOf(alertLetters.chart, alertId)}.png`,
  };
}
