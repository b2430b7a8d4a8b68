import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Mailbox } from '#infra/local/inbox/mailbox.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/fixture-assembly.ts';

let folder: TemporaryFolder;
let mailbox: Mailbox;
const file = () => join(folder.path, 'inbox.db');

beforeEach(() => {
  folder = temporaryFolder();
  mailbox = new Mailbox(file(), () => 1_000);
});
afterEach(() => {
  mailbox.close();
  folder.remove();
});

/** A raw mail with a text part. */
const rawMail = (subject: string, text = '', to = 'ann@example.com') =>
  Buffer.from(
    `From: Getin <alerts@getin.example>\r\nTo: ${to}\r\nSubject: ${subject}\r\n` +
      `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`,
  );

const subjects = async (search?: string) =>
  (await mailbox.list(search)).mails.map(({ subject }) => subject);

describe('a mailbox', () => {
  it('lists the newest mail first, unread, with its people and the beginning of its text', async () => {
    mailbox.receive(rawMail('Knicks at Heat'));
    mailbox.receive(rawMail('Nets at Magic', 'Nets at Magic\r\n\r\nget-in  $74\r\nnow'));
    const { mails, counts } = await mailbox.list();
    expect(mails[0]).toEqual({
      id: 2,
      receivedAt: 1_000,
      unread: true,
      from: [{ name: 'Getin', address: 'alerts@getin.example' }],
      to: [{ name: '', address: 'ann@example.com' }],
      subject: 'Nets at Magic',
      preview: 'get-in $74 · now',
    });
    expect(mails[1]?.subject).toBe('Knicks at Heat');
    expect(counts).toEqual({ all: 2, unread: 2 });
  });

  it('lists a mail that can’t be read among the others, with its source', async () => {
    const parts = `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\n'.repeat(2_000)}`;
    mailbox.receive(Buffer.from(parts));
    mailbox.receive(rawMail('Knicks at Heat'));
    expect(await subjects()).toEqual(['Knicks at Heat', 'This mail can’t be read']);
    expect((await mailbox.find(1))?.html).toBeUndefined();
    expect(mailbox.sourceOf(1)).toHaveLength(parts.length);
  });

  it('cuts the beginning of its text between characters', async () => {
    mailbox.receive(rawMail('Knicks', `a${'😀'.repeat(300)}`));
    const { mails } = await mailbox.list();
    expect(mails[0]?.preview).toBe(`a${'😀'.repeat(199)}`);
  });

  it('has its mails, and which of them were read, after it is opened again', async () => {
    mailbox.receive(rawMail('Knicks at Heat'));
    mailbox.receive(rawMail('Nets at Magic'));
    mailbox.mark(1, { unread: false });
    mailbox.close();
    mailbox = new Mailbox(file());
    const { mails, counts } = await mailbox.list();
    expect(mails.map(({ subject, unread }) => [subject, unread])).toEqual([
      ['Nets at Magic', true],
      ['Knicks at Heat', false],
    ]);
    expect(counts).toEqual({ all: 2, unread: 1 });
  });

  it('keeps the newest 500 mails', async () => {
    for (let each = 1; each <= 502; each += 1) mailbox.receive(rawMail(`mail ${each}`));
    const kept = await subjects();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([500, 'mail 502', 'mail 3']);
    expect(mailbox.sourceOf(2)).toBeUndefined();
  });

  it('finds a mail by words of its subject, text and people, in any order and case', async () => {
    mailbox.receive(rawMail('Knicks at Heat', 'section 101, row A'));
    mailbox.receive(rawMail('=?utf-8?Q?Beyonc=C3=A9?=', 'section 200', 'desk@brokers.example'));
    expect(await subjects('HEAT knicks')).toEqual(['Knicks at Heat']);
    expect(await subjects('row a  101')).toEqual(['Knicks at Heat']);
    expect(await subjects('BEYONCE\u0301')).toEqual(['Beyoncé']);
    expect(await subjects('brokers')).toEqual(['Beyoncé']);
    expect(await subjects('section')).toHaveLength(2);
    expect(await subjects('knicks brokers')).toEqual([]);
    expect(await subjects("%' or 1=1 --")).toEqual([]);
  });

  it('has the source of a mail as it was sent', () => {
    const raw = rawMail('Knicks at Heat', 'é');
    mailbox.receive(raw);
    expect(Buffer.from(mailbox.sourceOf(1) ?? [])).toEqual(raw);
  });

  it('counts what changes its mails', () => {
    const before = mailbox.changes;
    mailbox.receive(rawMail('Knicks at Heat'));
    expect(mailbox.mark(1, { unread: false })).toBe(true);
    expect(mailbox.mark(2, { unread: false })).toBe(false);
    mailbox.markAllRead();
    expect(mailbox.changes).toBeGreaterThan(before + 2);
  });

  it.each([
    '',
    'no header at all',
    'Subject: =?x-unknown?B?//8=?=\r\nFrom: <<>>\r\nContent-Type: multipart/mixed\r\n\r\n--\r\n',
  ])('lists a mail that is none (%j)', async (source) => {
    mailbox.receive(Buffer.from(source));
    mailbox.receive(rawMail('Knicks at Heat'));
    expect((await mailbox.list()).counts.all).toBe(2);
    expect(await subjects()).toHaveLength(2);
  });

  it('lets only its owner read the file', () => {
    mailbox.receive(rawMail('Knicks at Heat'));
    const modes = readdirSync(folder.path).map((name) => statSync(join(folder.path, name)).mode);
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['600', '600', '600']);
  });

  it('says what to do with a file that is broken', () => {
    const broken = join(folder.path, 'broken.db');
    writeFileSync(
      broken,
      'no database, but long enough to be taken for the header of one'.repeat(20),
    );
    expect(() => new Mailbox(broken)).toThrow(
      `${broken} is broken (file is not a database); start with --fresh.`,
    );
  });
});
