// Presses a button of a link's page for a reader in a chat, whose button has no form: the page is read as it is now,
// and does what the button says or nothing.
import { alertActs } from '#shared/delivery/alert-acts.ts';
import type { ApiDeps } from '../api-deps.ts';
import { alertPage } from '../links/alert-page.ts';
import type { LinkPage } from '../links/link-page.ts';
import { type AlertPlace, findPlace } from '../links/link-place.ts';
import { createReadLinkedAlert } from '../links/linked-alert.ts';
import { isPageAct, type PageActName, pageActs } from '../links/page-acts.ts';
import { createPressAlert } from '../links/press-alert.ts';
import { createPressLink } from '../links/press-link.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

/**
 * @param label what the button said; undefined if that is not known.
 * @returns the page after the press; undefined if the link leads nowhere any more, or its page has no such button.
 */
export type PressPage = (
  token: string,
  act: string,
  label?: string,
) => Promise<LinkPage | undefined>;

/** Another alert's button, or the owner, has changed the rule since the message was sent. */
const otherLevel =
  'The rule was changed since, so nothing was done. The button has the next level now.';

type PressDeps = Pick<ApiDeps, 'stores' | 'senders' | 'links' | 'loadHistory' | 'buyLinks' | 'now'>;

/** A repeat changes nothing: what is in effect already is not done again. */
export function createPressPage(
  deps: PressDeps,
  changeWatch: Pick<WatchlistUse['changeWatch'], 'carryOut'>,
): PressPage {
  const pressLink = createPressLink(deps);
  const pressAlert = createPressAlert(deps, changeWatch);
  const readLinkedAlert = createReadLinkedAlert(deps);

  return async function pressPage(token, act, label) {
    const place = await findPlace(deps, token, undefined);
    if (!place || place === 'deleted') return undefined;
    if ('link' in place) return pressLink(place, act);
    return isPageAct(act) ? pressOfAlert(place, act, label) : undefined;
  };

  async function pressOfAlert(
    place: AlertPlace,
    act: PageActName,
    label: string | undefined,
  ): Promise<LinkPage> {
    const state = await readLinkedAlert(place, deps.now());
    const offered = pageActs[act].offer(state);
    if (act === alertActs.level && 'press' in offered) {
      const isAsSaid = label === undefined || label === offered.press.label;
      if (!isAsSaid) return alertPage(state, { asked: act, notice: otherLevel });
    }
    const fields = 'press' in offered ? offered.press.fields : {};
    return (await pressAlert(place, act, { do: act, ...fields })).page;
  }
}
