/** The OpenAPI document says what the API document says, what the routes are, and what the server answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/server/http/openapi/document.ts';
import { operationFacts } from '../../../src/server/http/openapi/operation-facts.ts';
import { schemas } from '../../../src/server/http/openapi/schemas.ts';
import { routes } from '../../../src/server/http/operations.ts';
import { call, conversationWith } from '../../contract/call.ts';
import { type OwnTarget, openOwnTarget } from '../../contract/target.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/messaging-service-api.md'), 'utf8');

/** The cells of the rows of all tables in a part of the page, without the head of the table. */
const rowsOf = (part: string): readonly (readonly string[])[] =>
  [...part.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row = '']) => row.split(' | '))
    .filter(([first]) => !['Operation', 'Parameter', 'Field'].includes(first ?? ''));
const section = (from: string, to: string): string => page.split(from)[1]?.split(to)[0] ?? '';

/** What our server knows beyond the document, of which docs/server.md gives the reason. */
const beyond: Readonly<Record<string, readonly string[]>> = {
  listMessages: ['starting_after', 'ending_before'],
  listConversations: ['starting_after', 'ending_before'],
};

describe('compared with the API document', () => {
  test('the ten operations are those of its tables', () => {
    const listed = [section('### 4.1', '**List'), section('### 4.2', '**List')].flatMap(rowsOf);
    expect(listed).toHaveLength(10);
    expect(operationFacts.map(({ summary, method, path }) => [summary, method, path])).toEqual(listed);
  });

  test.each(operationFacts)('$summary has its parameters, their types and whether they are required', (facts) => {
    const rows = rowsOf(section(`**${facts.summary}**`, '\n**').split('\n### ')[0] ?? '');
    const documented = rows.map(([name, type, required]) => ({ name, type, isRequired: required === 'yes' }));
    const types = (schema: Readonly<Record<string, unknown>>): string =>
      'oneOf' in schema ? 'timestamp' : schema.type === 'object' ? 'array' : String(schema.type);
    const own = facts.parameters
      .filter(({ name }) => !beyond[facts.id]?.includes(name))
      .map(({ name, schema, isRequired = false }) => ({ name, type: types(schema), isRequired }));
    expect(own).toEqual(documented);
  });

  test.each([
    ['Message', '### 2.1'],
    ['Conversation', '### 2.2'],
    ['Contact', '### 2.3'],
  ])('%s has its fields', (name, heading) => {
    const fields = rowsOf(section(heading, '\n### ')).map(([field]) => field);
    expect(fields.length).toBeGreaterThan(5);
    expect(Object.keys(schemas[name]?.properties ?? {})).toEqual(fields);
    expect(schemas[name]?.required).toEqual(fields);
  });

  test('lists return ten items by default', () => {
    const limits = operationFacts.flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'limit'));
    expect(limits.map(({ schema }) => schema.default)).toEqual([10, 10]);
  });
});

test('the operations are those of the routes', () => {
  const served = Object.entries(routes).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  expect(operationFacts.map(({ method, path }) => `${method} ${path}`)).toEqual(served);
  expect(new Set(operationFacts.map(({ id }) => id)).size).toBe(10);
});

test('every reference in the document is to something in it', () => {
  const text = JSON.stringify(openApiDocument('1.2.3'));
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(30);
  const { components } = JSON.parse(text);
  expect(references.filter(([, kind = '', name = '']) => components[kind]?.[name] === undefined)).toEqual([]);
  expect(text.match(/"\$ref"/g)).toHaveLength(references.length);
});

describe('compared with the server', () => {
  let target: OwnTarget;
  let conversation: string;
  beforeAll(async () => {
    target = await openOwnTarget();
    conversation = await conversationWith(target, { group_id: target.groupId });
  });
  afterAll(() => target.close());

  const names = [...new Set(operationFacts.flatMap(({ parameters }) => parameters.map(({ name }) => name))), 'unknown'];

  test.each(operationFacts)('$summary takes these parameters and no others', async (facts) => {
    const path = facts.path.replace(':id', 'none');
    const known: string[] = [];
    for (const name of names) {
      const reply =
        facts.method === 'GET'
          ? await call(target, 'GET', `${path}?${name}=`)
          : await call(target, facts.method, path, { form: `${name}=` });
      if (reply.json?.code !== 'parameter_unknown') known.push(name);
    }
    expect(known.sort()).toEqual(facts.parameters.map(({ name }) => name).sort());
  });

  test('the answers have the status and the fields that are promised', async () => {
    const form = `conversation_id=${conversation}&message=hi&attachments[0][file_url]=https://a.example/x.png`;
    const sent = await call(target, 'POST', '/v1/messages', { form });
    const id = sent.json.id;
    const replies = {
      sendMessage: sent,
      updateMessage: await call(target, 'PUT', `/v1/messages/${id}`, { form: 'reactions[heart][]=ann' }),
      retrieveMessage: await call(target, 'GET', `/v1/messages/${id}`),
      listMessages: await call(target, 'GET', '/v1/messages'),
      deleteMessage: await call(target, 'DELETE', `/v1/messages/${id}`),
      createConversation: await call(target, 'POST', '/v1/conversations', { form: { contact_id: target.contactId } }),
      updateConversation: await call(target, 'PUT', `/v1/conversations/${conversation}`, { form: 'is_pinned=true' }),
      retrieveConversation: await call(target, 'GET', `/v1/conversations/${conversation}`),
      listConversations: await call(target, 'GET', '/v1/conversations'),
      deleteConversation: await call(target, 'DELETE', `/v1/conversations/${conversation}`),
    };
    for (const { id: name, answers } of operationFacts) {
      const { status, json } = replies[name as keyof typeof replies];
      expect(Object.keys(answers)).toContain(String(status));
      const resource = answers[status];
      expect(
        problems(json, resource === null || resource === undefined ? {} : { $ref: `#/${resource}` }, name),
      ).toEqual([]);
    }
    const missing = await call(target, 'GET', `/v1/messages/${id}`);
    expect(problems(missing.json, { $ref: '#/Error' }, 'error')).toEqual([]);
    expect(problems({ ...missing.json, more: 1, code: 5 }, { $ref: '#/Error' }, 'e')).toHaveLength(2);
  });
});

/** What in a value is not as its schema says: as much of JSON Schema as the document uses for answers. */
function problems(value: unknown, schema: Readonly<Record<string, unknown>>, at: string): readonly string[] {
  if (typeof schema.$ref === 'string') return problems(value, schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, at);
  const kind =
    value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  if (schema.type !== undefined && ![schema.type].flat().includes(kind)) return [`${at} is ${kind}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => problems(item, schema.items as typeof schema, `${at}[${index}]`));
  if (kind !== 'object') return [];
  const properties = (schema.properties ?? {}) as Readonly<Record<string, typeof schema>>;
  const missing = ((schema.required ?? []) as readonly string[]).filter((name) => !(name in (value as object)));
  const inner = Object.entries(value as object).flatMap(([name, item]) => {
    const own = properties[name] ?? (schema.additionalProperties as typeof schema | undefined);
    return own === undefined ? [`${at}.${name} is not in the schema`] : problems(item, own, `${at}.${name}`);
  });
  return [...missing.map((name) => `${at}.${name} is missing`), ...inner];
}
