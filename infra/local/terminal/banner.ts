/** The text for a person after the start: addresses and next steps. */
import type { RunFacts } from '../data-folder.ts';
import type { Screen } from './screen.ts';

export interface BannerOptions {
  facts: RunFacts;
  /** Seconds between two scheduled polls. */
  pollSeconds: number;
  /** Watches of the demo watchlist; 0 without it. */
  demoWatches: number;
}

export function showBanner(screen: Screen, options: BannerOptions): void {
  const { facts, pollSeconds, demoWatches } = options;
  const label = (text: string): string => screen.paint('bold', text.padEnd(13));
  screen.line();
  screen.line(screen.paint(['bold', 'green'], 'Getin is running.'));
  screen.line();
  screen.line(`  ${screen.paint('bold', 'Open the desk')} (signs you in once, within 15 minutes)`);
  screen.line(`    ${facts.desk}`);
  screen.line();
  screen.line(`  ${label('API')}${facts.api}/v1`);
  screen.line(`  ${label('Inbox')}${facts.inbox}`);
  screen.line(`  ${label('Webhooks')}${facts.webhooks}`);
  screen.line(`  ${label('Marketplace')}${facts.marketplace}`);
  screen.line(`  ${screen.paint('bold', 'API key')} (Authorization: Bearer …)`);
  screen.line(`    ${facts.api_key}`);
  screen.line();
  screen.line(nextStep(demoWatches, pollSeconds));
  screen.line(screen.paint('dim', 'Ctrl-C stops everything. Alerts appear here as they fire:'));
  screen.line();
}

function nextStep(demoWatches: number, pollSeconds: number): string {
  if (demoWatches === 0) {
    return `Make a watch at the desk; prices are polled every ${pollSeconds} s.`;
  }
  return `${demoWatches} demo watches are set; prices are polled every ${pollSeconds} s.`;
}
