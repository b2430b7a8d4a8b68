// What a webhook would get with the settings of a form: the body of an alert, and what is wrong with a template.
import { useSignal } from '@preact/signals';
import { previewWebhook, type WebhookPreview } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { failed } from '../../parts/toasts.tsx';

/** The settings that a preview takes; headers change no body. */
const previewed = ['payload_version', 'body_template', 'content_type'];

export function BodyPreview({ settings }: { settings: () => Record<string, unknown> }) {
  const preview = useSignal<WebhookPreview | undefined>(undefined);
  async function show(): Promise<void> {
    const body = Object.fromEntries(
      Object.entries(settings()).filter(([name]) => previewed.includes(name)),
    );
    try {
      preview.value = await send(previewWebhook, { body });
    } catch (error) {
      failed(error);
    }
  }
  const { faults = [], messages = [] } = preview.value ?? {};
  const [first] = messages;
  return (
    <div class="field">
      <div class="row">
        <button type="button" onClick={() => void show()}>
          Show a message as it will be
        </button>
      </div>
      {faults.map(({ line, column, message }) => (
        <p key={`${line} ${column}`} class="small alarm-text" role="alert">
          Line {line}, column {column}: {message}
        </p>
      ))}
      {faults.length === 0 && first?.body && (
        <textarea class="secret" aria-label="The message" rows={10} readOnly value={first.body} />
      )}
    </div>
  );
}
