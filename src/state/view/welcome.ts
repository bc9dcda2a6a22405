/**
 * The steps of the welcome screen, as a pure reducer over keys and typed text.
 *
 *     menu ──demo──► done        server ──ok──► token ──► checking ──ok──► done
 *       └──connect──► server       ▲ Esc: menu    ▲ Esc: server │ │
 *                                                 ├── refused ──┘ └─ new here ──► same account ──yes──► done
 *                                                 └── no ─────────────────────────┘
 */

import { tokenProblem } from '../../protocol/token.ts';

export type WelcomeChoice =
  | { readonly kind: 'demo' }
  | { readonly kind: 'connect'; readonly server: string; readonly token: string }
  | { readonly kind: 'quit' };

export interface WelcomeState {
  readonly step: 'menu' | 'server' | 'token' | 'checking' | 'same-account';
  readonly selected: number;
  readonly server: string;
  readonly token: string;
  /** What is wrong and how to mend it; not yet sanitised. */
  readonly problem: string | null;
  /** The question of the step `same-account`; not yet sanitised. */
  readonly question: string | null;
  readonly done: WelcomeChoice | null;
}

export const menu = ['demo', 'connect', 'quit'] as const;

/** @param problem tells why the token of `server` is asked for again */
export const beginWelcome = (server: string, problem: string | null = null): WelcomeState => ({
  step: server === '' ? 'menu' : 'token',
  selected: 0,
  server,
  token: '',
  problem,
  question: null,
  done: null,
});

/** @param problemOf returns what is wrong with a server address, or null */
export function pressWelcome(
  state: WelcomeState,
  key: string,
  problemOf: (server: string) => string | null,
): WelcomeState {
  if (key === 'ctrl+c' || key === 'ctrl+q') return { ...state, done: { kind: 'quit' } };
  switch (state.step) {
    case 'menu':
      return pressMenu(state, key);
    case 'server':
      return pressServer(state, key, problemOf);
    case 'token':
      return pressToken(state, key);
    case 'same-account':
      return pressQuestion(state, key);
    case 'checking':
      // After the server has accepted the token it is being stored, which Esc cannot interrupt.
      return key === 'escape' && state.done === null ? { ...state, step: 'token', problem: null } : state;
  }
}

function pressMenu(state: WelcomeState, key: string): WelcomeState {
  if (key === 'down' || key === 'j' || key === 'tab')
    return { ...state, selected: Math.min(state.selected + 1, menu.length - 1) };
  if (key === 'up' || key === 'k' || key === 'shift+tab')
    return { ...state, selected: Math.max(state.selected - 1, 0) };
  if (key !== 'enter') return state;
  const choice = menu[state.selected];
  if (choice === 'connect') return { ...state, step: 'server', problem: null };
  return choice === undefined ? state : { ...state, done: { kind: choice } };
}

function pressServer(state: WelcomeState, key: string, problemOf: (server: string) => string | null): WelcomeState {
  if (key === 'escape') return { ...state, step: 'menu', problem: null };
  if (key !== 'enter') return state;
  const problem = problemOf(state.server);
  return problem === null ? { ...state, step: 'token', problem: null } : { ...state, problem };
}

function pressToken(state: WelcomeState, key: string): WelcomeState {
  if (key === 'escape') return { ...state, step: 'server', problem: null };
  if (key !== 'enter') return state;
  const token = state.token.trim();
  const problem = tokenProblem(token);
  if (problem !== null) return { ...state, problem };
  return { ...state, token, step: 'checking', problem: null };
}

function pressQuestion(state: WelcomeState, key: string): WelcomeState {
  if (key === 'y') return connected({ ...state, step: 'checking' });
  if (key !== 'n' && key !== 'escape') return state;
  const problem =
    'Set MSG_TUI_SERVER and MSG_TUI_TOKEN and start msg-tui again: another account has its own files then.';
  return { ...state, step: 'token', token: '', problem };
}

const connected = (state: WelcomeState): WelcomeState => ({
  ...state,
  done: { kind: 'connect', server: state.server, token: state.token },
});

export function typeWelcome(state: WelcomeState, text: string): WelcomeState {
  if (state.step === 'server') return { ...state, server: text, problem: null };
  return state.step === 'token' ? { ...state, token: text, problem: null } : state;
}

/**
 * Takes in the result of the request that checked server and token.
 * @param question is asked before the token is used with data that another token has left here
 */
export function finishCheck(state: WelcomeState, problem: string | null, question: string | null = null): WelcomeState {
  if (state.step !== 'checking') return state;
  if (problem !== null) return { ...state, step: 'token', problem };
  return question === null ? connected(state) : { ...state, step: 'same-account', question };
}
