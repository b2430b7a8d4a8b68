import { describe, expect, it } from 'vitest';
import {
  commonFlags,
  parsePort,
  parsePositive,
  parseTickMs,
  readFlags,
} from '#infra/local/flags.ts';

describe('a flag', () => {
  it.each([
    ['5s', 5000],
    ['1500ms', 1500],
    ['1m', 60_000],
    ['2.5s', 2500],
  ])('--tick %s is read', (given, expected) => {
    expect(parseTickMs(given)).toBe(expected);
  });

  it.each(['5', '0s', '999ms', '61m', `${'9'.repeat(400)}s`, '-5s', 'soon', ''])(
    '--tick %j is refused',
    (given) => {
      expect(() => parseTickMs(given)).toThrow(
        `--tick takes a duration from 1s to 60m, such as 5s, not "${given}".`,
      );
    },
  );

  it.each([
    ['0', 0],
    ['1024', 1024],
    ['65535', 65_535],
  ])('--port %s is read', (given, expected) => {
    expect(parsePort(given)).toBe(expected);
  });

  it.each(['80', '65536', '1e4', '-1', '80a', ''])('--port %j is refused', (given) => {
    expect(() => parsePort(given)).toThrow(
      `--port takes a number from 1024 to 65535, or 0, not "${given}".`,
    );
  });

  it.each([...['0', '-1', 'fast', '', 'Infinity', '0x10', '1e3', '1000.1', '9'.repeat(400)]])(
    '--speed %j is refused',
    (given) => {
      expect(() => parsePositive('speed', given, 1_000)).toThrow(
        `--speed takes a number above 0, at most 1000, not "${given}".`,
      );
    },
  );

  it.each([
    [['--prot', '1'], "Unknown option '--prot'. See --help."],
    [['--port'], "Option '--port <value>' argument missing. See --help."],
    [['surplus'], /Unexpected argument 'surplus'.* See --help\.$/],
    [['--verbose=yes'], /Option '--verbose' does not take an argument\. See --help\.$/],
  ])('%j is refused in one line', (args, message) => {
    expect(() => readFlags({ args, options: commonFlags })).toThrow(message);
  });
});
