/** What the welcome screen says when an account cannot be used. */
import { expect, test } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../../src/api/errors.ts';
import { accountProblem } from '../../../src/cli/sign-in/account-problem.ts';

const failed = (kind: ApiErrorKind) =>
  new ApiError({
    kind,
    status: 0,
    outcome: 'not-applied',
    message: 'what happened',
    requestId: null,
    retryAfterMs: null,
    code: null,
  });

test('the remedy comes first, and what happened after it', () => {
  expect(accountProblem(failed('unauthorized'))).toMatch(/^the server does not accept this token.*\(what happened\)$/);
  expect(accountProblem(failed('not-api'))).toMatch(/not the Messaging Service.*\(what happened\)$/);
});

test('a problem that needs no explanation is shown alone', () => {
  expect(accountProblem(failed('network'))).toBe('what happened');
  expect(accountProblem(new Error('odd'))).toBe('odd');
});
