// The page of the desk and its files, as a browser gets them.
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerRequest } from '#functions/console/answer-request.ts';
import { builtDesk } from '#test/support/desk.ts';

const files = builtDesk();

function ask(proxy: string | undefined, headers: Record<string, string> = {}, wantsBody = true) {
  return answerRequest({ path: { proxy }, query: {}, headers, wantsBody }, files);
}

const nameOf = (ending: string) =>
  [...files.assets.keys()].find((name) => new RegExp(`^main-\\w{8}\\.${ending}$`).test(name)) ?? '';

describe('the desk', () => {
  it('is opened at the board by the address of the deployment alone', () => {
    expect(ask(undefined)).toMatchObject({
      status: 302,
      headers: { location: '/console/board', 'cache-control': 'no-store' },
    });
  });

  it('answers every address with its page, which is asked for each time and runs only its own scripts', () => {
    for (const address of ['board', 'events/4711', 'watches/wat_1', 'nothing/like/this']) {
      const { status, headers, body } = ask(address);
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
      );
      expect(String(body)).toContain(`src="/console/assets/${nameOf('js')}"`);
    }
  });

  it.each(['js', 'css'])(
    'keeps its %s for good, by a name that changes with the content',
    (ending) => {
      const { status, headers } = ask(`assets/${nameOf(ending)}`);
      expect([status, headers['cache-control']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    },
  );

  it.each([
    ['gzip, br', true],
    ['br;q=0.5', true],
    ['BR', true],
    ['br;q=0', false],
    ['br;q=0.0, gzip', false],
    ['gzip, deflate', false],
    ['zebra', false],
    ['', false],
  ])('sends brotli for "Accept-Encoding: %s": %s', (accepted, isCompressed) => {
    const name = `assets/${nameOf('js')}`;
    const { headers, body } = ask(name, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(isCompressed ? 'br' : undefined);
    expect(headers.vary).toBe('accept-encoding');
    const bytes = Buffer.from(body ?? '');
    expect(isCompressed ? brotliDecompressSync(bytes) : bytes).toEqual(
      Buffer.from(ask(name).body ?? ''),
    );
  });

  it('has headers alone for HEAD', () => {
    expect(ask('board', {}, false).body).toBeUndefined();
  });

  it.each(['assets/main.js', 'assets/', 'assets/../index.html', 'assets/__proto__'])(
    'has no file %s',
    (address) => {
      expect(ask(address).status).toBe(404);
    },
  );

  it('has scripts and styles of 70 KB at most, as gzip sends them', () => {
    const bytes = [...files.assets]
      .filter(([name]) => /\.(js|css)$/.test(name))
      .reduce((sum, [, { plain }]) => sum + gzipSync(plain).length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(70_000);
  });
});
