// The stack after a restore: what uses a table follows the restored one by a parameter; and what stands still meanwhile.
import { describe, expect, it } from 'vitest';
import { createResolver } from '#infra/local/assembly/intrinsics.ts';
import { every, functionsOf, type StackTemplate, templateOf } from './support/templates.ts';

const template = templateOf('prod');
const lambdas = [...functionsOf(template)];
const before = resolved({});
const after = resolved({ RestoredWatchlist: 'w-restored', RestoredSnapshots: 's-restored' });

describe('a stack that was never restored', () => {
  it('uses its own tables', () => {
    const text = JSON.stringify(before);
    expect(text).not.toContain('restored"');
    expect(tablesOf(before, 'evaluate')).toEqual([
      expect.stringMatching(/^TablesWatchlist/),
      expect.stringMatching(/^TablesSnapshots/),
    ]);
  });
});

describe('after a restore', () => {
  it.each(lambdas.map(([name]) => name))('%s uses the restored tables', (name) => {
    for (const table of tablesOf(after, name)) expect(table).toMatch(/^[ws]-restored$/);
  });

  it.each([
    ['the roles', 'AWS::IAM::Policy'],
    ['the alarms', 'AWS::CloudWatch::Alarm'],
    ['the dashboard', 'AWS::CloudWatch::Dashboard'],
    ['the functions', 'AWS::Lambda::Function'],
  ])('%s name no table of the stack’s own', (_, type) => {
    const own = /Tables(?:Watchlist|Snapshots)[0-9A-F]{8}/;
    const text = JSON.stringify(every(after, type).map(([, { Properties }]) => Properties));
    expect(text).toContain('-restored');
    expect(text).not.toMatch(own);
    expect(JSON.stringify(every(before, type))).toMatch(own);
  });

  it('the outputs name them, for the commands', () => {
    const outputs = (after as StackTemplate & { Outputs: Record<string, { Value: string }> })
      .Outputs;
    expect(outputs.WatchlistTable?.Value).toBe('w-restored');
    expect(outputs.SnapshotsTable?.Value).toBe('s-restored');
  });

  it('the stack keeps its own tables', () => {
    expect(every(after, 'AWS::DynamoDB::Table')).toEqual(every(before, 'AWS::DynamoDB::Table'));
  });
});

describe('a halted stack', () => {
  const halted = resolved({ Work: 'halted' });

  it('fires no schedule, and drains no queue', () => {
    const states = every(halted, 'AWS::Scheduler::Schedule').map(([, one]) => one.Properties.State);
    expect(new Set(states)).toEqual(new Set(['DISABLED']));
    const sources = every(halted, 'AWS::Lambda::EventSourceMapping');
    expect(new Set(sources.map(([, one]) => one.Properties.Enabled))).toEqual(new Set([false]));
  });

  it('has an API that can’t run, so that no change is lost', () => {
    expect(concurrencyOf(halted, 'api')).toBe(0);
    expect(concurrencyOf(before, 'api')).toBe(50);
  });

  it('works again with all of them', () => {
    const states = every(before, 'AWS::Scheduler::Schedule').map(([, one]) => one.Properties.State);
    expect(new Set(states)).toEqual(new Set(['ENABLED']));
    const sources = every(before, 'AWS::Lambda::EventSourceMapping');
    expect(new Set(sources.map(([, one]) => one.Properties.Enabled))).toEqual(new Set([true]));
  });
});

/** The template with its conditions and references replaced: a reference by the logical id that it names. */
function resolved(given: Record<string, string>): StackTemplate {
  const declared = Object.entries(template.Parameters) as [string, { Default?: string }][];
  const parameters = Object.fromEntries(
    declared.map(([name, { Default = '' }]) => [name, Default]),
  );
  const { resolve } = createResolver({
    template: { Mappings: {}, Outputs: {}, ...template } as never,
    parameters: { ...parameters, ...given },
    pseudoParameters: {
      ...{ 'AWS::Region': 'us-east-1', 'AWS::AccountId': '123456789012' },
      ...{ 'AWS::Partition': 'aws', 'AWS::URLSuffix': 'amazonaws.com' },
    },
    references: { ref: (id) => (id.startsWith('Tables') ? id : arnOf(id)), attribute: arnOf },
  });
  const { Resources, Outputs } = template as StackTemplate & { Outputs: object };
  return { ...template, ...(resolve({ Resources, Outputs }) as object) };
}

/** Some names are cut out of ARNs. */
function arnOf(id: string): string {
  return `arn:aws:any:us-east-1:123456789012:any:${id}:live`;
}

function lambdaOf(of: StackTemplate, name: string) {
  const id = functionsOf(template).get(name)?.id ?? '';
  return of.Resources[id]?.Properties as {
    Environment: { Variables: Record<string, string> };
    ReservedConcurrentExecutions: number;
  };
}

function concurrencyOf(of: StackTemplate, name: string): number {
  return lambdaOf(of, name).ReservedConcurrentExecutions;
}

/** The tables in a function's environment. */
function tablesOf(of: StackTemplate, name: string): string[] {
  const { WATCHLIST_TABLE, SNAPSHOTS_TABLE } = lambdaOf(of, name).Environment.Variables;
  return [WATCHLIST_TABLE, SNAPSHOTS_TABLE].filter((table) => table !== undefined);
}
