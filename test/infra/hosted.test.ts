// The hosted deployments: what the workflow runs, and what its roles may do. They can't run here.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { readDeployRequest } from '#infra/operate/deploy-request.ts';
import { projectRoot } from './support/code-access.ts';
import type { Statement } from './support/templates.ts';

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  with?: Record<string, unknown>;
}
interface Job {
  if?: string;
  environment: string;
  'timeout-minutes': number;
  steps: Step[];
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  concurrency: { 'cancel-in-progress': boolean };
  jobs: Record<string, Job>;
}
interface RoleTemplate {
  Resources: Record<
    string,
    {
      Type: string;
      Properties: {
        AssumeRolePolicyDocument: {
          Statement: [{ Condition: { StringEquals: Record<string, unknown> } }];
        };
        Policies: { PolicyDocument: { Statement: Statement[] } }[];
      };
    }
  >;
}

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const workflow = parseYaml(read('.github/workflows/deploy.yml')) as Workflow;
const roles = JSON.parse(read('infra/ci/roles.json')) as RoleTemplate;
const jobs = Object.entries(workflow.jobs);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

describe('the workflow', () => {
  it('says on a pull request what would change, deploys dev from main, and prod by a person', () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push', 'workflow_dispatch']);
    expect(workflow.jobs.plan?.if).toContain("github.event_name == 'pull_request'");
    expect(commandsOf(workflow.jobs.plan as Job)).toEqual([
      'npm ci',
      'npm run deploy -- --stage prod --check',
    ]);
    expect(workflow.jobs.dev?.if).toContain("github.event_name == 'push'");
    expect(commandsOf(workflow.jobs.dev as Job)).toContain('npm run deploy -- --stage dev --yes');
    expect(workflow.jobs.prod?.if).toContain("github.event_name == 'workflow_dispatch'");
    expect(commandsOf(workflow.jobs.prod as Job)).toContain(
      'npm run rollback -- --stage prod --yes',
    );
  });

  it('gives the identity of AWS to no fork', () => {
    expect(workflow.jobs.plan?.if).toContain(
      'github.event.pull_request.head.repo.full_name == github.repository',
    );
  });

  it('takes its identity by OIDC, and has no key of AWS', () => {
    expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(read('.github/workflows/deploy.yml')).not.toMatch(/AWS_(?:ACCESS_KEY|SECRET)/i);
    for (const [name, { steps }] of jobs) {
      const [identity, ...others] = steps.filter(({ uses }) => uses?.includes('aws-credentials'));
      expect([name, others]).toEqual([name, []]);
      const variable = name === 'plan' ? 'AWS_PLAN_ROLE' : 'AWS_DEPLOY_ROLE';
      expect(identity?.with?.['role-to-assume']).toBe(`\${{ vars.${variable} }}`);
    }
  });

  it('never cuts a deployment off, and gives it the time of its canaries', () => {
    expect(workflow.concurrency['cancel-in-progress']).toBe(false);
    expect(workflow.jobs.dev?.['timeout-minutes']).toBeGreaterThanOrEqual(60);
    expect(workflow.jobs.prod?.['timeout-minutes']).toBeGreaterThanOrEqual(60);
  });

  it.each(jobs)('%s runs only commands that exist, with flags that they take', (_, job) => {
    for (const command of commandsOf(job).map(withoutExpressions)) {
      const [, script = '', rest = ''] = /^npm (?:run )?(\w+)(?: -- (.*))?$/.exec(command) ?? [];
      expect([...Object.keys(scripts), 'ci']).toContain(script);
      if (script !== 'deploy') continue;
      expect(() => readDeployRequest(rest.split(' ').filter(Boolean), {})).not.toThrow();
    }
  });
});

describe('the roles', () => {
  const statements = (name: string) =>
    roles.Resources[name]?.Properties.Policies.flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement,
    ) ?? [];
  const actions = (name: string) => statements(name).flatMap(({ Action }) => Action);

  it.each([
    ['PlanRole', ['plan']],
    ['DeployRole', ['dev', 'prod']],
  ])(
    '%s is for the environments %j of one repository, which the workflow uses',
    (name, environments) => {
      const [trust] = roles.Resources[name]?.Properties.AssumeRolePolicyDocument.Statement ?? [];
      expect(trust?.Condition.StringEquals).toEqual({
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': environments.map((environment) => ({
          'Fn::Sub': `repo:\${Repository}:environment:${environment}`,
        })),
      });
      const used = jobs.map(([, job]) => job.environment);
      expect(used).toEqual(expect.arrayContaining(environments));
    },
  );

  it('plan without the means to execute', () => {
    const canChange = /Execute|Update|Put|Delete(?!ChangeSet)|CreateStack/;
    expect(actions('PlanRole').filter((action) => canChange.test(action))).toEqual([]);
    const assumed = statements('PlanRole').filter(({ Action }) => Action === 'sts:AssumeRole');
    expect(JSON.stringify(assumed)).not.toContain('-deploy-role');
  });

  it('name actions, without wildcards, and resources but for facts of the account', () => {
    for (const name of ['PlanRole', 'DeployRole']) {
      expect(actions(name).filter((action) => action.includes('*'))).toEqual([]);
      const wide = statements(name).filter(({ Resource }) => Resource === '*');
      expect(wide.flatMap(({ Action }) => Action)).toEqual([
        ...['lambda:GetAccountSettings', 'ses:GetAccount', 'ses:GetIdentityVerificationAttributes'],
      ]);
    }
  });
});

it('the example of a stage’s file is there to copy', () => {
  expect(existsSync(join(projectRoot, 'infra/stages/example.json'))).toBe(true);
});

/** An expression of the workflow chooses one of two texts: both must be flags, so the first is checked. */
function withoutExpressions(command: string): string {
  return command.replace(/\$\{\{[^']*'[^']*' && '([^']*)'.*?\}\}/, '$1').trim();
}
