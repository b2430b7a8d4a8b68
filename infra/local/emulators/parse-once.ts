/**
 * Caches the results of dynalite's parsers by rule and position. Without the cache they take three
 * to four times as long for each level of nested parentheses, and dynamodb-toolbox puts a pair
 * around every condition: four levels take ten milliseconds.
 */
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { requireFromDynalite } from './require-from-dynalite.ts';

export interface Parser {
  parse(expression: string, options: { context: object }): unknown;
}

const parserNames = ['conditionParser', 'updateParser'];
const ruleStart = /function peg\$parse([A-Z]\w*)\(\) \{/g;
const parserStart = 'function peg$parse(input, options) {';

/**
 * The cache that `pegjs --cache` would generate in each rule; a rule that fails silently adds
 * nothing to an error.
 */
const remember = `
  const peg$known = new Map();
  function peg$remember(rule) {
    const known = peg$known.get(rule) ?? new Map();
    peg$known.set(rule, known);
    const place = peg$silentFails === 0 ? peg$currPos : -1 - peg$currPos;
    const outcome = known.get(place) ?? { result: rule(), end: peg$currPos };
    known.set(place, outcome);
    peg$currPos = outcome.end;
    return outcome.result;
  }`;

/** Call it before the first expression. */
export function parseOnce(): void {
  for (const name of parserNames) {
    const parser = requireFromDynalite(`./db/${name}`) as Parser;
    parser.parse = compileRemembering(requireFromDynalite.resolve(`./db/${name}`)).parse;
  }
}

/** @throws Error if the file has not the form that PEG.js generates. */
function compileRemembering(file: string): Parser {
  const source = readFileSync(file, 'utf8');
  const remembering = source
    .replace(
      ruleStart,
      'function peg$$parse$1() { return peg$$remember(peg$$try$1); } function peg$$try$1() {',
    )
    .replace(parserStart, (start) => start + remember);
  if (!remembering.includes('peg$try') || !remembering.includes(remember)) {
    throw new Error(`${file} is not a parser as PEG.js 0.10 writes them`);
  }
  const parser = { exports: {} };
  compileFunction(remembering, ['module'], { filename: file })(parser);
  return parser.exports as Parser;
}
