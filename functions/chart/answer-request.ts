// The HTTP side of charts: what a request asks, and how the answer is cached.
import type { RouteReply, RouteRequest } from '#shared/lambda/route-handler.ts';
import { textAnswer } from '#shared/lambda/route-handler.ts';
import type { ShowChart } from './show-chart.ts';

/** The values of a chart never change, so neither does its picture. */
const pictureHeaders = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=31536000, immutable',
} as const;

const ending = '.png';

/** Answers `GET` and `HEAD /c/{token}`, where the token ends with `.png`. */
export async function answerRequest(
  { path: { token: file = '' }, query, wantsBody }: RouteRequest,
  { showChart, now }: { showChart: ShowChart; now: number },
): Promise<RouteReply> {
  const token = file.endsWith(ending) ? file.slice(0, -ending.length) : '';
  const theme = query.theme === 'dark' ? 'dark' : 'light';
  const shown = await showChart({ token, theme, wantsPicture: wantsBody }, now);
  return shown
    ? { status: 200, headers: pictureHeaders, body: shown.png }
    : textAnswer(404, 'There is no such picture.');
}
