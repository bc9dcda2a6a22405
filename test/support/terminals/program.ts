/** The built program, and an environment of its own to start it in. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly bin: { 'msg-tui': string } };

/** Another build than that of this checkout can be walked through with MSG_TUI_PROGRAM. */
export const program = process.env.MSG_TUI_PROGRAM ?? join(root, bin['msg-tui']);

/** Nothing of the developer's own accounts is in reach. */
export function environmentIn(home: string): Record<string, string> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  };
}
