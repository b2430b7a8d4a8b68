// The look of mails. Some mail programs drop the style element, so the light look is in each element's own
// style; the style element adds dark colours and small screens.
import { chartSize } from '../../charts/chart-scale.ts';
import { Markup } from '../message/markup.ts';

const font =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:22px";
const wrap = 'word-break:break-word;overflow-wrap:anywhere';
const ink = 'color:#15171c';
const muted = 'color:#5d6575';
/** A chart fits between the paddings and the borders. */
const cardWidth = chartSize.width + 2 * (24 + 1);

/** The light look of each part: declarations for a quoted attribute. */
const looks = {
  body: `margin:0;padding:0;background:#f4f4f1;${ink}`,
  page: 'padding:24px 12px;background:#f4f4f1',
  card: `max-width:${cardWidth}px;margin:0 auto;background:#ffffff;border:1px solid #e4e4de;border-radius:10px;box-sizing:border-box;${font};${ink};${wrap}`,
  part: 'padding:20px 24px',
  words: 'padding:20px 24px 10px',
  place: `margin:0;font-size:16px;line-height:22px;font-weight:600;${ink}`,
  title: `margin:0 0 12px;font-size:20px;line-height:27px;font-weight:650;${ink}`,
  soft: `margin:0;${muted}`,
  text: 'margin:0 0 12px',
  big: `margin:6px 0 0;font-size:40px;line-height:46px;font-weight:700;letter-spacing:-0.02em;${ink}`,
  detail: 'margin:2px 0 0;font-size:16px;line-height:23px;font-weight:600',
  line: 'margin:6px 0 0;font-size:15px;line-height:22px',
  lead: `font-weight:650;${ink}`,
  chart: `display:block;width:100%;max-width:${chartSize.width}px;height:auto;margin:14px 0 0;border:0;font-size:13px;line-height:18px`,
  // Gmail in a phone's browser drops `display`.
  dark: 'display:none;max-height:0;overflow:hidden',
  buttons: 'margin:14px 0 0',
  button:
    'display:inline-block;background:#0b6bcb;border:1px solid #0b6bcb;color:#ffffff;text-decoration:none;font-weight:600;padding:10px 18px;border-radius:8px;margin:0 8px 8px 0',
  second: `display:inline-block;background:transparent;border:1px solid #cfcfc7;${ink};text-decoration:none;font-weight:600;padding:10px 14px;border-radius:8px;margin:0 8px 8px 0`,
  rest: 'padding:12px 24px 20px;border-top:1px solid #e4e4de',
  table: 'width:100%;border-collapse:collapse;margin:0',
  label: `text-align:left;vertical-align:top;font-weight:400;${muted};padding:7px 14px 7px 0;width:84px;border-bottom:1px solid #eeeeea;word-break:normal`,
  cell: 'vertical-align:top;padding:7px 0;border-bottom:1px solid #eeeeea',
  acts: `margin:14px 0 0;${muted};font-size:14px;line-height:24px`,
  link: `${muted};text-decoration:underline;white-space:nowrap`,
  foot: `max-width:${cardWidth}px;margin:16px auto 0;${font};font-size:13px;line-height:19px;${muted};text-align:center`,
} as const;

/** A part of a mail; its name is also its class. */
export type MailPart = keyof typeof looks;

/** The class and style attributes of a part. @param more a further class, such as `fall`. */
export function lookOf(part: MailPart, more?: keyof typeof colours): Markup {
  const colour = more === undefined ? '' : `;${colours[more]}`;
  const names = more === undefined ? part : `${part} ${more}`;
  return new Markup(`class="${names}" style="${looks[part]}${colour}"`);
}

/** What a number did: it fell, or it rose. */
const colours = { fall: 'color:#0a7a4b', rise: 'color:#b04a00', flat: 'color:#5d6575' } as const;

/** Our constant style element; it contains no character that HTML would parse inside it. */
export const mailStyles = new Markup(`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
.dark { display: none; }
@media (max-width: 480px) {
  .page { padding: 10px 8px !important; }
  .part { padding: 16px 16px !important; }
  .words { padding: 16px 16px 8px !important; }
  .rest { padding: 10px 16px 16px !important; }
  .button, .second { display: block !important; text-align: center !important; margin: 0 0 8px !important; }
  .link { display: inline-block !important; padding: 10px 0 !important; }
}
@media (prefers-color-scheme: dark) {
  .body, .page { background: #0e1014 !important; color: #e8eaee !important; }
  .card { background: #16191f !important; border-color: #262b33 !important; color: #e8eaee !important; }
  .place, .title, .big, .lead { color: #e8eaee !important; }
  .soft, .label, .acts, .link, .foot { color: #9da6b5 !important; }
  .rest, .label, .cell { border-color: #262b33 !important; }
  .fall { color: #45c98b !important; }
  .rise { color: #f0a060 !important; }
  .flat { color: #9da6b5 !important; }
  .button { background: #5aa9f7 !important; border-color: #5aa9f7 !important; color: #07121f !important; }
  .second { border-color: #39404b !important; color: #e8eaee !important; }
  .light { display: none !important; }
  .dark { display: block !important; max-height: none !important; overflow: visible !important; }
}
`);
