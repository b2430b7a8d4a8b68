/** Reads a raw mail for the inbox: who sent it, what it says, its parts. Stores nothing. */
import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';

/** Enough for the rest of a line beside the subject, on a wide screen too. */
const previewLength = 200;

export interface Correspondent {
  /** Empty if the mail has only an address. */
  name: string;
  address: string;
}

/** What the list shows of a mail. */
export interface MailSummary {
  from: Correspondent[];
  to: Correspondent[];
  subject: string;
  /** The beginning of its text, its lines in a row, without the subject that it repeats. */
  preview: string;
}

export interface Mail extends MailSummary {
  /** Undefined for a mail without a text part. */
  text: string | undefined;
  /** As the sender wrote it; undefined for a mail without an HTML part. */
  html: string | undefined;
  attachments: { name: string; type: string; bytes: number }[];
}

/** Shown of a mail that the parser refuses, such as one of a thousand parts; its source is there. */
const unreadable: Mail = {
  ...{ from: [], to: [], attachments: [], html: undefined },
  subject: 'This mail can’t be read',
  preview: 'Its source shows what came.',
  text: 'The parts of this mail can’t be read. Its source shows what came.',
};

/** Reads a mail of any content: what can't be read is empty. */
export async function readMail(source: Uint8Array): Promise<Mail> {
  const parsed = await simpleParser(Buffer.from(source)).catch(() => undefined);
  if (!parsed) return unreadable;
  const subject = parsed.subject ?? '';
  return {
    from: correspondents(parsed.from),
    to: correspondents(parsed.to),
    subject,
    preview: previewOf(parsed.text ?? '', subject),
    text: parsed.text,
    html: parsed.html || undefined,
    attachments: parsed.attachments.map(({ filename, contentType, size }) => ({
      name: filename ?? '',
      type: contentType,
      bytes: size,
    })),
  };
}

function correspondents(field: ParsedMail['to']): Correspondent[] {
  const objects: AddressObject[] = [field ?? []].flat();
  return objects
    .flatMap(({ value }) => value)
    .map(({ name, address }) => ({ name, address: address ?? '' }));
}

function previewOf(text: string, subject: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
  const told = lines.filter((line, index) => line !== '' && !(index === 0 && line === subject));
  // By characters, so that no emoji is cut in half.
  return [...told.join(' · ').slice(0, 2 * previewLength)].slice(0, previewLength).join('');
}
