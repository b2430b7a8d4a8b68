// Every kind of stored item, and what it has of an owner: whether the export of the owner's data has it, and when it is
// deleted with the owner. A test compares the table with the stores, so that no new kind is forgotten.

/** The lists of the owner index, in the order of an export. */
export const ownerLists = [
  'apiKey',
  'channel',
  'watch',
  'deletedWatch',
  'job',
  'notice',
  'alert',
  'delivery',
] as const;
export type OwnerList = (typeof ownerLists)[number];

interface DataRow {
  /** Whether an export has the kind; otherwise why not. */
  exported: true | string;
  /**
   * `partition`: with the listed item in whose partition it is; `owner`: with the owner's own partition; `apart`: by a step
   * of its own; otherwise why it stays.
   */
  deleted: 'partition' | 'owner' | 'apart' | { stays: string; isAboutOwners: boolean };
}

/** Items that are about events, prices or the deployment. */
const nobodys: DataRow = {
  exported: 'is about events, prices or the deployment, and names no owner',
  deleted: { stays: 'it names no owner', isAboutOwners: false },
};
const secretOf = (words: string) => `${words}; it would let its reader act as the owner`;
const derived = 'follows from the watches, which are exported';

/** By the entity's name in shared/dynamo. */
export const ownerData: Readonly<Record<string, DataRow>> = {
  owner: { exported: true, deleted: 'owner' },
  ownerDefaults: { exported: true, deleted: 'owner' },
  quotaCount: { exported: 'counts what is exported', deleted: 'owner' },
  watchClaim: { exported: derived, deleted: 'owner' },
  senderSlots: { exported: 'is a lease of a minute', deleted: 'owner' },

  apiKey: { exported: true, deleted: 'apart' },
  apiKeyPointer: { exported: secretOf('has only the hash of a key'), deleted: 'apart' },
  session: {
    exported: secretOf('has only the hash of a session'),
    deleted: {
      stays: 'its key is deleted, so it opens nothing; it expires after 12 hours',
      isAboutOwners: true,
    },
  },
  signInLink: {
    exported: secretOf('has only the hash of a link'),
    deleted: {
      stays: 'its key is deleted, so it opens nothing; it expires after 15 minutes',
      isAboutOwners: true,
    },
  },
  keptAnswer: {
    exported: 'is encrypted with the key of its request, and kept for a day',
    deleted: 'apart',
  },
  requestCount: { exported: 'counts the requests of a minute, for an hour', deleted: 'apart' },

  channel: { exported: true, deleted: 'partition' },
  channelHealth: { exported: true, deleted: 'partition' },
  channelChat: { exported: 'repeats the chat of its channel', deleted: 'partition' },

  watch: { exported: true, deleted: 'apart' },
  watchVersion: { exported: true, deleted: 'partition' },
  trigger: { exported: derived, deleted: 'apart' },
  wish: { exported: derived, deleted: 'apart' },
  spentWish: { exported: 'is in the cost of the watch', deleted: 'apart' },

  job: { exported: true, deleted: 'partition' },
  jobLot: { exported: 'repeats the rows of a file that its owner sent', deleted: 'partition' },

  notice: { exported: true, deleted: 'partition' },
  alert: { exported: true, deleted: 'partition' },
  disposition: { exported: true, deleted: 'partition' },
  delivery: { exported: true, deleted: 'partition' },
  livingMessage: { exported: 'names a delivery, which is exported', deleted: 'apart' },

  ownerDay: { exported: true, deleted: 'apart' },
  budgetSettings: { exported: true, deleted: 'apart' },

  tally: {
    exported: 'counts what an owner did in a time window',
    deleted: {
      stays: 'it expires a day after its window, which is a day at most',
      isAboutOwners: true,
    },
  },
  windowUse: {
    exported: 'counts the calls of a minute',
    deleted: { stays: 'it expires after an hour', isAboutOwners: true },
  },
  suppression: {
    exported: 'has only the hash of an address, and belongs to its reader',
    deleted: {
      stays: 'it names no owner and no address, and the reader’s wish outlasts the owner',
      isAboutOwners: true,
    },
  },
  handledUpdate: {
    exported: 'has only the number of an update of Telegram, for two days',
    deleted: { stays: 'it names no owner and no chat', isAboutOwners: false },
  },
  confirmationMails: {
    exported: 'has only the hash of a mailbox, for a day',
    deleted: {
      stays: 'it names no owner and no address, and expires after a day',
      isAboutOwners: true,
    },
  },

  ...{ feed: nobodys, evaluation: nobodys, seriesInUse: nobodys, eventFacts: nobodys },
  ...{ eventShards: nobodys },
  ...{ resolvedEvent: nobodys, catalogVersion: nobodys, catalogPart: nobodys },
  ...{ snapshot: nobodys, rollupHour: nobodys, rollupValues: nobodys, rollupCoverage: nobodys },
  ...{ priceDay: nobodys },
  ...{ budget: nobodys, pull: nobodys, ledgerSum: nobodys, marketState: nobodys },
  ...{ tableWalk: nobodys, mailRate: nobodys },
};

/** Whether an export has items of a kind. */
export function isExported(kind: string): boolean {
  return ownerData[kind]?.exported === true;
}
