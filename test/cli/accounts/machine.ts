/** A machine without accounts, and what commands use of it. */
import { type LoginOptions, type LoginPorts, login } from '../../../src/cli/accounts/login.ts';
import { readEnvironment, type Variables } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/file.ts';
import { paths } from '../../../src/config/paths.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { type FakeKeyring, fakeKeyring, type Temper } from '../../support/system/fake-keyring.ts';

export interface Machine extends LoginPorts {
  readonly keyring: FakeKeyring;
  /** What was printed: stdout, and the lines of stderr. */
  readonly printed: string[];
  /** The answers of the user, in order; none: there is no terminal. */
  readonly answers: string[];
  readonly asked: string[];
  with(env: Variables): Machine;
  /** Signs in with this token on standard input. */
  signIn(options: LoginOptions, token: string): Promise<void>;
  config(): ReturnType<typeof loadConfig>;
}

export function machine(temper: Temper = 'works'): Machine {
  const all = paths({}, 'linux', temporaryDirectory());
  const printed: string[] = [];
  const answers: string[] = [];
  const asked: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const answer = async (question: string): Promise<string | null> => {
    asked.push(question);
    return answers.shift() ?? null;
  };
  const ports = {
    environment: readEnvironment({}),
    paths: all,
    keyring: fakeKeyring(temper),
    asker: { line: answer, secret: answer },
    stdin: async () => '',
    output: { text: print, json: print, remark: print, columns: null },
  };
  const make = (own: typeof ports): Machine => ({
    ...own,
    printed,
    answers,
    asked,
    with: (env) => make({ ...own, environment: readEnvironment({ ...env }) }),
    signIn: (options, token) => login({ tokenStdin: true, ...options }, { ...own, stdin: async () => token }),
    config: () => loadConfig(all.configFile),
  });
  return make(ports);
}
