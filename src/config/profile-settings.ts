/** The profiles of config.toml. */

export interface ProfileSettings {
  readonly name: string;
  /** As written; `normaliseBaseUrl` judges it. */
  readonly server: string;
}

const mostNames = 10;

/** `; there are "work", "home"`, for messages about a name that is not there. */
export function among(profiles: ReadonlyMap<string, ProfileSettings>): string {
  const names = [...profiles.keys()].slice(0, mostNames).map((name) => JSON.stringify(name));
  const more = profiles.size - names.length;
  const end = more === 0 ? '' : ` and ${more} more`;
  return names.length === 0 ? '; none is configured' : `; there are ${names.join(', ')}${end}`;
}
