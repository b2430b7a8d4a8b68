// The OpenAPI document as one HTML page: no script, no font, nothing loaded from elsewhere. It shows only what
// the document says.
import { createHash } from 'node:crypto';
import { type Json, reference } from './fragment.ts';
import { escapeHtml as html, inlineMarkdown } from './html.ts';
import { schemaRows } from './schema-rows.ts';

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Json;
  }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema?: Json; examples?: Examples }>;
  };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
}

type Examples = Record<string, { summary: string; value: unknown }>;

interface Place {
  method: string;
  path: string;
  operation: Operation;
}

/** The page, and the content security policy that allows its style and nothing else. */
export function renderDocsPage(whole: Json): { html: string; policy: string } {
  const document = withValuesInPlace(whole);
  const { info, tags } = document as unknown as {
    info: { title: string; description: string };
    tags: { name: string; description: string }[];
  };
  const places = placesIn(document);
  const used = tags.filter(({ name }) =>
    places.some(({ operation }) => operation.tags[0] === name),
  );
  const sections = used.map(
    (tag) =>
      `<section><h2 id="${anchor(tag.name)}">${html(tag.name)}</h2><p>${html(tag.description)}</p>${places
        .filter(({ operation }) => operation.tags[0] === tag.name)
        .map(operationHtml)
        .join('')}</section>`,
  );
  const schemas = (document.components as { schemas: Record<string, Json> }).schemas;
  const body = `<nav><strong>${html(info.title)}</strong>${used.map(navHtml(places)).join('')}<a href="#schemas">Schemas</a><a href="/openapi.json">openapi.json</a></nav>
<main><h1>${html(info.title)}</h1>${info.description
    .split('\n\n')
    .map((paragraph) => `<p>${inlineMarkdown(paragraph)}</p>`)
    .join('')}${sections.join('')}<section><h2 id="schemas">Schemas</h2>${Object.entries(schemas)
    .map(schemaHtml)
    .join('')}</section></main>`;
  const digest = createHash('sha256').update(style).digest('base64');
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${html(info.title)}</title><style>${style}</style></head><body>${body}</body></html>`,
    policy: `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; frame-ancestors 'none'`,
  };
}

/** A person reads the values of a field beside the field, not under a name. */
function withValuesInPlace(document: Json): Json {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  const named = Object.entries(schemas).filter(([, schema]) => schema.enum !== undefined);
  const text = named.reduce(
    (before, [name, schema]) =>
      before.replaceAll(`{"$ref":"${reference(name)}"}`, JSON.stringify(schema)),
    JSON.stringify(document),
  );
  const written = JSON.parse(text) as { components: { schemas: Record<string, Json> } };
  for (const [name] of named) delete written.components.schemas[name];
  return { ...written };
}

function placesIn({ paths, webhooks }: Json): Place[] {
  const flat = (group: unknown) =>
    Object.entries(group as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    );
  return [...flat(paths), ...flat(webhooks)];
}

function navHtml(places: readonly Place[]) {
  return ({ name }: { name: string }) =>
    `<a class="group" href="#${anchor(name)}">${html(name)}</a>${places
      .filter(({ operation }) => operation.tags[0] === name)
      .map(
        ({ operation }) =>
          `<a href="#${anchor(operation.operationId)}">${html(operation.summary)}</a>`,
      )
      .join('')}`;
}

function operationHtml({ method, path, operation }: Place): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  return `<article id="${anchor(operationId)}"><h3><code class="${method}">${method.toUpperCase()}</code> <code>${html(path)}</code> ${html(summary)}</h3>${description ? `<p>${inlineMarkdown(description)}</p>` : ''}<p class="note">${keyWords(operation)}</p>${table('Parameters', parameters.map(parameterRow))}${requestBody ? bodyHtml(requestBody) : ''}${table('Answers', Object.entries(responses).map(responseRow))}</article>`;
}

function keyWords({ security = [] }: Operation): string {
  const [scheme] = security.flatMap((schemes) => Object.keys(schemes));
  return scheme === undefined
    ? 'No key needed.'
    : `Needs a key with scope ${html(scheme.replace('Key', ''))}.`;
}

function parameterRow({
  name,
  in: place,
  required,
  description,
  schema,
}: NonNullable<Operation['parameters']>[number]) {
  const facts = [place, required ? 'required' : '', typeWords(schema)].filter(Boolean).join(', ');
  return [`<code>${html(name)}</code>`, html(facts), inlineMarkdown(description ?? '')];
}

function bodyHtml({ content }: NonNullable<Operation['requestBody']>): string {
  const types = Object.entries(content).map(([type, { schema }]) => [
    `<code>${html(type)}</code>`,
    schema ? typeWords(schema, true) : '',
    '',
  ]);
  const examples = Object.values(content).flatMap(({ examples: all = {} }) => Object.values(all));
  return `${table('Body', types)}${examples
    .map(
      ({ summary, value }) =>
        `<details><summary>${html(summary)}</summary><pre>${html(JSON.stringify(value, null, 2))}</pre></details>`,
    )
    .join('')}`;
}

function responseRow([status, { description, content = {} }]: [
  string,
  Operation['responses'][string],
]) {
  const [schema] = Object.values(content).map((each) => each.schema);
  return [
    `<code>${html(status)}</code>`,
    schema ? typeWords(schema, true) : '',
    inlineMarkdown(description),
  ];
}

function schemaHtml([name, schema]: [string, Json]): string {
  const description = typeof schema.description === 'string' ? schema.description : '';
  const examples = Array.isArray(schema.examples) ? schema.examples : [];
  return `<article id="schema-${anchor(name)}"><h3>${html(name)}</h3><p>${inlineMarkdown(description)}</p>${table(
    'Fields',
    schemaRows(schema).map(({ path, type, description: words }) => [
      `<code>${html(path)}</code>`,
      type,
      inlineMarkdown(words),
    ]),
  )}${examples.map((example) => `<pre>${html(JSON.stringify(example))}</pre>`).join('')}</article>`;
}

/** A schema in a few words, with a link if it has a name; already HTML when `isHtml`. */
function typeWords(schema: Json, isHtml = false): string {
  const [row] = schemaRows({ type: 'object', properties: { it: schema } });
  const words = row?.type ?? '';
  return isHtml ? words : words.replaceAll(/<[^>]+>/g, '');
}

function table(title: string, rows: readonly string[][]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<h4>${title}</h4><table>${cells.join('')}</table>`;
}

