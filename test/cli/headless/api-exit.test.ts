import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import { asExit } from '../../../src/cli/headless/api-exit.ts';

test('a refused token ends a command with 3, and the error says how to give another one', () => {
  const error = new ApiError({ kind: 'unauthorized', outcome: 'not-applied', message: 'the server answered 401.' });
  expect(asExit(error)).toMatchObject({
    code: 3,
    message: 'the server answered 401; give another token by msg-tui login, MSG_TUI_TOKEN or --token-file',
  });
});
