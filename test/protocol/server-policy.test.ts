/** What is decided for a server from what was observed of it. */
import { describe, expect, test } from 'vitest';
import type { CapabilityName, CapabilityValues } from '../../src/protocol/capabilities.ts';
import { policyOf } from '../../src/protocol/server-policy.ts';

const policyWhere = (observed: Partial<CapabilityValues>) =>
  policyOf(
    Object.fromEntries(
      (Object.keys(observed) as CapabilityName[]).map((name) => [
        name,
        { value: observed[name], at: 1, from: 'a test' },
      ]),
    ),
  );

describe('a server of which nothing was observed', () => {
  const policy = policyWhere({});

  test('is sent a change of one field, after the user was asked if other people have something to lose', () => {
    const unknown = { text: 'unknown', reactions: 'unknown', files: 'unknown' };
    expect(policy.putMessage).toEqual({ ...unknown, appendsFiles: false });
    expect(policy.reactions).toMatchObject({ rule: undefined, asksBeforeRisk: true });
    expect(policy.putConversation).toEqual({ sendsAllSettings: false, learnsFromAnswer: true });
  });

  test('is sent usernames and seconds, and every value that may clear a field', () => {
    expect(policy.reactions).toMatchObject({ writesUserAs: 'username', triesBothNames: true });
    expect(policy.timeFormat).toEqual({ kind: 'number', unit: 's' });
    expect(policy.clear).toEqual({ archivedAt: ['', 'null', '0'], pinnedMessageId: ['', 'null'] });
  });
});

test('is treated for each field of a message as that field was seen to behave', () => {
  const { putMessage } = policyWhere({ omittedText: 'kept', omittedReactions: 'dropped', appendsFiles: true });
  expect(putMessage).toEqual({ text: 'kept', reactions: 'dropped', files: 'unknown', appendsFiles: true });
});

test('that drops settings that are not sent gets all of them', () => {
  const policy = policyWhere({ conversationPutRule: 'full-replace' });
  expect(policy.putConversation).toEqual({ sendsAllSettings: true, learnsFromAnswer: false });
});

test('a server that keeps the settings that are not sent is sent the changed one', () => {
  const policy = policyWhere({ conversationPutRule: 'partial' });
  expect(policy.putConversation).toEqual({ sendsAllSettings: false, learnsFromAnswer: false });
});

test("other people's reactions are sent unless the server takes only one's own", () => {
  expect(policyWhere({ ownReactionsOnly: true }).reactions.sendsOwnOnly).toBe(true);
  expect(policyWhere({ ownReactionsOnly: false }).reactions.sendsOwnOnly).toBe(false);
});

test('the value that cleared a field is sent first; where none did, all are tried again', () => {
  expect(policyWhere({ clearArchivedAt: '0' }).clear.archivedAt).toEqual(['0', '', 'null']);
  expect(policyWhere({ clearPinnedMessage: null }).clear.pinnedMessageId).toEqual(['', 'null']);
});

test('shown texts are unescaped where the server escapes, and expected to be any where it rewrites them', () => {
  expect(policyWhere({ textChange: 'escape' }).textOnWire).toEqual({ unescapesShownText: true, mayShowAnyText: false });
  expect(policyWhere({ textChange: 'unknown' }).textOnWire).toEqual({
    unescapesShownText: false,
    mayShowAnyText: true,
  });
});
