/** What is said of changes that wait when the chat is left. */
import { expect, test } from 'vitest';
import { unknownText, waitingText } from '../../../src/cli/chat/leave-chat.ts';
import type { Op } from '../../../src/state/model/app-state.ts';
import { setOtherSender } from '../../../src/state/view/connection.ts';
import * as eg from '../../support/builders/eg.ts';

const ops = (...states: readonly Op['state'][]): readonly Op[] =>
  states.map((state, at) =>
    eg.op({ kind: 'message.send', conversationId: 'c', text: 'Hi' }, { uuid: `u${at}`, state }),
  );

const said = (...states: readonly Op['state'][]): string | null =>
  waitingText(eg.state({ local: { outbox: ops(...states) } }), ' in work', 'later');

test('it is said how many changes wait, without those that may have arrived', () => {
  expect(said('queued')).toBe('One change waits in work and is sent later');
  expect(said('queued', 'queued', 'unsure', 'failed', 'sending')).toBe('2 changes wait in work and are sent later');
  expect(said('sending', 'unsure')).toBe(null);
});

test('messages whose answer did not come are named, without those that were unsure before', () => {
  const state = eg.state({ local: { outbox: ops('sending', 'unsure', 'unsure', 'queued') } });
  expect(unknownText(state, ['u0'], ' in work', 'later')).toBe(
    'It is not known whether one message in work arrived; it is looked for later',
  );
  expect(unknownText(state, ['u0', 'u1'], '', 'later')).toBe(
    'It is not known whether 2 messages arrived; they are looked for later',
  );
  expect(unknownText(state, [], '', 'later')).toBe(null);
});

test('nothing is said where another msg-tui is open, which sends the changes', () => {
  const state = eg.state({ local: { outbox: ops('queued') } });
  const other = { pid: 7, isStopped: false };
  expect(waitingText(setOtherSender(other)(state), '', 'later')).toBe(null);
  expect(waitingText(setOtherSender({ ...other, isBrief: true })(state), '', 'later')).not.toBe(null);
});
