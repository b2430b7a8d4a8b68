// Interprets the output of `npm audit --json`: passed, failed, or not available here.
import * as z from 'zod';

const answerSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
});

export interface Verdict {
  isPassed: boolean;
  text: string;
}

const grave: readonly string[] = ['high', 'critical'];

/** A registry without an audit service returns an error; that is neither a finding nor a pass. */
export function judgeAudit(stdout: string): Verdict {
  const parsed = answerSchema.safeParse(parseJson(stdout));
  if (!parsed.success) {
    return { isPassed: true, text: 'npm audit: skipped, the package registry here offers none' };
  }
  const found = Object.entries(parsed.data.vulnerabilities);
  const bad = found.filter(([, { severity }]) => grave.includes(severity));
  if (bad.length > 0) {
    const names = bad.map(([name, { severity }]) => `${name} (${severity})`);
    return { isPassed: false, text: `npm audit: ${names.join(', ')}` };
  }
  return { isPassed: true, text: `npm audit: none high or critical, ${found.length} lesser` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
