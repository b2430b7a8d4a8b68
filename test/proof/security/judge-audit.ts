// What an answer of `npm audit --json` means: passed, failed, or not to be had here.
import * as z from 'zod';

const answerSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
});

export interface Verdict {
  isPassed: boolean;
  text: string;
}

const grave: readonly string[] = ['high', 'critical'];

/** A registry without an audit service answers an error, which finds nothing and clears nothing. */
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
