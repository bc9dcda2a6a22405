/** How people of the journeys come to an account, and to a new token for it. */
import type { Journey } from '../support/terminals/journey.ts';

/** A start that finds neither server nor token. */
export const nothingSetUp = { MSG_TUI_SERVER: undefined, MSG_TUI_TOKEN: undefined };

/** Through the welcome screen to the journey's own server. */
export async function connect(j: Journey): Promise<void> {
  await j.see('> Try the built-in demo');
  j.tui.press('down', 'enter');
  await j.see('Server');
  j.paste(j.server.url);
  await j.see(j.server.url);
  j.tui.press('enter');
  await j.see('Token');
  j.paste(j.server.me.token);
  await j.see('****');
  j.tui.press('enter');
}

/** Every token of `me` is revoked but the one that it answers, and the program has seen so. */
export async function refuseToken(j: Journey): Promise<string> {
  const { admin } = j.server.service;
  const { token: renewed } = await admin.createToken('me', 'renewed');
  for (const { id, username, label } of await admin.tokens())
    if (username === 'me' && label !== 'renewed') await admin.revokeToken(id);
  j.press('server.poll');
  await j.see('token refused');
  return renewed;
}

/** The new token is the user's own. */
export async function acceptToken(j: Journey): Promise<void> {
  j.press('prompt.accept');
  await j.answer('confirm.yes', sameAccount);
}

export const sameAccount = 'Is this token for the same account?';

/** Into the dialog of this title; not accepted yet. */
export async function enterToken(j: Journey, title: string, token: string): Promise<void> {
  j.press('server.signIn');
  await j.see(title);
  j.paste(token);
  await j.see(/Token: +\*+/);
}
