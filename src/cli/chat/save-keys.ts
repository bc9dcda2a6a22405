/** Writes the keys that the user gave to commands into `[keys.bind]` of config.toml. */
import type { CommandContext } from '../../commands/context.ts';
import { setInToml, unsetInToml } from '../../config/edit-toml.ts';
import { ConfigError, systemCause } from '../../config/errors.ts';
import { changeConfigText } from '../../config/file.ts';
import type { KeyChanges } from '../../state/model/overlay.ts';

export const keySaver =
  (file: string): CommandContext['saveKeys'] =>
  (changes, done) =>
    void save(file, changes).then(done);

/** Writes all changes at once, so that no key is taken from a command and given to none. Returns the problem. */
async function save(file: string, changes: KeyChanges): Promise<string | null> {
  try {
    await changeConfigText(file, async (before) => {
      let text = before;
      for (const [id, keys] of Object.entries(changes)) text = await withKeys(file, text, id, keys);
      return text;
    });
    return null;
  } catch (error) {
    return `The key was not saved: ${error instanceof ConfigError ? error.message : systemCause(error)}`;
  }
}

async function withKeys(file: string, text: string, id: string, keys: readonly string[] | null): Promise<string> {
  const path = ['keys', 'bind', id];
  const next =
    keys === null
      ? await unsetInToml(file, text, path)
      : await setInToml(file, text, path, `[${keys.map((key) => JSON.stringify(key)).join(', ')}]`);
  if (next !== null) return next;
  throw new ConfigError(file, null, `${id} is written in a form that cannot be changed here; use msg-tui config edit`);
}
