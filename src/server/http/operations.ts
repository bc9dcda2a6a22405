/** The table of the ten operations (API document §4): method, path, and the rule that answers. */
import type { FormMap } from '../../protocol/form-decode.ts';
import { allowOnly } from '../rules/parameters.ts';
import type { Service } from '../rules/service.ts';
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

/** Without a `body` the answer is a 204. */
export interface OperationOutput {
  readonly status: number;
  readonly body?: unknown;
}

export type Operation = (input: OperationInput) => OperationOutput;
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Route {
  readonly path: string;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

export function createRoutes({ messages, conversations }: Service): readonly Route[] {
  return [
    {
      path: '/v1/messages',
      operations: {
        GET: ({ caller, form }) => ({ status: 200, body: messages.list(caller, form) }),
        POST: ({ caller, form }) => ({ status: 201, body: messages.send(caller, form) }),
      },
    },
    {
      path: '/v1/messages/:id',
      operations: {
        GET: ({ caller, id, form }) => {
          allowOnly(form, []);
          return { status: 200, body: messages.retrieve(caller, id) };
        },
        PUT: ({ caller, id, form }) => ({ status: 200, body: messages.update(caller, id, form) }),
        DELETE: ({ caller, id, form }) => {
          allowOnly(form, []);
          messages.delete(caller, id);
          return { status: 204 };
        },
      },
    },
    {
      path: '/v1/conversations',
      operations: {
        GET: ({ caller, form }) => ({ status: 200, body: conversations.list(caller, form) }),
        POST: ({ caller, form }) => {
          const { conversation, isNew } = conversations.create(caller, form);
          return { status: isNew ? 201 : 200, body: conversation };
        },
      },
    },
    {
      path: '/v1/conversations/:id',
      operations: {
        GET: ({ caller, id, form, isHead }) => {
          allowOnly(form, []);
          const body = isHead ? conversations.look(caller, id) : conversations.retrieve(caller, id);
          return { status: 200, body };
        },
        PUT: ({ caller, id, form }) => ({ status: 200, body: conversations.update(caller, id, form) }),
        DELETE: ({ caller, id, form }) => {
          allowOnly(form, []);
          conversations.delete(caller, id);
          return { status: 204 };
        },
      },
    },
  ];
}
