import { expect, it } from 'vitest';
import { resolveParameters } from '#infra/local/assembly/parameters.ts';

const declared = {
  Sender: { Type: 'String', AllowedPattern: '[^@]+@[^@]+' },
  Loopback: { Type: 'String', Default: 'refused', AllowedValues: ['refused', 'allowed'] },
};

it('takes the value given, else the default', () => {
  expect(resolveParameters(declared, { Sender: 'a@b' })).toEqual({
    Sender: 'a@b',
    Loopback: 'refused',
  });
  expect(resolveParameters(declared, { Sender: 'a@b', Loopback: 'allowed' })).toEqual({
    Sender: 'a@b',
    Loopback: 'allowed',
  });
});

it.each([
  ['a value that is missing', {}, 'Parameter Sender has no value.'],
  [
    'a value that is not allowed',
    { Sender: 'a@b', Loopback: 'maybe' },
    'Parameter Loopback is "maybe"; allowed: refused, allowed.',
  ],
  [
    'a value that matches in part only',
    { Sender: 'a@b@c' },
    /Sender is "a@b@c", which does not match/,
  ],
  ['a parameter that is not declared', { Sender: 'a@b', Stage: 'x' }, 'no parameter Stage'],
])('refuses %s', (_, given: Record<string, string>, message) => {
  expect(() => resolveParameters(declared, given)).toThrow(message);
});
