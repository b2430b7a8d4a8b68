// How a person adds a channel: what its messages are like, where its address comes from, the fields of the form.

/** How a field is asked for. */
export const guideForms = [
  'text',
  'url',
  'email',
  /** Is hidden while it is typed. */
  'secret',
  /** Names with values. */
  'headers',
  'choice',
  /** A text of several lines. */
  'template',
] as const;

/** A field of the body that adds a channel of the kind. */
export interface GuideField {
  name: string;
  label: string;
  form: (typeof guideForms)[number];
  /** What the value looks like. */
  example?: string;
  /** What to know before giving it. */
  hint?: string;
  /** @default false */
  isOptional?: boolean;
  /** Of a `choice`: the values; the first is the default. */
  choices?: readonly { value: number | string; label: string }[];
}

export interface ChannelGuide {
  /** The product at the start of a line. @default the kind's own label */
  label?: string;
  /** What its messages are like, in a sentence. */
  about: string;
  /** What to do, in order, before or while the fields are filled in. */
  steps: readonly string[];
  fields: readonly GuideField[];
}
