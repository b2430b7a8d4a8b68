// Whole restores against a stub of AWS: what is asked, in which order, and what is said.
import { ResourceNotFoundException, type TableDescription } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { type RestoreRequest, readRestoreRequest } from '#infra/operate/restore/restore-request.ts';
import type { RestoreTools } from '#infra/operate/restore/restore-tools.ts';
import { runRestore } from '#infra/operate/restore/run-restore.ts';
import { aStackThere, StubAws } from '../../support/stub-aws.ts';

const at = '2026-11-30T08:00:00Z';
const madeAt = new Date('2026-11-30T12:00:00Z');
const watchlistAt = 'GetinDev-watchlist-at-20261130T080000Z';
const snapshotsAt = 'GetinDev-snapshots-at-20261130T080000Z';

let aws: StubAws;
let tables: Map<string, TableDescription>;
let steps: string[];
let said: string[];
let complaints: string[];
let passes: Record<string, unknown>[];

beforeEach(() => {
  aws = new StubAws();
  tables = new Map();
  steps = [];
  said = [];
  complaints = [];
  passes = [];
  for (const name of ['w-own', 's-own']) put(name, {});
  aws.resources = ['w-own', 's-own'].map((PhysicalResourceId) => ({
    ...{ PhysicalResourceId, LogicalResourceId: PhysicalResourceId },
    ResourceType: 'AWS::DynamoDB::Table',
  }));
  aws.changeSet = { Changes: [{ ResourceChange: { Action: 'Modify', LogicalResourceId: 'Api' } }] };
  for (const stack of ['GetinDev', 'Getin']) {
    const there = aStackThere();
    const parameters = { Work: 'on', RestoredWatchlist: 'own', RestoredSnapshots: 'own' };
    aws.stacks.set(stack, {
      ...there,
      Parameters: [
        ...(there.Parameters ?? []),
        ...Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
          ParameterKey,
          ParameterValue,
        })),
      ],
      Outputs: [
        { OutputKey: 'WatchlistTable', OutputValue: 'w-own' },
        { OutputKey: 'SnapshotsTable', OutputValue: 's-own' },
      ],
    });
  }
  answerAsDynamoDb();
});

const tools = (): RestoreTools => ({
  clients: aws.clients,
  runCdk: async (flags) => {
    const parameters = flags.filter((_, position) => flags[position - 1] === '--parameters');
    steps.push(`cdk ${parameters.join(' ')}`);
    follow(String(flags[1]), Object.fromEntries(parameters.map((text) => text.split('='))));
    return 0;
  },
  say: (text) => void said.push(text),
  complain: (text) => void complaints.push(text),
  wait: async () => {
    for (const table of tables.values()) table.TableStatus = 'ACTIVE';
  },
  now: () => madeAt.getTime() + 3_600_000,
  bringUpToDate: async ({ say: _, ...asked }) => {
    steps.push(`bring up to date, ${workOf('GetinDev')}`);
    passes.push(asked);
    return {
      carried: { alert: 2, decision: 2, delivery: 2, notice: 0, pull: 9, suppression: 1 },
      ...{ stopped: 1, triggers: 2, feeds: 3, unreadable: 0 },
      deliveries: { keep: 1, adopt: 1, perhaps_sent: 1 },
      lost: { made: ['watch wat_1'], changed: [], deleted: ['owner own_1'] },
    };
  },
});

const restore = (...args: string[]) =>
  runRestore(readRestoreRequest(args) as RestoreRequest, tools());

/** The steps, and the commands that change something, in order. */
const order = () =>
  [...aws.calls.filter(({ command }) => !/^(Get|Describe|List)/.test(command))].map(
    ({ command, input }) => `${command} ${input.TableName ?? input.TargetTableName ?? ''}`.trim(),
  );

