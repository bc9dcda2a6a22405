/** Reads the limit and the cursor of a list from the parameters of a request (API document §4, §8). */
import type { FormMap } from '../../protocol/form-decode.ts';
import type { Paging } from '../store/page.ts';
import { text } from './parameters.ts';
import { badParameter } from './service-error.ts';

export const pagingNames = ['limit', 'starting_after', 'ending_before'] as const;

const defaultLimit = 10;
const maximumLimit = 100;

/** `place` resolves to the position of a cursor's row in the list; undefined when the list has no row with that id. */
export async function paging<Place>(
  form: FormMap,
  place: (id: string) => Promise<Place | undefined>,
): Promise<Paging<Place>> {
  const limitText = text(form, 'limit') ?? String(defaultLimit);
  const limit = /^\d{1,4}$/.test(limitText) ? Number(limitText) : 0;
  if (limit < 1 || limit > maximumLimit) throw badParameter('limit', `must be an integer from 1 to ${maximumLimit}`);
  const after = text(form, 'starting_after');
  const before = text(form, 'ending_before');
  if (after !== null && before !== null) throw badParameter('ending_before', 'cannot be combined with starting_after');
  const id = after ?? before;
  if (id === null) return { limit, direction: 'older', cursor: null };
  const cursor = await place(id);
  if (cursor === undefined) {
    throw badParameter(
      after === null ? 'ending_before' : 'starting_after',
      'is not an id of this list',
      'cursor_unknown',
    );
  }
  return { limit, direction: after === null ? 'newer' : 'older', cursor };
}
