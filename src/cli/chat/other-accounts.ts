/** Finds the accounts of config.toml that an open chat can go to. */
import { forOtherProfile } from '../../config/account-flags.ts';
import type { Environment } from '../../config/environment.ts';
import { type Config, loadConfig } from '../../config/file.ts';
import type { Accounts } from '../../state/model/app-state.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { chosenProfile } from '../sign-in/chosen-profile.ts';
import { type ChatAccount, type FindAccountOptions, findAccount, isWhole } from '../sign-in/find-account.ts';

export interface OtherAccounts {
  readonly shown: Accounts;
  /** Rejects with an error whose message says why the account cannot be opened. */
  find(profile: string): Promise<{ readonly account: ChatAccount; readonly environment: Environment }>;
}

/** Null where config.toml does not have the account that the program was started with: nothing could lead back to it. */
export function otherAccounts(options: FindAccountOptions, config: Config): OtherAccounts | null {
  const first = chosenProfile(config, options.environment);
  if (first?.source !== 'config') return null;
  // Nobody can be asked on the terminal while the chat has it.
  const { ask: _, ...silent } = options;
  return {
    shown: { current: first.name, all: profilesOf(config.profiles) },
    async find(profile) {
      // A token of the environment or of a flag is for the account that the program was started with.
      const environment = profile === first.name ? options.environment : forOtherProfile(options.environment, profile);
      const account = await findAccount({ ...silent, environment }, loadConfig(options.paths.configFile));
      if (isWhole(account)) return { account, environment };
      throw new ExitError(
        exitCodes.notSignedIn,
        account.problem ?? `You are signed out of ${profile}. Sign in with: msg-tui login --profile ${profile}`,
      );
    },
  };
}

export const profilesOf = (profiles: Config['profiles']): Accounts['all'] =>
  [...profiles.values()].map(({ name, server }) => ({ name, server }));
