/** The mails as other programs take them: Python's strict parser and SpamAssassin. */
import { spawnSync } from 'node:child_process';
import { type MessageCheck, oneByOne, skipped, tryAll } from './check.ts';
import { faultsBy, plainPython, script } from './python.ts';
import { rawMails } from './samples.ts';

export const strictMailCheck: MessageCheck = {
  title: 'Python’s email package parses the mails with its strict policy',

  async run() {
    const python = await plainPython();
    if ('missing' in python) return skipped(python.missing);
    const finder = script(python.path, 'strict_mail.py');
    const mails = await rawMails();
    const changed = (change: (raw: string) => string) => {
      const [mail = Buffer.alloc(0)] = mails.values();
      return Buffer.from(change(mail.toString('latin1')), 'latin1');
    };
    return tryAll({
      right: mails,
      wrong: new Map([
        ['a mail with bare line feeds', changed((raw) => raw.replaceAll('\r\n', '\n'))],
        [
          'a mail whose last part does not end',
          changed((raw) => raw.replace(/\r\n--[^\r\n]+--\s*$/, '')),
        ],
        ['a mail with two subjects', changed((raw) => `Subject: Other\r\n${raw}`)],
        [
          'a mail with a wrong sender',
          changed((raw) => raw.replace(/^From: .*$/m, 'From: <alerts@')),
        ],
        ['a mail without a text', changed((raw) => raw.replace('text/plain', 'text/markdown'))],
      ]),
      faultsIn: (given) =>
        faultsBy(finder, new Map([...given].map(([name, raw]) => [name, raw.toString('base64')]))),
    });
  },
};

/** A filter calls a mail spam from 5 points on. */
const mostPoints = 1;
const scanMs = 60_000;

/** The line that every filter has to take for spam. */
const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

export const spamCheck: MessageCheck = {
  title: `SpamAssassin gives the mails at most ${mostPoints} point, without asking the network`,

  async run() {
    if (spawnSync('spamassassin', ['--version']).status !== 0) {
      return skipped('no SpamAssassin (Debian: apt-get install spamassassin)');
    }
    const spam = `From: a@getin.example\r\nTo: b@getin.example\r\nSubject: x\r\n\r\n${gtube}\r\n`;
    return tryAll({
      right: await rawMails(),
      wrong: new Map([['spam', Buffer.from(spam)]]),
      faultsIn: oneByOne(spamFaults),
    });
  },
};

function spamFaults(raw: Buffer): string[] {
  const { status, stdout, stderr } = spawnSync('spamassassin', ['--local', '--test-mode'], {
    ...{ input: raw, encoding: 'utf8', timeout: scanMs },
  });
  const [, points, tests = ''] =
    /^X-Spam-Status: \w+, score=(-?[\d.]+).*?tests=(.*?)\s+autolearn/ms.exec(stdout) ?? [];
  if (status !== 0 || points === undefined) throw new Error(`spamassassin: ${stderr}`);
  return Number(points) > mostPoints ? [`${points} points: ${tests.replace(/\s+/g, ' ')}`] : [];
}
