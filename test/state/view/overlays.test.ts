import { expect, test } from 'vitest';
import { answerTo, type Confirm } from '../../../src/state/view/overlays.ts';

test('a question accepts no answer at once, nor about a text that changed', () => {
  const confirm: Confirm = {
    kind: 'confirm',
    id: 'message.delete',
    conversationId: 'a',
    messageId: 'm1',
    textThen: 'text',
    openedAt: 1_000,
  };
  expect(answerTo(confirm, 'text', 1_399)).toBe('too-soon');
  expect(answerTo(confirm, 'text', 1_400)).toBe('valid');
  expect(answerTo(confirm, 'other', 1_400)).toBe('changed');
  expect(answerTo(confirm, null, 1_400)).toBe('changed');
});
