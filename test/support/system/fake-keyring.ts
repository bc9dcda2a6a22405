/** A keyring in memory, and the ways in which real ones fail. */
import { type Keyring, KeyringError } from '../../../src/config/keyring.ts';

export interface FakeKeyring extends Keyring {
  readonly entries: Map<string, string>;
  /** What was asked of it, in order. */
  readonly asked: string[];
}

/**
 * `hangs`: until its deadline, which the fake reports, or until it is given up; `forgets`: takes everything, holds nothing;
 * `garbles`: gives back another text.
 */
export type Temper = 'works' | 'refuses' | 'hangs' | 'forgets' | 'garbles';

export function fakeKeyring(temper: Temper = 'works', entries = new Map<string, string>()): FakeKeyring {
  const asked: string[] = [];
  const answer = async (entry: string, signal?: AbortSignal): Promise<string | null> => {
    if (temper === 'refuses') throw new KeyringError('it is locked');
    if (temper === 'hangs') await givenUp(signal);
    const held = entries.get(entry) ?? null;
    return temper === 'garbles' && held !== null ? `${held}?` : held;
  };
  return {
    entries,
    asked,
    get(entry, { signal }) {
      asked.push('get');
      return answer(entry, signal);
    },
    async set(entry, token, { signal }) {
      asked.push('set');
      if (temper !== 'refuses' && temper !== 'hangs' && temper !== 'forgets') entries.set(entry, token);
      return answer(entry, signal);
    },
    async remove(entry) {
      asked.push('remove');
      if (temper === 'refuses' || temper === 'hangs') throw new KeyringError('it is locked');
      entries.delete(entry);
    },
  };
}

function givenUp(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new KeyringError('it did not answer'));
    if (signal === undefined) end();
    else signal.addEventListener('abort', end);
  });
}