describe('a restore', () => {
  it('stops everything, makes both tables, sets them up, brings them up to date, follows them, and goes on', async () => {
    expect(await restore('--at', at, '--yes')).toBe(0);
    expect(order()).toEqual([
      'UpdateStack',
      `RestoreTableToPointInTime ${watchlistAt}`,
      `RestoreTableToPointInTime ${snapshotsAt}`,
      `UpdateTimeToLive ${watchlistAt}`,
      `UpdateContinuousBackups ${watchlistAt}`,
      'TagResource',
      `UpdateTimeToLive ${snapshotsAt}`,
      `UpdateContinuousBackups ${snapshotsAt}`,
      'TagResource',
      'ExecuteChangeSet',
      'UpdateStack',
    ]);
    expect(steps).toEqual([
      'bring up to date, halted',
      `cdk RestoredWatchlist=${watchlistAt} RestoredSnapshots=${snapshotsAt} ReleasePace=at-once`,
    ]);
    expect(aws.inputsOf('RestoreTableToPointInTime')[0]).toEqual({
      SourceTableName: 'w-own',
      TargetTableName: watchlistAt,
      RestoreDateTime: new Date(at),
    });
    const work = aws.inputsOf('UpdateStack').map(({ Parameters }) => Parameters);
    expect(work).toEqual([
      expect.arrayContaining([{ ParameterKey: 'Work', ParameterValue: 'halted' }]),
      expect.arrayContaining([{ ParameterKey: 'Work', ParameterValue: 'on' }]),
    ]);
    expect(passes).toEqual([
      {
        ...{ restored: watchlistAt, witness: 'w-own' },
        ...{ to: Date.parse(at), stoppedAt: madeAt.getTime() },
      },
    ]);
  });

  it('says before what it will do, and asks', async () => {
    expect(await restore('--at', at)).toBe(2);
    expect(said).toEqual([
      'To the state of 2026-11-30T08:00:00.000Z:',
      `  watchlist: w-own → ${watchlistAt}`,
      `  snapshots: s-own → ${snapshotsAt}`,
      expect.stringContaining('503 for requests'),
      expect.stringContaining('are gone; they are named afterwards'),
      expect.stringContaining('not sent again'),
      expect.stringContaining('What is checked out here is deployed'),
    ]);
    expect(complaints).toEqual(['Nothing was restored. To do this, give --yes.']);
    expect(aws.changes).toEqual([]);
  });

  it('says afterwards how many of each, and what is gone', async () => {
    await restore('--at', at, '--yes');
    const text = said.join('\n');
    expect(text).toContain('2 alerts, 2 deliveries, 0 notices');
    expect(text).toContain('1 were perhaps sent and are not sent again');
    expect(text).toContain('Made since, now gone (1):\n  watch wat_1');
    expect(text).toContain('delete again what people asked for (1):\n  owner own_1');
    expect(said.at(-1)).toContain('npm run restore -- --back');
  });

  it('only looks with --check', async () => {
    expect(await restore('--at', at, '--yes', '--check')).toBe(0);
    expect(aws.changes).toEqual([]);
  });

  it('protects the new tables of production from deletion', async () => {
    expect(await restore('--at', at, '--yes', '--stage', 'prod')).toBe(0);
    expect(aws.inputsOf('UpdateTable').map(({ TableName }) => TableName)).toEqual([
      watchlistAt.replace('GetinDev', 'Getin'),
      snapshotsAt.replace('GetinDev', 'Getin'),
    ]);
  });

  it('of prices alone makes one table, and passes over no deliveries', async () => {
    expect(await restore('--at', at, '--yes', '--tables', 'snapshots')).toBe(0);
    expect(steps).toEqual([`cdk RestoredSnapshots=${snapshotsAt} ReleasePace=at-once`]);
  });
});

