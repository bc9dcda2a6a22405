/** Runs the welcome screen, for a user who has set up no account yet. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OnRequest, SentRequest } from '../../api/http/sent-request.ts';
import { editOfKey } from '../../commands/text-editing.ts';
import { insert } from '../../state/composer/draft-edit.ts';
import { pasteLine } from '../../state/composer/text-field.ts';
import type { Draft } from '../../state/model/app-state.ts';
import type { Settings } from '../../state/model/settings.ts';
import {
  beginWelcome,
  clickWelcome,
  editWelcome,
  finishCheck,
  pressWelcome,
  type WelcomeChoice,
  type WelcomeSpot,
  type WelcomeState,
} from '../../state/view/welcome.ts';
import type { InputEvent } from '../../terminal/events.ts';
import type { Screen } from '../../terminal/screen.ts';
import { checkAccount } from '../accounts/check-account.ts';
import { messageOf } from '../process/exit.ts';
import type { TerminalSession } from '../process/terminal-session.ts';
import { version } from '../process/version.ts';
import { accountProblem } from '../sign-in/account-problem.ts';
import {
  type ChatAccount,
  checkServer,
  type FindAccountOptions,
  holderToSave,
  type NoAccount,
  questionBeforeSaving,
  saveAccount,
} from '../sign-in/find-account.ts';
import { recordRequests } from '../sign-in/record-requests.ts';
import { drawsAscii } from './appearance.ts';
import { sayAtTheEnd } from './new-token.ts';

/** Loads the component of the welcome screen. It is a parameter, because only `tui.tsx` may import `ui`. */
export type WelcomeLoader = () => Promise<{
  mountWelcome(
    props: {
      readonly isAscii: boolean;
      readonly version: string;
      readonly subscribe: (listener: () => void) => () => void;
      readonly getState: () => WelcomeState;
    },
    screen: Screen,
  ): { unmount(): void; spotAt(x: number, y: number): WelcomeSpot };
}>;

interface WelcomeScreen {
  readonly load: WelcomeLoader;
  /** Whether `--ascii` was given. */
  readonly ascii: boolean;
  readonly glyphs: Settings['glyphs'];
}

/** @param from where to begin: without a server at the menu, else at the question for the token */
export async function runWelcome(
  terminal: TerminalSession,
  options: FindAccountOptions,
  from: NoAccount,
  { load, ascii, glyphs }: WelcomeScreen,
): Promise<ChatAccount | 'demo' | 'quit'> {
  const store = createStore<WelcomeState>(() => beginWelcome(from.server ?? '', from.problem));
  const serverProblem = (input: string): string | null => {
    const server = checkServer(input, options);
    return 'problem' in server ? server.problem : null;
  };
  let spotAt = (_x: number, _y: number): WelcomeSpot => ({ row: null, key: null });
  terminal.input.attach((event) => {
    if (event.type === 'reply') terminal.learn(event);
    const isClick = event.type === 'mouse' && event.action === 'press' && event.button === 'left';
    const next = isClick
      ? clickWelcome(store.getState(), spotAt(event.x, event.y), serverProblem)
      : withInput(store.getState(), event, serverProblem);
    store.setState(next, true);
  });
  terminal.onResize(() => store.setState({ ...store.getState() }, true));
  terminal.input.start();
  terminal.screen.enter();
  const { mountWelcome } = await load();
  const mounted = mountWelcome(
    {
      isAscii: drawsAscii(terminal, ascii, glyphs),
      version,
      subscribe: store.subscribe,
      getState: store.getState,
    },
    terminal.screen,
  );
  spotAt = mounted.spotAt;
  const choice = await decision(store, options, from);
  mounted.unmount();
  terminal.input.attach(() => {});
  return choice;
}

/** @param serverProblem returns what is wrong with a server address, or null */
function withInput(
  state: WelcomeState,
  event: InputEvent,
  serverProblem: (server: string) => string | null,
): WelcomeState {
  if (event.type === 'paste') return editWelcome(state, (draft) => pasteLine(draft, event.text));
  if (event.type !== 'key') return state;
  const pressed = pressWelcome(state, event.key, serverProblem);
  if (pressed !== state) return pressed;
  const edit = event.text === '' ? editOfKey(event.key) : (draft: Draft) => insert(draft, event.text);
  return edit === null ? state : editWelcome(state, edit);
}

type WelcomeStore = StoreApi<WelcomeState>;

/** Checks server and token with one request each time they are given, and resolves when the user has decided. */
function decision(
  store: WelcomeStore,
  options: FindAccountOptions,
  from: NoAccount,
): Promise<ChatAccount | 'demo' | 'quit'> {
  return new Promise((resolve) => {
    let check: AbortController | null = null;
    /** The requests that were made before there was an account whose ledger could hold them. */
    const sent: SentRequest[] = [];
    /** The account that the server has accepted and whose token is being saved. */
    let saving: NewAccount | null = null;
    store.subscribe((state, previous) => {
      // A user who does not want to wait for the keyring may leave.
      if (state.done !== null && state.done !== previous.done) return void settle(state.done);
      if (state.step === 'checking' && previous.step !== 'checking') {
        check = new AbortController();
        const onRequest = (request: SentRequest): void => void sent.push(request);
        void checkGiven(state, options, from, check.signal, onRequest).then(({ problem, question }) =>
          store.setState(finishCheck(store.getState(), problem, question), true),
        );
      } else if (state.step !== 'checking') {
        check?.abort();
        check = null;
      }
    });
    const settle = async (done: NonNullable<WelcomeState['done']>): Promise<void> => {
      if (done.kind !== 'connect') {
        if (saving !== null) sayAtTheEnd(await saveAtOnce(options, saving, from));
        return resolve(done.kind);
      }
      try {
        saving = done;
        const account = await saveAccount(options, done.server, done.token, { from });
        await recordRequests(options.paths, account.cacheDirectory, sent, { isNew: true });
        resolve(account);
      } catch (error) {
        saving = null;
        const problem = messageOf(error);
        store.setState({ ...store.getState(), step: 'token', done: null, problem }, true);
      }
    };
  });
}

type NewAccount = Extract<WelcomeChoice, { kind: 'connect' }>;

/** Saves the account without the keyring, for a user who leaves. @returns what to show the user */
async function saveAtOnce(
  options: FindAccountOptions,
  { server, token }: NewAccount,
  from: NoAccount,
): Promise<string | null> {
  try {
    return (await saveAccount(options, server, token, { atOnce: true, from })).notice ?? null;
  } catch (error) {
    return `The account was not saved: ${messageOf(error)}`;
  }
}

/** @returns what is wrong with server or token, and what to ask before the token is saved; null for nothing */
async function checkGiven(
  { server, token }: WelcomeState,
  options: FindAccountOptions,
  from: NoAccount,
  signal: AbortSignal,
  onRequest: OnRequest,
): Promise<{ readonly problem: string | null; readonly question: string | null }> {
  try {
    const holder = holderToSave(options, server, from);
    await checkAccount(holder, token, options, signal, onRequest);
    return { problem: null, question: await questionBeforeSaving(options, holder, token, signal) };
  } catch (error) {
    return { problem: accountProblem(error), question: null };
  }
}
