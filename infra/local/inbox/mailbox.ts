/**
 * The mails that the local run received, in one SQLite file, so that they survive a restart. Keeps
 * the newest ones only.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LocalRunError, messageOf } from '../errors.ts';
import { type Mail, type MailSummary, readMail } from './read-mail.ts';

/** More than a person looks through; older mails are deleted. */
export const keptMails = 500;

export interface ListedMail extends MailSummary {
  id: number;
  receivedAt: number;
  unread: boolean;
}

export interface MailList {
  /** The newest first. */
  mails: ListedMail[];
  /** Of all kept mails, whatever is searched. */
  counts: { all: number; unread: number };
}

/** `summary` and `words` (what a search looks at) are null until the mail was read. */
interface Row {
  id: number;
  received_at: number;
  unread: number;
  summary: string;
}

const schema = `
create table if not exists mails (
  id integer primary key autoincrement,
  received_at integer not null,
  unread integer not null default 1,
  source blob not null,
  summary text,
  words text
) strict`;

export class Mailbox {
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #insert: StatementSync;
  readonly #forget: StatementSync;
  #changes = 0;

  /**
   * @param file created if missing; `:memory:` keeps nothing
   * @throws LocalRunError if the file is no mailbox
   */
  constructor(file: string, now: () => number = Date.now) {
    this.#now = now;
    this.#db = open(file);
    this.#insert = this.#db.prepare('insert into mails (received_at, source) values (?, ?)');
    this.#forget = this.#db.prepare('delete from mails where id <= ?');
  }

  /** Changes with every change of the mails; starts again at zero when the mailbox is opened. */
  get changes(): number {
    return this.#changes;
  }

  /** Stores a raw mail before it returns. */
  receive(source: Uint8Array): void {
    const { lastInsertRowid } = this.#insert.run(this.#now(), source);
    this.#forget.run(Number(lastInsertRowid) - keptMails);
    this.#changes += 1;
  }

  /** @param search words that the mails must contain, in any order and case; empty for all mails */
  async list(search = ''): Promise<MailList> {
    await this.#readNewMails();
    const words = wordsOf(search).split(' ').filter(Boolean);
    const found = words.map(() => ' and instr(words, ?) > 0').join('');
    const rows = this.#db
      .prepare(
        `select id, received_at, unread, summary from mails where summary is not null${found} order by id desc`,
      )
      .all(...words) as unknown as Row[];
    const counts = this.#db
      .prepare('select count(*) as all_of_them, coalesce(sum(unread), 0) as unread from mails')
      .get() as { all_of_them: number; unread: number };
    return {
      mails: rows.map(toListed),
      counts: { all: counts.all_of_them, unread: counts.unread },
    };
  }

  async find(id: number): Promise<(ListedMail & Mail) | undefined> {
    const row = this.#db
      .prepare('select id, received_at, unread, source from mails where id = ?')
      .get(id) as (Row & { source: Uint8Array }) | undefined;
    if (!row) return undefined;
    const { received_at: receivedAt, unread } = row;
    return { id: row.id, receivedAt, unread: unread === 1, ...(await readMail(row.source)) };
  }

  /** The mail as it was sent. */
  sourceOf(id: number): Uint8Array | undefined {
    const row = this.#db.prepare('select source from mails where id = ?').get(id);
    return row?.source as Uint8Array | undefined;
  }

  /** @returns whether there is such a mail */
  mark(id: number, { unread }: { unread: boolean }): boolean {
    const { changes } = this.#db
      .prepare('update mails set unread = ? where id = ?')
      .run(unread ? 1 : 0, id);
    this.#changes += 1;
    return changes === 1;
  }

  markAllRead(): void {
    this.#db.prepare('update mails set unread = 0 where unread = 1').run();
    this.#changes += 1;
  }

  close(): void {
    this.#db.close();
  }

  /** Mails are read when the list is wanted, so that receiving them costs the run next to nothing. */
  async #readNewMails(): Promise<void> {
    const unread = this.#db.prepare('select id, source from mails where summary is null');
    const keep = this.#db.prepare('update mails set summary = ?, words = ? where id = ?');
    for (const { id, source } of unread.all() as { id: number; source: Uint8Array }[]) {
      const { text = '', html: _, attachments: __, ...summary } = await readMail(source);
      const people = [...summary.from, ...summary.to].flatMap(({ name, address }) => [
        name,
        address,
      ]);
      keep.run(
        JSON.stringify(summary satisfies MailSummary),
        wordsOf([summary.subject, ...people, text].join(' ')),
        id,
      );
    }
  }
}

function toListed({ id, received_at: receivedAt, unread, summary }: Row): ListedMail {
  return { id, receivedAt, unread: unread === 1, ...(JSON.parse(summary) as MailSummary) };
}

/** The words of a text as they are compared. */
function wordsOf(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ');
}

function open(file: string): DatabaseSync {
  // The mails hold links that act without a login.
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file);
  try {
    db.exec(`pragma journal_mode = wal; pragma synchronous = normal; ${schema}`);
    return db;
  } catch (error) {
    db.close();
    throw new LocalRunError(`${file} is broken (${messageOf(error)}); start with --fresh.`, {
      cause: error,
    });
  }
}
