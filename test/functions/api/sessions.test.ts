import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Api, createKey, startApi, watchBody } from '#test/support/api.ts';

const ownPage = { 'sec-fetch-site': 'same-origin' };
const hourMs = 3_600_000;

let api: Api;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());

const begin = (body: unknown, headers: Record<string, string> = ownPage) =>
  api.call('/v1/sessions', { key: '', body, headers });

/** The headers of a page of ours with the session's cookie. */
function withCookie({ headers }: { headers: Headers }) {
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  return { ...ownPage, cookie };
}

async function signIn(key = api.ann.key) {
  return withCookie(await begin({ key }));
}

const current = (headers: Record<string, string>) =>
  api.call('/v1/sessions/current', { key: '', headers });

describe('a session', () => {
  it('stands for its key, in a cookie that no script reads and no other site sends', async () => {
    const answer = await begin({ key: api.ann.key });
    expect(answer.status).toBe(201);
    expect(answer.body.key).toMatchObject({ owner_id: api.ann.ownerId, scope: 'write' });
    expect(answer.body.expires_at).toBe('2026-03-02T00:00:00.000Z');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-getin=getin_session_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const headers = withCookie(answer);
    const made = await api.call('/v1/watches', { key: '', body: watchBody(api), headers });
    expect(made.status).toBe(201);
    const { body } = await api.call('/v1/watches', { key: '', headers });
    expect(body.data).toHaveLength(1);
  });

  it('shows one owner nothing of another', async () => {
    await api.call('/v1/watches', { body: watchBody(api) });
    const { body } = await api.call('/v1/watches', { key: '', headers: await signIn(api.bob.key) });
    expect(body.data).toEqual([]);
  });

  it('has the scope of its key', async () => {
    const headers = await signIn(await createKey(api, api.ann.ownerId, 'read'));
    expect((await api.call('/v1/watches', { key: '', headers })).status).toBe(200);
    const write = await api.call('/v1/watches', { key: '', body: watchBody(api), headers });
    expect(write.status).toBe(403);
  });

  it('gives way to an Authorization header', async () => {
    const headers = await signIn();
    const { body } = await api.call('/v1/sessions/current', { key: api.bob.key, headers });
    expect(body).toMatchObject({ key: { owner_id: api.bob.ownerId }, expires_at: null });
  });

  it.each(['cross-site', 'same-site', 'none', undefined])(
    'changes nothing for a request whose Sec-Fetch-Site is %s',
    async (site) => {
      const { cookie } = await signIn();
      const headers = { cookie, ...(site && { 'sec-fetch-site': site }) };
      const refused = await api.call('/v1/watches', { key: '', body: watchBody(api), headers });
      expect(refused.status).toBe(403);
      expect((await current(headers)).status).toBe(200);
      expect((await begin({ key: api.ann.key }, headers)).status).toBe(403);
    },
  );

  it('ends when it is signed out, and a repeat changes nothing', async () => {
    const headers = await signIn();
    const signOut = () => api.call('/v1/sessions/current', { key: '', method: 'DELETE', headers });
    const answer = await signOut();
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-getin=; Max-Age=0;/);
    expect((await current(headers)).status).toBe(401);
    expect((await signOut()).status).toBe(401);
  });

  it('ends after twelve hours', async () => {
    const headers = await signIn();
    api.clock.now += 12 * hourMs - 1;
    expect((await current(headers)).status).toBe(200);
    api.clock.now += 1;
    expect((await current(headers)).status).toBe(401);
  });

  it('ends with its key', async () => {
    const other = await createKey(api, api.ann.ownerId, 'write');
    const headers = await signIn(other);
    const { id } = (await current(headers)).body.key;
    await api.call(`/v1/keys/${id}`, { method: 'DELETE' });
    const refused = await current(headers);
    expect(refused.status).toBe(401);
    expect(refused.body.detail).toBe('This API key has been revoked');
  });

  it.each([
    ['an unknown key', { key: 'getin_unknown' }, 401],
    ['another kind of token', { key: 'whsec_abc' }, 401],
    ['both ways at once', { key: 'getin_a', link_token: 'b' }, 400],
    ['neither', {}, 400],
    ['no text', { key: 7 }, 400],
    ['5,000 letters', { key: `getin_${'a'.repeat(5_000)}` }, 400],
  ])('is not begun by %s', async (_what, body, status) => {
    const answer = await begin(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('repeats the answer of a request that it sent before', async () => {
    const headers = { ...(await signIn()), 'idempotency-key': 'one' };
    const send = () => api.call('/v1/watches', { key: '', body: watchBody(api), headers });
    const [first, second] = [await send(), await send()];
    expect(second.body.id).toBe(first.body.id);
  });
});

describe('a link that signs in', () => {
  const makeLink = async (): Promise<string> => {
    const { body } = await api.call('/v1/sign-in-links', { method: 'POST' });
    expect(body.url).toMatch(/^https:\/\/getin\.example\/console\/sign-in#getin_link_[\w-]{43}$/);
    return new URL(body.url).hash.slice(1);
  };

  it('begins a session once, of two uses at the same time too', async () => {
    const link_token = await makeLink();
    const answers = await Promise.all([begin({ link_token }), begin({ link_token })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    const headers = withCookie(answers.find(({ status }) => status === 201) ?? answers[0]);
    expect((await current(headers)).body.key.owner_id).toBe(api.ann.ownerId);
    expect((await begin({ link_token })).status).toBe(401);
  });

  it('expires after 15 minutes', async () => {
    const link_token = await makeLink();
    api.clock.now += 15 * 60_000;
    expect((await begin({ link_token })).status).toBe(401);
  });

  it('is of no use once its key has ended', async () => {
    const key = await createKey(api, api.ann.ownerId, 'write');
    const { body } = await api.call('/v1/sign-in-links', { method: 'POST', key });
    const { data } = (await api.call('/v1/keys')).body;
    await api.call(`/v1/keys/${data[0].id}`, { method: 'DELETE' });
    expect((await begin({ link_token: new URL(body.url).hash.slice(1) })).status).toBe(401);
  });
});
