/** Reads a theme of the user: a TOML file in the folder `themes` beside config.toml. */
import { dirname, join } from 'node:path';
import { ConfigError, systemCause } from './errors.ts';
import { parseToml } from './file.ts';
import { readRegularFile, UnfitFile } from './regular-file.ts';

export const themeDirectory = (configFile: string): string => join(dirname(configFile), 'themes');

const sizeLimit = 64_000;

/** Returns the table of a theme of the user, of any shape. Throws `ConfigError`. */
export async function loadThemeFile(configFile: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  const file = join(themeDirectory(configFile), name);
  try {
    return await parseToml(file, readRegularFile(file, sizeLimit));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (error instanceof UnfitFile) throw new ConfigError(file, null, error.message);
    throw new ConfigError(file, null, systemCause(error));
  }
}
