// Sessions and the links that begin them, in the Watchlist table. Both are found by the hash of their token and
// have the hash of their key; whether the key is still valid is asked with each use.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { item, number, string } from 'dynamodb-toolbox/schema';
import type { Session, SignInLink } from '#shared/watchlist/session.ts';
import { writeIf } from './conditional-write.ts';
import { storedAs } from './schemas/stored-as.ts';
import { orMissing, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

const schema = storedAs<Session>()(
  item({ hash: string().key(), keyHash: string(), expiresAt: number() }),
).and({ expiresAtEpochSeconds: number() });

/** Reads and writes of sessions. One that is damaged or expired opens nothing. */
export function createSessionStore(table: WatchlistTable) {
  const sessions = new Entity({
    name: 'session',
    table,
    timestamps: false,
    schema,
    computeKey: ({ hash }) => ({ pk: `SESSION#${hash}`, sk: 'SESSION' }),
  });
  const links = new Entity({
    name: 'signInLink',
    table,
    timestamps: false,
    schema,
    computeKey: ({ hash }) => ({ pk: `SIGNIN#${hash}`, sk: 'SIGNIN' }),
  });

  return {
    async begin(session: Session): Promise<void> {
      await sessions.build(PutItemCommand).item(withExpiry(session)).send();
    },

    async find(hash: string, now: number): Promise<Session | undefined> {
      const action = sessions.build(GetItemCommand).key({ hash }).options({ consistent: true });
      return unlessExpired(await orMissing(readOne(action)), now);
    },

    /** Ends a session; a repeat changes nothing. */
    async end(hash: string): Promise<void> {
      await sessions.build(DeleteItemCommand).key({ hash }).send();
    },

    async offerLink(link: SignInLink): Promise<void> {
      await links.build(PutItemCommand).item(withExpiry(link)).send();
    },

    /** Uses a link up. Of two at the same time, one gets it. @returns undefined if it is used up, unknown or expired */
    async takeLink(hash: string, now: number): Promise<SignInLink | undefined> {
      const action = links.build(GetItemCommand).key({ hash }).options({ consistent: true });
      const link = unlessExpired(await orMissing(readOne(action)), now);
      if (!link) return undefined;
      const isTaken = await writeIf(() =>
        links
          .build(DeleteItemCommand)
          .key({ hash })
          .options({ condition: { attr: 'keyHash', eq: link.keyHash } })
          .send(),
      );
      return isTaken ? link : undefined;
    },
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

function withExpiry(session: Session) {
  return { ...session, expiresAtEpochSeconds: Math.ceil(session.expiresAt / 1_000) };
}

/** DynamoDB deletes an expired item within days, so the time decides. */
function unlessExpired(session: Session | undefined, now: number): Session | undefined {
  return session && session.expiresAt > now ? session : undefined;
}
