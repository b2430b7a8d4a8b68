/**
 * Fuzzes the watchlist API and the marketplace with schemathesis, from their own documents: fails on any 5xx, and
 * on any answer that the document does not name. Limited in time, seeded, loopback only.
 *
 *   npm run fuzz [-- --examples N] [--only watchlist|marketplace] [--seconds N]
 */
import { parseArgs } from 'node:util';
import { startMarketplaceTarget } from './marketplace.ts';
import { fuzz, installSchemathesis, type Target } from './schemathesis.ts';
import { startWatchlistTarget } from './watchlist.ts';

const targets: Record<string, () => Promise<Target>> = {
  watchlist: startWatchlistTarget,
  marketplace: startMarketplaceTarget,
};

interface Arguments {
  examples: number;
  /** For each system; both together stay under five minutes. */
  seconds: number;
  only: string | undefined;
}

async function main(o: Arguments): Promise<number> {
  if (!installSchemathesis()) {
    console.log('fuzz: skipped, no Python 3 or no package index');
    return 0;
  }
  let worst = 0;
  for (const [name, start] of Object.entries(targets)) {
    if (o.only !== undefined && o.only !== name) continue;
    const target = await start();
    console.log(`fuzz: ${target.name} at ${target.url}, up to ${o.seconds} s`);
    const code = await fuzz(target, o);
    const faults = target.readFaults();
    for (const fault of faults.slice(0, 10)) console.log(fault);
    await target.stop();
    if (code === 124) console.log(`fuzz: ${target.name} was stopped, it took too long`);
    worst = Math.max(worst, code, faults.length > 0 ? 1 : 0);
  }
  return worst;
}

function readNumber(name: string, text: string, max: number): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= max) return number;
  throw new TypeError(`--${name} must be a whole number from 1 to ${max}`);
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      examples: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '130' },
      only: { type: 'string' },
    },
  });
  const { only } = values;
  if (only !== undefined && !Object.hasOwn(targets, only)) {
    throw new TypeError(`--only must be one of ${Object.keys(targets).join(', ')}`);
  }
  return {
    examples: readNumber('examples', values.examples, 1000),
    seconds: readNumber('seconds', values.seconds, 900),
    only,
  };
}

try {
  process.exitCode = await main(readArguments());
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(`fuzz: ${error.message}`);
  process.exitCode = 2;
}
