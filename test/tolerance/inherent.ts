/** What no client can keep from happening on some kinds of servers, each only where it is admitted. */
import type { Quirks } from '../support/quirk-server/quirks.ts';
import type { Findings } from './walk.ts';

/**
 * - A server that drops every field that is not sent, and takes back no reactions but one's own: others' reactions go
 *   with the first edit of a message that has some. It is said, and no other such change is made.
 * - A list that cannot be read to its end, on a server that allows a second conversation with the same contact: the
 *   first one is not known of.
 */
export function avoidable(quirks: Quirks, { problems, admitted }: Findings): readonly string[] {
  const dropsReactions = quirks.put === 'full-replace' && quirks.reactionOwner === 'own-only';
  const hidesConversations = quirks.create === 'duplicates' && admitted.includes('list');
  const isSaid = admitted.some((label) => label.startsWith('edit') || label.startsWith('react'));
  return problems.filter(
    (problem) =>
      !(dropsReactions && isSaid && problem.startsWith('lost: reaction')) &&
      !(hidesConversations && problem.startsWith('create again')),
  );
}