describe('a restore that was interrupted', () => {
  it.each([
    ['the stop', 'RestoreTableToPointInTime'],
    ['the tables were asked for', 'UpdateTimeToLive'],
    ['the tables were set up', 'ExecuteChangeSet'],
  ])('goes on after %s, and does nothing twice', async (_, failing) => {
    const answer = aws.answerTo(failing);
    aws.answer(failing, () => {
      throw new Error('the network is gone');
    });
    await expect(restore('--at', at, '--yes')).rejects.toThrow('the network is gone');
    aws.answer(failing, answer);
    expect(await restore('--at', at, '--yes')).toBe(0);
    const failed = 1;
    const made = order().filter((step) => step.startsWith('RestoreTable')).length;
    expect(made).toBe(failing === 'RestoreTableToPointInTime' ? 2 + failed : 2);
    // Halted once, and on once.
    expect(aws.inputsOf('UpdateStack').length).toBe(2);
    expect(workOf('GetinDev')).toBe('on');
  });

  it('that is done already says so, and touches no table in use', async () => {
    await restore('--at', at, '--yes');
    const before = aws.changes.length;
    expect(await restore('--at', at, '--yes')).toBe(0);
    expect(said.at(-1)).toBe('The stack already works with the tables of that time.');
    expect([aws.changes.length, passes.length]).toEqual([before, 1]);
  });
});

describe('the way back', () => {
  it('leads to the tables from before, with what was sent since the restore', async () => {
    await restore('--at', at, '--yes');
    steps = [];
    expect(await restore('--back', '--yes')).toBe(0);
    expect(steps).toEqual([
      'bring up to date, halted',
      'cdk RestoredWatchlist=own RestoredSnapshots=own',
    ]);
    expect(passes.at(-1)).toMatchObject({
      ...{ restored: 'w-own', witness: watchlistAt, to: madeAt.getTime() },
      stoppedAt: madeAt.getTime() + 3_600_000,
    });
    expect(order().filter((step) => step.startsWith('RestoreTable')).length).toBe(2);
  });

  it('of a restore that was given up before its end starts the stack again with its own tables', async () => {
    aws.setParameters('GetinDev', [{ ParameterKey: 'Work', ParameterValue: 'halted' }]);
    expect(await restore('--back', '--yes')).toBe(0);
    expect([workOf('GetinDev'), order()]).toEqual(['on', ['UpdateStack']]);
  });

  it('is refused where nothing was restored', async () => {
    await expect(restore('--back', '--yes')).rejects.toThrow('No table of the stack was restored');
  });
});

describe('one line says what is wrong', () => {
  it.each([
    ['--at', '2026-11-01T00:00:00Z'],
    ['--at', '2026-11-30T11:59:00Z'],
  ])('with a time outside of the backups: %s %s', async (...args) => {
    await expect(restore(...args, '--yes')).rejects.toThrow(
      'Table w-own can be restored to a time from 2026-11-10T00:00:00.000Z to 2026-11-30T11:55:00.000Z, not to',
    );
  });

  it('without point-in-time recovery', async () => {
    aws.answer('DescribeContinuousBackups', () => ({}));
    await expect(restore('--at', at)).rejects.toThrow('Table w-own has no point-in-time recovery');
  });

  it.each([
    ['UPDATE_IN_PROGRESS', 'is in the middle of a change (UPDATE_IN_PROGRESS)'],
    ['UPDATE_ROLLBACK_FAILED', 'bring it to a complete state'],
  ] as const)('when the stack is %s', async (StackStatus, complaint) => {
    aws.stacks.set('GetinDev', { ...aStackThere(), StackStatus });
    await expect(restore('--at', at)).rejects.toThrow(complaint);
  });

  it('when the stack is of a version that could not follow', async () => {
    aws.stacks.set('GetinDev', aStackThere());
    await expect(restore('--at', at)).rejects.toThrow(
      'deploy this version of the repository first',
    );
  });

  it('without a stack', async () => {
    aws.stacks.delete('GetinDev');
    await expect(restore('--at', at)).rejects.toThrow('There is no stack GetinDev in account');
  });

  it.each([
    [[], 'Give --at TIME, or --back'],
    [['--at', at, '--back'], 'Give --at TIME, or --back'],
    [['--at', 'yesterday'], '--at takes an instant such as'],
    [['--at', at, '--tables', 'alerts'], '--tables takes watchlist, snapshots, or both'],
    [['--at', at, '--stage', 'test'], '--stage takes dev or prod'],
  ])('for the flags %j', (args, complaint) => {
    expect(() => readRestoreRequest(args)).toThrow(complaint);
  });
});

