/** Awaits the rejection of a call and hands back its facts; anything but an `ApiError` fails the test. */
import { ApiError, type ApiErrorFacts } from '../../../src/api/errors.ts';

export async function factsOf(call: Promise<unknown>): Promise<ApiErrorFacts> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error.facts;
    throw error;
  }
  throw new Error('the call did not reject');
}
