// Addresses as people give them: taken in the form that SES takes, or refused.
import { describe, expect, it } from 'vitest';
import { mailAddress, parseMailAddress } from '#shared/delivery/channels/mail-address.ts';

describe('an e-mail address', () => {
  it.each([
    ['ann@example.org', 'ann@example.org'],
    [' ann@example.org \n', 'ann@example.org'],
    ['Ann@Example.ORG', 'Ann@example.org'],
    ['ann@xn--e1afmkfd.xn--p1ai', 'ann@xn--e1afmkfd.xn--p1ai'],
    ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'],
    ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
    ["a&b+c_d-e'f@example.org", "a&b+c_d-e'f@example.org"],
    ['{ann}/x=y@example.org', '{ann}/x=y@example.org'],
    ['a.b.c@mail.example.co.uk', 'a.b.c@mail.example.co.uk'],
    ['1@2.example', '1@2.example'],
  ])('%j is taken as %s', (typed, stored) => {
    expect(mailAddress.parse(typed)).toBe(stored);
    expect(mailAddress.parse(stored)).toBe(stored);
  });

  it.each([
    '',
    'ann',
    'ann@',
    '@example.org',
    'ann@example',
    'ann@localhost',
    'ann@127.0.0.1',
    'ann@[127.0.0.1]',
    'ann@example.org.',
    'a..b@example.org',
    '.a@example.org',
    'a.@example.org',
    'a b@example.org',
    '"a b"@example.org',
    'a@b@example.org',
    'a,b@example.org',
    'ann@example.org,bob@example.org',
    'ann@example.org;bob@example.org',
    'Ann <ann@example.org>',
    'mailto:ann@example.org ',
    'ann@example.org\r\nBcc: bob@example.org',
    'ann@exa mple.org',
    'ann@-example.org',
    'ann@example-.org',
    'ann@exa_mple.org',
    `${'a'.repeat(65)}@example.org`,
    `ann@${'a'.repeat(64)}.example`,
    `ann@${'a.'.repeat(130)}example`,
  ])('%j is refused', (typed) => {
    expect(parseMailAddress(typed)).toBeUndefined();
    expect(mailAddress.safeParse(typed).success).toBe(false);
  });

  it('that has other letters before the @ is refused with the reason', () => {
    const { error } = mailAddress.safeParse('änn@example.org');
    expect(error?.issues[0]?.message).toBe(
      'must be one e-mail address, such as ann@example.com; the part before the @ may have only ASCII letters',
    );
  });
});