function put(name: string, about: TableDescription): void {
  tables.set(name, { TableArn: `arn:x:table/${name}`, TableStatus: 'ACTIVE', ...about });
}

function workOf(stack: string): string | undefined {
  const { Parameters = [] } = aws.stacks.get(stack) ?? {};
  return Parameters.find(({ ParameterKey }) => ParameterKey === 'Work')?.ParameterValue;
}

/** What a deployment with these parameters makes of the stack. */
function follow(name: string, parameters: Record<string, string>): void {
  aws.setParameters(
    name,
    Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
      ParameterKey,
      ParameterValue,
    })),
  );
  const own: Record<string, string> = { Watchlist: 'w-own', Snapshots: 's-own' };
  const stack = aws.stacks.get(name) ?? aStackThere();
  const Outputs = Object.entries(own).map(([table, ownName]) => {
    const value = stack.Parameters?.find((one) => one.ParameterKey === `Restored${table}`);
    const used = value?.ParameterValue;
    return { OutputKey: `${table}Table`, OutputValue: used === 'own' ? ownName : used };
  });
  aws.stacks.set(name, { ...stack, Outputs: Outputs as never });
}

function answerAsDynamoDb(): void {
  const of = (input: Record<string, unknown>) => {
    const found = tables.get(String(input.TableName));
    if (found) return found;
    throw new ResourceNotFoundException({ message: 'no such table', $metadata: {} });
  };
  const ofBackups = new Set(['w-own', 's-own']);
  const ofTtl = new Set(['w-own', 's-own']);
  aws.answer('DescribeTable', (input) => ({ Table: { ...of(input) } }));
  aws.answer('RestoreTableToPointInTime', ({ SourceTableName, TargetTableName }) => {
    put(String(TargetTableName), {
      TableStatus: 'CREATING',
      CreationDateTime: madeAt,
      RestoreSummary: {
        SourceTableArn: `arn:x:table/${SourceTableName}`,
        ...{ RestoreDateTime: new Date(at), RestoreInProgress: true },
      },
    });
    return {};
  });
  aws.answer('DescribeContinuousBackups', ({ TableName }) => ({
    ContinuousBackupsDescription: {
      PointInTimeRecoveryDescription: ofBackups.has(String(TableName))
        ? {
            PointInTimeRecoveryStatus: 'ENABLED',
            EarliestRestorableDateTime: new Date('2026-11-10T00:00:00Z'),
            LatestRestorableDateTime: new Date('2026-11-30T11:55:00Z'),
          }
        : { PointInTimeRecoveryStatus: 'DISABLED' },
    },
  }));
  aws.answer('UpdateContinuousBackups', ({ TableName }) => {
    ofBackups.add(String(TableName));
    return {};
  });
  aws.answer('DescribeTimeToLive', ({ TableName }) => ({
    TimeToLiveDescription: {
      TimeToLiveStatus: ofTtl.has(String(TableName)) ? 'ENABLED' : 'DISABLED',
    },
  }));
  aws.answer('UpdateTimeToLive', ({ TableName }) => {
    ofTtl.add(String(TableName));
    return {};
  });
  aws.answer('UpdateTable', (input) => {
    of(input).DeletionProtectionEnabled = true;
    return {};
  });
  aws.answer('TagResource', () => ({}));
}
