// A link of a message. Channels with buttons show it as one.

/** `tickets`: a shop. `open`: the alert's page. `act`: something to do about the alert. */
export type LinkKind = 'tickets' | 'open' | 'act' | 'confirm';

export interface MessageLink {
  kind: LinkKind;
  /** At most 40 characters. */
  label: string;
  url: string;
}
