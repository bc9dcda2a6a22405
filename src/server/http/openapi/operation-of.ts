/** Finds which of the operations a request asks for, without its ids. */
import { type OperationFacts, operationFacts } from './operation-facts.ts';

const paths = [...new Set(operationFacts.map(({ path }) => path))].map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(':id', '[^/]+')}$`),
  byMethod: new Map(
    operationFacts.filter((facts) => facts.path === path).map((facts) => [String(facts.method), facts]),
  ),
}));

export interface AskedOperation {
  /** The path in the table of the routes, such as `/v1/messages/:id`; null for an address that is none. */
  readonly route: string | null;
  /** null where the address does not know the method. */
  readonly operation: OperationFacts | null;
}

/** @param target the request target as it came, with the query */
export function operationOf(method: string, target: string): AskedOperation {
  const pathname = target.split('?', 1)[0] ?? '';
  const found = paths.find(({ pattern }) => pattern.test(pathname));
  if (found === undefined) return { route: null, operation: null };
  return { route: found.path, operation: found.byMethod.get(method === 'HEAD' ? 'GET' : method) ?? null };
}
