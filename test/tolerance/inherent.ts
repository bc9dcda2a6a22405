/** What no client can keep from happening on some kinds of servers, each only where it is admitted. */
import type { Quirks } from '../support/quirk-server/quirks.ts';
import type { Findings } from './walk.ts';

/**
 * - A list that cannot be read to its end, on a server that allows a second conversation with the same contact: the
 *   first one is not known of.
 */
export function avoidable(quirks: Quirks, { problems, admitted }: Findings): readonly string[] {
  const hidesConversations = quirks.create === 'duplicates' && admitted.includes('list');
  return problems.filter((problem) => !(hidesConversations && problem.startsWith('create again')));
}
