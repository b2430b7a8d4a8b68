// Checks a template of webhook bodies as far as its stored form is used later: its names, and what it makes of
// sample messages, each also with the fields of its sections missing.
import {
  type ContentType,
  contentTypeRows,
  firstNotOfForm,
  type TemplateValue,
} from '#shared/delivery/template/content-types.ts';
import { parseTemplate, type TemplateNode } from '#shared/delivery/template/parse-template.ts';
import {
  type Rendered,
  renderTemplate,
  TemplateError,
} from '#shared/delivery/template/render-template.ts';
import { templateBody } from '#shared/delivery/template/template-body.ts';
import { templateData } from '#shared/delivery/template/template-data.ts';
import { findJsonFault } from '../../conventions/json-fault.ts';
import { type SampleName, sampleMessages } from './sample-messages.ts';
import { valuesIn, variantsOf } from './sample-variants.ts';
import { checkNames } from './template-names.ts';

/** A fault of a template: its place, and for a body the sample that shows it. */
export interface PlacedFault {
  line: number;
  column: number;
  /** Null if the fault is there whatever the message. */
  sample: SampleName | null;
  message: string;
}

interface Fault {
  at: number;
  message: string;
  sample?: SampleName;
}

/** More would only repeat the first. */
const mostFaults = 10;

/** @returns the first fault at each place; none for a template that may be stored. */
export function checkTemplate(text: string, contentType: ContentType): PlacedFault[] {
  const faults = faultsOf(text, contentType);
  // Most faults come with several samples.
  const byPlace = new Map(faults.toReversed().map((fault) => [fault.at, fault]));
  return [...byPlace.values()]
    .sort((a, b) => a.at - b.at)
    .slice(0, mostFaults)
    .map(({ at, message, sample = null }) => ({ ...placeOf(text, at), sample, message }));
}

function faultsOf(text: string, contentType: ContentType): Fault[] {
  const parsed = parseTemplate(text);
  if ('fault' in parsed) return [parsed.fault];
  const { nodes } = parsed;
  const { faults, sections } = checkNames(nodes);
  if (faults.length > 0) return faults;
  const samples = Object.entries(sampleMessages()).map(([sample, message]) => ({
    sample: sample as SampleName,
    message,
    data: templateData(message)({ alerts: 3, alertBytes: Number.POSITIVE_INFINITY }),
  }));
  const values = valuesIn(samples.map(({ data }) => data));
  return samples.flatMap(({ sample, message, data }) => {
    const fault =
      firstFault(variantsOf(data, sections, values), (each) =>
        bodyFault(nodes, each, contentType),
      ) ?? sizeFault(text, contentType, message);
    return fault ? [{ ...fault, sample }] : [];
  });
}

type Sample = ReturnType<typeof sampleMessages>[SampleName];

function firstFault<Value>(values: Iterable<Value>, find: (value: Value) => Fault | undefined) {
  for (const value of values) {
    const fault = find(value);
    if (fault) return fault;
  }
  return undefined;
}

function bodyFault(
  nodes: readonly TemplateNode[],
  data: TemplateValue,
  contentType: ContentType,
): Fault | undefined {
  try {
    const rendered = renderTemplate(nodes, data, contentType);
    if (contentTypeRows[contentType].isValid(rendered.body)) return undefined;
    return invalidFault(rendered, contentType);
  } catch (error) {
    if (error instanceof TemplateError) return { at: error.at, message: error.message };
    throw error;
  }
}

/** Where the body stops being of its type, and the place of the template that wrote it. */
function invalidFault({ body, pieces }: Rendered, contentType: ContentType): Fault {
  if (body.trim() === '') return { at: 0, message: 'the body is empty' };
  const offset =
    contentType === 'application/json' ? (findJsonFault(body) ?? 0) : firstNotOfForm(body);
  const piece = pieces.findLast(({ from }) => from <= offset);
  const at = piece ? piece.at + (piece.isText ? offset - piece.from : 0) : 0;
  const found = offset < body.length ? `"${body[offset]}" comes` : 'it ends';
  const before = body.slice(Math.max(0, offset - 30), offset);
  return { at, message: `the body is not valid ${contentType}: ${found} after …${before}` };
}

/** Whether a body of any size can be cut to the limit; what is valid whole is checked before. */
function sizeFault(text: string, contentType: ContentType, message: Sample): Fault | undefined {
  const made = templateBody(text, contentType, message);
  if ('body' in made) return undefined;
  return { at: 0, message: failureWords[made.failure] };
}

const failureWords = {
  template_too_large: 'the body has more than 20,000 bytes even with one alert',
  template_not_valid: 'the body is not valid when it is cut to 20,000 bytes',
  template_failed: 'the body can’t be made when it is cut to 20,000 bytes',
};

function placeOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
