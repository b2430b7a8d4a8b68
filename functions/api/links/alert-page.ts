// The page of an alert: what is true now, the act that it was opened for, and the others that make sense now. Pure.
import type { TicketLink } from '#shared/alerts/ticket-link.ts';
import { chartAltText } from '#shared/charts/alt-text.ts';
import { chartFactsOf } from '#shared/delivery/alert-chart.ts';
import { momentText } from '#shared/delivery/message/figures.ts';
import { eventTitle, factRows, numberNow, whenAndWhere } from './alert-words.ts';
import type { LinkPage, PageChart, PriceField, Question } from './link-page.ts';
import type { LinkedAlert } from './linked-alert.ts';
import { type PageActName, pageActNames, pageActs, watchIn } from './page-acts.ts';

/** What the page is shown for. */
export interface Shown {
  /** The act that it was opened for, or that was pressed. */
  asked?: PageActName | undefined;
  /** Whether the act was pressed and is in effect. */
  isPressed?: boolean;
  /** Why a press did nothing. */
  notice?: string;
  /** The price that the reader wrote and that can't be read. */
  price?: PriceField;
}

/** Changes nothing. */
export function alertPage(state: LinkedAlert, shown: Shown = {}): LinkPage {
  const { asked, notice } = shown;
  const question = asked && questionOf(state, asked, shown);
  const above = new Set([asked, question?.press?.act]);
  const presses = pageActNames.flatMap((name) => {
    const offer = pageActs[name].offer(state);
    return 'press' in offer && !above.has(name) ? [offer.press] : [];
  });
  return {
    title: eventTitle(state),
    subtitle: whenAndWhere(state),
    notice,
    question,
    value: numberNow(state),
    chart: chartOf(state),
    tickets: ticketsOf(state),
    facts: factRows(state),
    lines: [],
    presses,
  };
}

/** The values that were frozen with the alert; `value` says what is so now. */
function chartOf({ alert, chartPath, timeZone }: LinkedAlert): PageChart | undefined {
  const facts = chartFactsOf(alert);
  if (!facts || chartPath === undefined) return undefined;
  const caption = `Until the alert, ${momentText(alert.observedAt, timeZone)}`;
  return { path: chartPath, alt: chartAltText(facts), caption };
}

/** Nothing is to be bought after the event, or after a purchase. */
function ticketsOf(state: LinkedAlert): TicketLink[] {
  if (state.isOver || watchIn(state)?.bought) return [];
  const [only, ...others] = state.tickets;
  if (!only || others.length > 0) {
    return state.tickets.map(({ label, url }) => ({ label: `Tickets at ${label}`, url }));
  }
  return [{ label: 'See tickets', url: only.url }];
}

/** The act's question with its button; what is so already, with its undo; or why it can't be done. */
function questionOf(state: LinkedAlert, name: PageActName, { isPressed, price }: Shown): Question {
  const { question, offer, done, undo } = pageActs[name];
  const offered = offer(state);
  if ('press' in offered && !isPressed) {
    const { hint, ...press } = offered.press;
    const lines = hint === undefined ? [] : [hint];
    return { title: question(state), lines, press: { ...press, ...(price && { price }) } };
  }
  const isSo = done(state);
  if (isSo === undefined) {
    const why = 'refused' in offered ? [offered.refused] : [];
    return { title: 'This can’t be done now', lines: why };
  }
  const back = undo && pageActs[undo].offer(state);
  const press = back && 'press' in back ? back.press : undefined;
  return { title: 'Done', isDone: true, lines: [isSo], press };
}
