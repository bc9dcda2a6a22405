/** The table of the ten operations (API document §4): method, path, and the rule that answers. */
import type { FormMap } from '../../protocol/form-decode.ts';
import { allowOnly } from '../rules/parameters.ts';
import type { Rules } from '../rules/service.ts';
import type { PersonRow } from '../store/people.ts';

export interface OperationInput {
  readonly caller: PersonRow;
  /** The `:id` of the path; empty where the path has none. */
  readonly id: string;
  /** The query of a GET, the form of the others. */
  readonly form: FormMap;
  /** A HEAD request, which is answered as a GET but changes nothing. */
  readonly isHead: boolean;
}

export interface OperationOutput {
  readonly status: number;
  /** The body as JSON text; a 204 has none. */
  readonly json?: string;
  /** When the authors of the messages in the body were last active, by their ids. */
  readonly lastActive?: ReadonlyMap<string, number | null>;
}

export type Operation = (rules: Rules, input: OperationInput) => Promise<OperationOutput>;
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Operations = Readonly<Partial<Record<Method, Operation>>>;

const ok = async (body: Promise<unknown>): Promise<OperationOutput> => ({
  status: 200,
  json: JSON.stringify(await body),
});

/** An operation without parameters. */
const bare =
  (operation: Operation): Operation =>
  async (rules, input) => {
    allowOnly(input.form, []);
    return operation(rules, input);
  };

/** The operations of each path. */
export const routes: Readonly<Record<string, Operations>> = {
  '/v1/messages': {
    GET: async ({ messages }, { caller, form }) => ({ status: 200, ...(await messages.listText(caller, form)) }),
    POST: async ({ messages }, { caller, form }) => ({
      status: 201,
      json: JSON.stringify(await messages.send(caller, form)),
    }),
  },
  '/v1/messages/:id': {
    GET: bare(({ messages }, { caller, id }) => ok(messages.retrieve(caller, id))),
    PUT: ({ messages }, { caller, id, form }) => ok(messages.update(caller, id, form)),
    DELETE: bare(async ({ messages }, { caller, id }) => {
      await messages.delete(caller, id);
      return { status: 204 };
    }),
  },
  '/v1/conversations': {
    GET: ({ conversations }, { caller, form }) => ok(conversations.list(caller, form)),
    POST: async ({ conversations }, { caller, form }) => {
      const { conversation, isNew } = await conversations.create(caller, form);
      return { status: isNew ? 201 : 200, json: JSON.stringify(conversation) };
    },
  },
  '/v1/conversations/:id': {
    GET: bare(({ conversations }, { caller, id, isHead }) =>
      ok(isHead ? conversations.peek(caller, id) : conversations.retrieve(caller, id)),
    ),
    PUT: ({ conversations }, { caller, id, form }) => ok(conversations.update(caller, id, form)),
    DELETE: bare(async ({ conversations }, { caller, id }) => {
      await conversations.delete(caller, id);
      return { status: 204 };
    }),
  },
};
