/**
 * The steps of the welcome screen, as a pure reducer over keys and typed text.
 *
 *     menu ──demo──► done        server ──ok──► token ──► checking ──ok──► done
 *       └──connect──► server       ▲ Esc: menu    ▲ Esc: server │
 *                                                 └── refused ──┘
 */

import { tokenProblem } from '../protocol/token.ts';

export type WelcomeChoice =
  | { readonly kind: 'demo' }
  | { readonly kind: 'connect'; readonly server: string; readonly token: string }
  | { readonly kind: 'quit' };

export interface WelcomeState {
  readonly step: 'menu' | 'server' | 'token' | 'checking';
  readonly selected: number;
  readonly server: string;
  readonly token: string;
  /** What is wrong and how to mend it; raw text. */
  readonly problem: string | null;
  readonly done: WelcomeChoice | null;
}

export const menu = ['demo', 'connect', 'quit'] as const;

/** @param problem why the token of `server` is asked for again */
export const beginWelcome = (server: string, problem: string | null = null): WelcomeState => ({
  step: server === '' ? 'menu' : 'token',
  selected: 0,
  server,
  token: '',
  problem,
  done: null,
});

/** @param problemOf what is wrong with a server address, or null */
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
    case 'checking':
      // What the server has taken is being kept by then: only leaving ends that.
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

export function typeWelcome(state: WelcomeState, text: string): WelcomeState {
  if (state.step === 'server') return { ...state, server: text, problem: null };
  return state.step === 'token' ? { ...state, token: text, problem: null } : state;
}

/** The answer of the one call that checks server and token. */
export function finishCheck(state: WelcomeState, problem: string | null): WelcomeState {
  if (state.step !== 'checking') return state;
  if (problem !== null) return { ...state, step: 'token', problem };
  return { ...state, done: { kind: 'connect', server: state.server, token: state.token } };
}
