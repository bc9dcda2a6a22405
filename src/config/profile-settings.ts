/** The type of a profile of config.toml. Also writes the ends of messages about a name that no profile has. */
import { nearest } from './suggest.ts';

export interface ProfileSettings {
  readonly name: string;
  /** As it is written in the file; `normaliseBaseUrl` says whether it can be used. */
  readonly server: string;
  /** A program and its arguments that print the token; null where the token is saved. */
  readonly tokenCommand: readonly string[] | null;
}

const mostNames = 10;

/** `; there are "work", "home"` or `; the only one is "work"`, for messages about a name that is not there. */
export function namesThereAre(profiles: ReadonlyMap<string, unknown>): string {
  const names = [...profiles.keys()].slice(0, mostNames).map((name) => JSON.stringify(name));
  const more = profiles.size - names.length;
  const end = more === 0 ? '' : ` and ${more} more`;
  if (names.length === 0) return '; none is configured';
  return `; ${names.length === 1 ? 'the only one is' : 'there are'} ${names.join(', ')}${end}`;
}

/** `; did you mean "work"?`; '' where no name is near. */
export function nameProbablyMeant(wrong: string, profiles: ReadonlyMap<string, unknown>): string {
  const near = nearest(wrong, [...profiles.keys()]);
  return near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
}
