// A watch as a person writes it: its rules, what they would have told, who hears of it, what it costs.
import type { ComponentChildren } from 'preact';
import { canWrite } from '../../state/session.ts';
import { ChannelsCard } from './channels-card.tsx';
import { channelsToSend } from './chosen-channels.ts';
import { type Composition, isWhole, openRule } from './composition.ts';
import { CostCard } from './cost-card.tsx';
import { OftenCard } from './often-card.tsx';
import { chartZoneOf } from './rule-amount.ts';
import { RuleCard } from './rule-card.tsx';
import { faultsOf, faultsUnder } from './rule-faults.ts';
import { RuleList } from './rule-list.tsx';
import { SaveButton } from './save-button.tsx';
import { ToldCard } from './told-card.tsx';
import { useChannels } from './use-channels.ts';
import { usePreview } from './use-preview.ts';

/** As the API's default has it, in seconds. */
const usualLatency = 3_600;

interface ComposeProps {
  composition: Composition;
  /** On the button, such as `Watch it`. */
  saveText: string;
  /** Why it can't be saved now; empty if it can. */
  blocked?: string;
  /** @param channels undefined: the defaults */
  save: (channels: readonly string[] | undefined) => Promise<unknown>;
  /** Further cards under the rules. */
  children?: ComponentChildren;
}

export function Compose({ composition, saveText, blocked = '', save, children }: ComposeProps) {
  const known = useChannels();
  const preview = usePreview(composition);
  const { latest } = composition.event;
  const zones = Object.keys(latest?.zones ?? {});
  const draft = openRule(composition)?.draft;
  const zone = draft && chartZoneOf(draft);
  const metrics = zone === undefined ? latest?.metrics : latest?.zones[zone];
  const price = metrics?.get_in ?? undefined;
  const refused = faultsUnder(faultsOf(preview.error.value), 'rule/');
  const usual = known?.defaults.latency_seconds ?? usualLatency;
  return (
    <div class="grid compose">
      <div class="stack">
        <RuleList composition={composition} zones={zones} />
        <RuleCard {...{ composition, zones, price, refused }} />
        <ToldCard composition={composition} preview={preview} />
        {children}
      </div>
      <aside class="stack" aria-label="Before you save">
        <OftenCard composition={composition} preview={preview} />
        <ChannelsCard composition={composition} known={known} />
        <CostCard {...{ composition, preview, usualLatency: usual }}>
          <SaveButton
            {...{ composition, text: saveText }}
            why={known ? whyNot(composition, blocked) : 'Reading channels.'}
            save={async () => known && save(channelsToSend(composition, known))}
          />
        </CostCard>
      </aside>
    </div>
  );
}

function whyNot(composition: Composition, blocked: string): string {
  if (!canWrite.value) return 'This key can only read.';
  return isWhole(composition) ? blocked : 'A slot is still empty, or has no number.';
}
