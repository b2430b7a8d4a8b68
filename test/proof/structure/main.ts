/**
 * `npm run bench -- structure`: measures the structure of the sources and prints a table.
 *
 *   node test/proof/structure/main.ts [--evidence]
 */
import { parseArgs } from 'node:util';
import { measureStructure } from './measures.ts';

const { values } = parseArgs({
  options: {
    evidence: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const measures = measureStructure();
console.log(`${'what'.padEnd(44)}${'today'.padStart(8)}${'aim'.padStart(8)}`);
for (const { what, value, aim, evidence } of measures) {
  console.log(`${what.padEnd(44)}${String(value).padStart(8)}${String(aim).padStart(8)}`);
  if (values.evidence) for (const each of evidence) console.log(`    ${each}`);
}
console.log(JSON.stringify({ measures: measures.map(({ evidence: _, ...figures }) => figures) }));
