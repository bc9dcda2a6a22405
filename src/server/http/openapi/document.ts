/** Makes the OpenAPI 3.1 document of the server from the table of its operations. */
import { type OperationFacts, operationFacts, type Parameter } from './operation-facts.ts';
import { referenceTo, type Schema, schemas } from './schemas.ts';

type Part = Readonly<Record<string, unknown>>;

/** @param version of the program */
export function openApiDocument(version: string): Part {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Messaging Service API',
      version,
      summary: 'Conversations and messages, as msg-tui serve answers them.',
      description:
        'Every GET has a strong ETag and is answered with 304 when If-None-Match names it. HEAD is answered as GET without the body, and changes nothing. Unknown parameters are refused with 400.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}',
        variables: { base_url: { default: 'http://127.0.0.1:8787', description: 'The address of the server.' } },
      },
    ],
    security: [{ token: [] }],
    tags: [{ name: 'Messages' }, { name: 'Conversations' }],
    paths: paths(),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An access token; msg-tui serve token add prints one.' },
      },
      schemas,
      parameters,
      headers,
      responses: { Refused: refused },
    },
  };
}

const parameters: Part = {
  Id: { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[A-Za-z0-9]{1,64}$' } },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A request with the key of an earlier one is answered as that one was, without a second effect. Keys are kept for 24 hours.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an earlier answer. It is answered with 304 when nothing has changed.',
    schema: { type: 'string' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'wait=N, beside If-None-Match: the answer comes with the next change, or as 304 after N seconds, at most 55 (RFC 7240).',
    schema: { type: 'string', examples: ['wait=30'] },
  },
};

const headerOf = (about: string): Part => ({ description: about, schema: { type: 'string' } });

const headers: Part = {
  ETag: headerOf('Identifies this version of the answer.'),
  PreferenceApplied: headerOf('Says for how long the answer could wait: wait=N.'),
  Location: headerOf('The path of the resource that was created.'),
  RequestId: headerOf('Names this request, also in the log of the server.'),
  RetryAfter: headerOf('With 429 and 503: the number of seconds after which the request may be sent again.'),
};

const headerReference = (name: string): Part => ({ $ref: `#/components/headers/${name}` });
const parameterReference = (name: string): Part => ({ $ref: `#/components/parameters/${name}` });
const jsonOf = (name: string): Part => ({ 'application/json': { schema: referenceTo(name) } });

const refused: Part = {
  description:
    'The request was refused: 400 wrong parameter, 401 no valid token, 403 not allowed, 404 not found, 405 wrong method, 408 too slow, 413 body too large, 415 not a form, 429 too many requests, 431 headers too large, 500 failure of the server, 503 busy.',
  headers: { 'Request-Id': headerReference('RequestId'), 'Retry-After': headerReference('RetryAfter') },
  content: jsonOf('Error'),
};

function paths(): Part {
  const all: Record<string, Record<string, unknown>> = {};
  for (const facts of operationFacts) {
    const path = facts.path.replace(':id', '{id}');
    const item = all[path] ?? (path.includes('{id}') ? { parameters: [parameterReference('Id')] } : {});
    all[path] = { ...item, [facts.method.toLowerCase()]: operation(facts) };
  }
  return all;
}

function operation(facts: OperationFacts): Part {
  const { id, method, tag, summary, about } = facts;
  const isGet = method === 'GET';
  const header = [...(isGet ? ['IfNoneMatch'] : []), ...(method === 'POST' ? ['IdempotencyKey'] : [])];
  if (facts.canWait === true) header.push('Prefer');
  const query = isGet ? facts.parameters.map(queryParameter) : [];
  const form = isGet || facts.parameters.length === 0 ? {} : { requestBody: requestBody(facts.parameters) };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(about === undefined ? {} : { description: about }),
    parameters: [...query, ...header.map(parameterReference)],
    ...form,
    responses: responses(facts),
  };
}

const queryParameter = ({ name, about, schema, isRequired }: Parameter): Part => ({
  name,
  in: 'query',
  description: about,
  required: isRequired === true,
  schema,
});

function requestBody(fields: readonly Parameter[]): Part {
  const properties = Object.fromEntries(fields.map(({ name, about, schema }) => [name, described(schema, about)]));
  const required = fields.filter(({ isRequired }) => isRequired === true).map(({ name }) => name);
  const nested = fields.filter(({ schema }) => schema.type === 'object' || schema.type === 'array');
  return {
    required: required.length > 0,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          properties,
          ...(required.length > 0 ? { required } : {}),
          additionalProperties: false,
        },
        ...(nested.length > 0
          ? { encoding: Object.fromEntries(nested.map(({ name }) => [name, { style: 'deepObject', explode: true }])) }
          : {}),
      },
    },
  };
}

const described = (schema: Schema, about: string): Schema => ({ description: about, ...schema });

function responses(facts: OperationFacts): Part {
  const answers = Object.entries(facts.answers).map(([status, name]) => [status, response(facts, status, name)]);
  const unchanged = {
    description: 'Nothing has changed since the answer that If-None-Match names.',
    headers: { ETag: headerReference('ETag'), 'Request-Id': headerReference('RequestId'), ...waited(facts) },
  };
  return {
    ...Object.fromEntries(answers),
    ...(facts.method === 'GET' ? { 304: unchanged } : {}),
    default: { $ref: '#/components/responses/Refused' },
  };
}

const waited = ({ canWait }: OperationFacts): Part =>
  canWait === true ? { 'Preference-Applied': headerReference('PreferenceApplied') } : {};

function response(facts: OperationFacts, status: string, name: string | null): Part {
  const { method, summary } = facts;
  const always = { 'Request-Id': headerReference('RequestId'), ...waited(facts) };
  const more = method === 'GET' ? { ETag: headerReference('ETag') } : {};
  const location = status === '201' ? { Location: headerReference('Location') } : {};
  return {
    description: name === null ? 'It was deleted.' : `${summary}: ${name}.`,
    headers: { ...always, ...more, ...location },
    ...(name === null ? {} : { content: jsonOf(name) }),
  };
}
