import { describe, expect, it } from 'vitest';
import { judgeAudit } from './judge-audit.ts';

const report = (...severities: string[]) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(
      severities.map((severity, at) => [`package-${at}`, { severity }]),
    ),
  });

describe('an audit', () => {
  it('fails for high and critical faults, by name', () => {
    expect(judgeAudit(report('low', 'high', 'critical'))).toEqual({
      isPassed: false,
      text: 'npm audit: package-1 (high), package-2 (critical)',
    });
  });

  it('passes with lesser ones, and counts them', () => {
    expect(judgeAudit(report('low', 'moderate'))).toEqual({
      isPassed: true,
      text: 'npm audit: none high or critical, 2 lesser',
    });
  });

  it.each(['', 'not json', '{"message":"no such endpoint","error":{}}'])(
    'says that it was skipped when the registry answers %j',
    (answer) => {
      expect(judgeAudit(answer).text).toContain('skipped');
    },
  );
});
