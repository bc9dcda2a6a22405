/** One difference at a time: everything a user does comes out right, or the client says what this server cannot do. */
import { describe, expect, test } from 'vitest';
import { campaignPart } from '../support/campaigns/partition.ts';
import { nameOf, plain, promised, type Quirks } from '../support/quirk-server/quirks.ts';
import { walk } from './walk.ts';

const everySend = ['send 1', 'send 2', 'send 3', 'send 4', 'send 5', 'send to group', 'send long'];
const reacting = [
  'react',
  'react twice',
  'react beside others',
  "react to another's",
  "react to another's twice",
  "react to another's with files",
];
const all = (labels: readonly string[], how: string): readonly string[] => labels.map((label) => `${label} ${how}`);
const noUnreacting = all(['unreact', 'unreact beside others', "unreact another's"], 'refused');

/** `switch=value` → what is admitted there; nothing anywhere else. */
const admissions: Readonly<Record<string, readonly string[]>> = {
  'reactions=append': noUnreacting,
  'paging=none': ['list', 'history'],
  'paging=none-cap': ['list', 'history'],
  'deletion=200-not-deleted': all(['delete', 'delete conversation'], 'refused'),
  'clearing=zero': ['unpin message refused'],
  'clearing=impossible': all(['unpin message', 'unarchive'], 'refused'),
  'idempotencyKey=refused': [...all(everySend, 'failed'), 'create refused'],
  'reactionNames=listed': ["react to another's twice refused"],
  'textLimit=413': ['send long failed'],
  'textLimit=422': ['send long failed'],
  'contacts=subset': all(reacting, 'refused'),
  'emptyReaction=a string': noUnreacting,
  'contacts=null': [...all(reacting, 'refused'), ...noUnreacting],
};

/** Whether the user is asked before the conversation turns up depends on when it is looked for. */
const mayBeAsked = (quirks: Quirks, label: string): boolean => quirks.lateApply > 0 && label === 'create refused';

const singles: readonly Quirks[] = Object.entries(promised).flatMap(([name, values]) =>
  values.slice(1).map((value) => ({ ...plain, [name]: value }) as Quirks),
);

describe('a server with one difference', () => {
  test.each(campaignPart([plain, ...singles], 61).map((quirks) => [nameOf(quirks), quirks] as const))(
    '%s',
    async (name, quirks) => {
      const { problems, admitted } = await walk(quirks);
      expect(problems).toEqual([]);
      expect(admitted.filter((label) => !mayBeAsked(quirks, label)).sort()).toEqual(
        [...(admissions[name] ?? [])].sort(),
      );
    },
  );
});
