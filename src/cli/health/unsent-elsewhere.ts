/** Finds unsent texts that no configured account shows, as after the address of a profile was changed in config.toml. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/file.ts';
import { directoriesOfProfile } from '../../config/known-tokens.ts';
import { accountsFolder, type Paths, type ProfileDirectories } from '../../config/paths.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { countUnsentIn } from '../../storage/inspect.ts';
import { type Check, counted, sectionOf } from '../output/check.ts';

/** Never rejects. @param own the directories of the account that is inspected */
export async function findUnsentElsewhere(paths: Paths, own: ProfileDirectories | null): Promise<readonly Check[]> {
  const { note } = sectionOf('Outbox');
  const configured = await directoriesOfConfig(paths);
  if (configured === null) return [];
  const used = new Set([own?.data, ...configured]);
  return directoriesIn(accountsFolder(paths.data)).flatMap((directory) => {
    const unsent = used.has(directory) ? 0 : countUnsentIn(directory);
    if (unsent === 0) return [];
    const text = `${counted(unsent, 'unsent text')} in ${directory}, which no profile uses`;
    return [
      note(
        'elsewhere',
        text,
        'to see and send them, give the profile its former address again, or set MSG_TUI_SERVER as it was then',
      ),
    ];
  });
}

/** Null where config.toml cannot be read, which the check of the account reports. */
async function directoriesOfConfig(paths: Paths): Promise<readonly string[] | null> {
  const config = await loadConfig(paths.configFile).catch(() => null);
  if (config === null) return null;
  return [...config.profiles.values()].flatMap(({ name, server }) => {
    const base = normaliseBaseUrl(server, { insecureHttp: true });
    return 'problem' in base ? [] : [directoriesOfProfile(paths, { server: base.url, profile: name }, null).data];
  });
}

function directoriesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
