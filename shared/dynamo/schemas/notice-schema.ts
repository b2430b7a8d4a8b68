// How a notice is stored.
import { item, number, string } from 'dynamodb-toolbox/schema';
import { type Notice, noticeKinds } from '#shared/polling/notice.ts';
import { storedAs } from './stored-as.ts';

export const noticeSchema = storedAs<Notice>()(
  item({
    noticeId: string().key(),
    audience: string().enum('operator', 'watcher'),
    kind: string().enum(...noticeKinds),
    title: string(),
    text: string(),
    link: string().optional(),
    ownerId: string().optional(),
    watchId: string().optional(),
    eventId: number().optional(),
    createdAt: number(),
    sentAt: number().optional(),
    expiresAtEpochSeconds: number(),
  }),
);
