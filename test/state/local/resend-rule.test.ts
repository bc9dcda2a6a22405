import { expect, test } from 'vitest';
import { canResend } from '../../../src/state/local/resend-rule.ts';
import * as eg from '../../support/builders/eg.ts';

test('a send may be repeated after two checks, the last one 30 s after the attempt', () => {
  const attempt = { started: 0, ended: 1_000, outcome: 'ambiguous' as const, evidence: 'timeout' };
  const unsure = {
    ...eg.op({ kind: 'message.send', conversationId: 'c1', text: 'x' }),
    state: 'unsure' as const,
    attempts: [attempt],
  };
  expect(canResend({ ...unsure, scans: 2, lastScan: 31_000 }, 31_000)).toBe(true);
  expect(canResend({ ...unsure, scans: 1, lastScan: 31_000 }, 31_000)).toBe(false);
  expect(canResend({ ...unsure, scans: 5, lastScan: 30_999 }, 90_000)).toBe(false);
});
