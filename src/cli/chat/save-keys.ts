/** Writes the keys that the user gave to commands into `[keys.bind]` of config.toml. */
import type { CommandContext } from '../../commands/context.ts';
import { setInToml, unsetInToml } from '../../config/edit-toml.ts';
import { ConfigError, systemCause } from '../../config/errors.ts';
import { readConfigText, replaceConfigText } from '../../config/file.ts';
import type { KeyChanges } from '../../state/model/overlay.ts';

export const keySaver =
  (file: string): CommandContext['saveKeys'] =>
  (changes, done) =>
    void save(file, changes).then(done);

/** Writes all changes at once, so that no key is taken from a command and given to none. Returns the problem. */
async function save(file: string, changes: KeyChanges): Promise<string | null> {
  try {
    const before = readConfigText(file);
    let text = before;
    for (const [id, keys] of Object.entries(changes)) {
      const next = await withKeys(file, text, id, keys);
      if (next === null)
        return `The key was not saved: ${file} holds ${id} in a form that cannot be changed in place; use msg-tui config edit`;
      text = next;
    }
    if (text === before) return null;
    return replaceConfigText(file, before, text)
      ? null
      : 'The key was not saved: config.toml was changed at the same time. Try again';
  } catch (error) {
    const why = error instanceof ConfigError ? error.message : `${file} could not be written: ${systemCause(error)}`;
    return `The key was not saved: ${why}`;
  }
}

const withKeys = (file: string, text: string, id: string, keys: readonly string[] | null): Promise<string | null> =>
  keys === null
    ? unsetInToml(file, text, ['keys', 'bind', id])
    : setInToml(file, text, ['keys', 'bind', id], `[${keys.map((key) => JSON.stringify(key)).join(', ')}]`);
