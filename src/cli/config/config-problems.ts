/** Finds all that is wrong in the text of config.toml, also what only commands, themes and the API's rules know. */
import { inspectConfig } from '../../config/file.ts';
import type { Problem } from '../../config/settings-in-file.ts';
import { indexLines, type LineOf } from '../../config/toml-lines.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { settingsOf } from './chat-settings.ts';
import { findKeyProblems } from './key-problems.ts';
import { themeProblems } from './own-themes.ts';

/**
 * @param file beside which the user's themes are
 * @throws ConfigError for a text that is no TOML
 */
export async function configProblems(file: string, text: string): Promise<readonly Problem[]> {
  const inspected = await inspectConfig(file, text);
  const lineOf = indexLines(text);
  const at = (path: readonly string[], problem: string): Problem => ({
    line: lineNear(lineOf, path),
    text: problem,
    isWarning: true,
    key: path.join('.'),
  });
  const servers = [...inspected.profiles.values()].flatMap(({ name, server }) => {
    // An http address is judged at the start, which knows --insecure-http.
    const checked = normaliseBaseUrl(server, { insecureHttp: true });
    return 'problem' in checked ? [at(['profiles', name, 'server'], checked.problem)] : [];
  });
  const keys = findKeyProblems(settingsOf(inspected).keys).map((problem) => at(problem.path, problem.text));
  const themes = await themeProblems(file, inspected.values.theme);
  return [...inspected.problems, ...servers, ...keys, ...themes.map((problem) => at(['theme'], problem))];
}

/** The line of the key, or of the table around it. An id in a key may be written without quotes, as a table in a table. */
function lineNear(lineOf: LineOf, path: readonly string[]): number | null {
  if (path.length === 0) return null;
  const split = [...path.slice(0, -1), ...(path.at(-1) ?? '').split('.')];
  return lineOf(path) ?? lineOf(split) ?? lineNear(lineOf, path.slice(0, -1));
}

/** What a change of these settings would make wrong in them, in one line; null for nothing. Throws `ConfigError`. */
export async function newProblem(
  file: string,
  before: string,
  after: string,
  ids: readonly string[],
): Promise<string | null> {
  const known = new Set((await configProblems(file, before)).map(({ text }) => text));
  const isIn = (key: string): boolean => ids.some((id) => key === id || key.startsWith(`${id}.`));
  const found = (await configProblems(file, after)).find(({ key, text }) => isIn(key) && !known.has(text));
  return found?.text ?? null;
}
