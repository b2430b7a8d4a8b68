// Slack: its URLs, and the meaning of its answers. slack-blocks.ts has the message.
import type { PostAnswer } from '../outbound/post-answer.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import type { HttpForm } from './channel-kind.ts';
import { gone, isSuccess, type Judgement, mayPass, refused, unconfirmed } from './judgement.ts';
import { renderSlack, renderSlackText } from './slack-blocks.ts';
import { chatHeaders, chatRow, urlSecrets } from './url-target.ts';

/** The first step to both kinds of channels at Slack. */
export const makeSlackApp =
  'Open api.slack.com/apps, press “Create New App” and choose your workspace.';

export const slack = chatRow('slack', {
  label: 'Slack',
  // Slack's workflow triggers (/triggers/) take JSON that their owner defines, so they count as webhooks.
  isOwnUrl: ({ hostname, pathname }) =>
    /^hooks\.slack(-gov)?\.com$/.test(hostname) && pathname.startsWith('/services/'),
  acceptsOnlyItsForm: true,
  pace: { messages: 1, perMs: 1_000 },
  example: 'https://hooks.slack.com/services/T/B/X',
  guide: {
    about: 'A message with a picture and buttons in one channel.',
    steps: [
      makeSlackApp,
      'Open “Incoming Webhooks” and switch it on.',
      'Press “Add New Webhook to Workspace”, choose the channel and allow it.',
      'Copy the webhook URL.',
    ],
    fields: [
      {
        ...{ name: 'url', label: 'Webhook URL', form: 'url' },
        example: 'https://hooks.slack.com/services/…',
      },
    ],
  },
});

export const slackForm: HttpForm<{ kind: 'slack'; url: string }> = {
  request: ({ message }, { url }) => ({ url, headers: chatHeaders, body: renderSlack(message) }),
  plainerBody: (message) => renderSlackText(message),
  secretsOf: urlSecrets,

  judge(answer, now) {
    if (isSuccess(answer)) return answer.excerpt.trim() === 'ok' ? { kind: 'sent' } : unconfirmed();
    if ([403, 404, 410].includes(answer.status) || isPlaceGone(answer)) return gone(answer);
    if (answer.status === 413) return { kind: 'reshape', reason: 'http_413' };
    if (answer.status === 400) return judgeBadRequest(answer);
    return mayPass(answer, retryAfterMs(answer.headers['retry-after'], now));
  },
};

/** Slack's answers with status 400 when the destination can't be written to, whatever the message. */
const placeGone =
  /^(user_not_found|channel_not_found|channel_is_archived|no_service|no_service_id|no_team|no_active_hooks|team_disabled|invalid_token|action_prohibited|posting_to_general_channel_denied)$/;

function isPlaceGone({ status, excerpt }: PostAnswer): boolean {
  return status === 400 && placeGone.test(excerpt.trim());
}

/** Retries once in a plainer form if Slack rejected the form. */
function judgeBadRequest(answer: PostAnswer): Judgement {
  return /block|payload|text/.test(answer.excerpt)
    ? { kind: 'reshape', reason: 'http_400' }
    : refused(answer);
}