function anchor(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
}

const style = `:root{color-scheme:light dark;--line:#8884;--soft:#8881}
body{margin:0;display:grid;grid-template-columns:16rem minmax(0,1fr);font:15px/1.5 system-ui,sans-serif}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);box-sizing:border-box}
nav a{display:block;color:inherit;text-decoration:none;padding:.1rem 0 .1rem .8rem;font-size:.87rem}
nav a.group{padding:.7rem 0 .1rem;font-weight:600;font-size:.95rem}
nav a:hover{text-decoration:underline}
main{padding:1rem 2rem 4rem;max-width:60rem}
article{border-top:1px solid var(--line);padding:.5rem 0 1rem}
h2{margin-top:2.5rem}h3{font-size:1.05rem}h4{margin:.8rem 0 .2rem;font-size:.85rem}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:var(--soft);padding:.7rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--line);padding:.25rem .6rem .25rem 0;vertical-align:top}
td:first-child{width:16rem;overflow-wrap:anywhere}td:nth-child(2){width:14rem}
.note{opacity:.75}
.get{color:light-dark(#0b6bcb,#5aa9f7)}.post{color:light-dark(#0a7a4b,#45c98b)}
.patch,.put{color:light-dark(#8a5a00,#f0a060)}.delete{color:light-dark(#b3261e,#ff8a80)}
@media(max-width:48rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}td{display:block;width:auto!important;border:0;padding:0}tr{display:block;border-top:1px solid var(--line);padding:.3rem 0}}`;
