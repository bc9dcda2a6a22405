/** Makes the environment for programs that the chat starts by the user's configuration. */
import type { Variables } from './environment.ts';

/** Leaves out every variable that holds one of the secrets, whatever its name is; MSG_TUI_TOKEN in any case. */
export function childEnvironment(secrets: readonly string[], env: Variables = process.env): Variables {
  const held = secrets.filter((secret) => secret !== '');
  const isSecret = ([name, value = '']: readonly [string, string | undefined]): boolean =>
    name === 'MSG_TUI_TOKEN' || held.some((secret) => value.includes(secret));
  return Object.fromEntries(Object.entries(env).filter((entry) => !isSecret(entry)));
}
