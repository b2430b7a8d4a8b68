// A rollback against a stub of AWS: which versions run again.
import { beforeEach, describe, expect, it } from 'vitest';
import { type RollbackRequest, runRollback } from '#infra/operate/run-rollback.ts';
import { aStackThere, StubAws } from '../support/stub-aws.ts';

let aws: StubAws;
let said: string[];
/** From this time on, versions have the restored tables. */
let restoredAt: string;
let complaints: string[];

/** Version → when it was made; the stack was last deployed at noon. */
const versions: Record<string, Record<string, string>> = {
  api: { 1: '2026-11-01T10:00:00', 2: '2026-11-20T10:00:00', 10: '2026-11-30T12:01:00' },
  poll: { 1: '2026-11-01T10:00:00' },
  jobs: { 1: '2026-11-30T12:01:00' },
};

beforeEach(() => {
  aws = new StubAws();
  restoredAt = '2000';
  said = [];
  complaints = [];
  const LastUpdatedTime = new Date('2026-11-30T12:00:00Z');
  for (const name of ['Getin', 'GetinDev']) aws.stacks.set(name, withPins({}, LastUpdatedTime));
  aws.resources = Object.keys(versions).map((name) => ({
    LogicalResourceId: name,
    ResourceType: 'AWS::Lambda::Function',
    PhysicalResourceId: `Getin-${name}`,
  }));
  aws.answer('ListVersionsByFunction', ({ FunctionName }) => {
    const name = String(FunctionName).replace('Getin-', '');
    const environmentOf = (time: string) => ({
      Variables: {
        POWERTOOLS_SERVICE_NAME: `getin-${name}`,
        WATCHLIST_TABLE: time < restoredAt ? 'before' : 'restored',
      },
    });
    const made = Object.entries({ $LATEST: '2026-11-30T12:01:00', ...versions[name] });
    return {
      Versions: made.map(([Version, time]) => ({
        ...{ Version, LastModified: `${time}.000+0000` },
        Environment: environmentOf(time),
      })),
    };
  });
  aws.answer('GetAlias', ({ FunctionName }) => ({
    FunctionVersion: FunctionName === 'Getin-api' ? '10' : '1',
  }));
});

function withPins(pins: Record<string, string>, LastUpdatedTime: Date) {
  const names = { ApiVersion: '0', PollVersion: '0', JobsVersion: '0', ReleasePace: 'canary' };
  return aStackThere({
    LastUpdatedTime,
    Parameters: Object.entries({ MarketplaceUrl: 'https://m.example', ...names, ...pins }).map(
      ([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue }),
    ),
  });
}

const rollback = (stage: 'dev' | 'prod', about: Partial<RollbackRequest> = {}) =>
  runRollback(
    { pin: { stage }, at: undefined, isCheck: false, isConfirmed: false, ...about },
    {
      clients: aws.clients,
      say: (text) => void said.push(text),
      complain: (text) => void complaints.push(text),
      wait: async () => {},
    },
  );

describe('npm run rollback', () => {
  it('pins each function to the newest version from before the last deployment, at once', async () => {
    expect(await rollback('dev')).toBe(0);
    expect(said.slice(0, 3)).toEqual([
      'To what ran before 2026-11-30T12:00:00.000Z:',
      '  api: version 10 → 2',
      '  jobs has no version from before; version 1 stays',
    ]);
    expect(aws.inputsOf('UpdateStack')).toEqual([
      {
        StackName: 'GetinDev',
        UsePreviousTemplate: true,
        Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'],
        Parameters: [
          { ParameterKey: 'MarketplaceUrl', UsePreviousValue: true },
          { ParameterKey: 'ApiVersion', ParameterValue: '2' },
          { ParameterKey: 'PollVersion', UsePreviousValue: true },
          { ParameterKey: 'JobsVersion', UsePreviousValue: true },
          { ParameterKey: 'ReleasePace', ParameterValue: 'at-once' },
        ],
      },
    ]);
    expect(said.at(-1)).toBe('The functions run these versions until the next deployment.');
  });

  it('goes back to what ran at a time', async () => {
    await rollback('dev', { at: '2026-11-10T00:00:00Z', isCheck: true });
    expect(said).toContain('  api: version 10 → 1');
    expect(aws.changes).toEqual([]);
  });

  it('takes no version from before a restore, which has the tables from before', async () => {
    restoredAt = '2026-11-30T11:00:00';
    await rollback('dev', { isCheck: true });
    expect(said).toContain('  api has no version from before; version 10 stays');
  });

  it('of production asks for --yes', async () => {
    expect(await rollback('prod')).toBe(2);
    expect(complaints).toEqual(['Nothing was rolled back. To roll this back, give --yes.']);
    expect(aws.changes).toEqual([]);
    expect(await rollback('prod', { isConfirmed: true })).toBe(0);
    expect(aws.changes).toEqual(['UpdateStack']);
  });

  it('changes nothing when the last deployment failed, or changed no code', async () => {
    expect(await rollback('dev', { at: '2026-12-01T00:00:00Z' })).toBe(0);
    expect(said).toEqual([
      'Every function already runs what it ran before 2026-12-01T00:00:00.000Z.',
    ]);
    expect(aws.changes).toEqual([]);
  });

  it('after a rollback needs a time, because the last change is no deployment', async () => {
    aws.stacks.set('GetinDev', withPins({ ApiVersion: '2' }, new Date('2026-11-30T13:00:00Z')));
    await expect(rollback('dev')).rejects.toThrow('was a rollback: name the time to go back to');
  });

  it.each(['yesterday', '2026-11-30', '2026-11-30T08:00:00', '2026-13-30T08:00:00Z'])(
    'takes no time like %s',
    async (at) => {
      await expect(rollback('dev', { at })).rejects.toThrow(`not "${at}".`);
    },
  );

  it('needs a stack', async () => {
    aws.stacks.delete('GetinDev');
    await expect(rollback('dev')).rejects.toThrow('There is no stack GetinDev in account');
  });
});
