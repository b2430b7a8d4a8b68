// `npm run pictures`: draws what people see (mails, pages behind links, the inbox, the desk) as PNG files.
// Exit code 1 when a page complains or a picture is too large; 2 for an invalid flag.
import { join } from 'node:path';
import { runCommand } from '#infra/local/command.ts';
import { readFlags } from '#infra/local/flags.ts';
import { startBrowser } from '#test/support/browser.ts';
import { choose } from './choose.ts';
import { deskPictures } from './desk.ts';
import { inboxPictures } from './inbox.ts';
import { mailPictures } from './mails.ts';
import { pagePictures } from './pages.ts';
import { draw } from './picture.ts';
import { composeSamples } from './samples.ts';
import { createWorld } from './world.ts';

const usage = `npm run pictures -- [flags] [NAME ...]

  NAME       a subject (mails, pages, inbox, desk) or one of its pictures (mails/level); all without
  --out DIR  where the files go (.pictures)`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await runCommand(async (stopping) => {
  const { values, positionals } = readFlags({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      out: { type: 'string', default: '.pictures' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(usage);
  let isFaultless = false;
  const world = await createWorld();
  const browser = await startBrowser();
  const samples = await composeSamples(world);
  const inbox = await inboxPictures(samples);
  const desk = await deskPictures();
  try {
    const subjects = [
      mailPictures(samples),
      await pagePictures(world, samples),
      inbox.subject,
      desk.subject,
    ];
    const wanted = choose(subjects, positionals);
    const faults: string[] = [];
    for (const { subject, picture } of wanted) {
      stopping.throwIfAborted();
      faults.push(...(await draw(browser, join(values.out, subject), picture)));
    }
    for (const fault of faults) say(fault);
    const files = wanted.reduce((sum, { picture }) => sum + picture.looks.length, 0);
    say(`${files} files are in ${values.out}.`);
    isFaultless = faults.length === 0;
  } finally {
    await browser.close();
    await inbox.stop();
    await desk.stop();
    await world.stop();
  }
  if (!isFaultless) process.exit(1);
});
