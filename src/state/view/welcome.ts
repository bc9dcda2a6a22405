/**
 * The steps of the welcome screen, as a pure reducer over keys and typed text.
 *
 *     menu ──demo──► done        server ──ok──► token ──► checking ──ok──► done
 *       └──connect──► server       ▲ Esc: menu    ▲ Esc: server │ │        (Esc empties a field that was found wrong first)
 *                                                 ├── refused ──┘ └─ new here ──► same account ──yes──► done
 *                                                 └── no ─────────────────────────┘
 */

import { tokenProblem } from '../../protocol/token.ts';
import { setText } from '../composer/draft.ts';
import { fieldDraft } from '../composer/text-field.ts';
import type { Draft } from '../model/app-state.ts';

export type WelcomeChoice =
  | { readonly kind: 'demo' }
  | { readonly kind: 'connect'; readonly server: string; readonly token: string }
  | { readonly kind: 'quit' };

export interface WelcomeState {
  readonly step: 'menu' | 'server' | 'token' | 'checking' | 'same-account';
  readonly selected: number;
  readonly server: string;
  readonly token: string;
  /** Cursor and undo of the field of this step, valid while `field.text` is the text in it; see `fieldDraft`. */
  readonly field?: Draft | undefined;
  /** What is wrong and how to correct it; not yet sanitised. */
  readonly problem: string | null;
  /** The question of the step `same-account`; not yet sanitised. */
  readonly question: string | null;
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
  if (key === 'q') return { ...state, done: { kind: 'quit' } };
  if (key !== 'enter') return state;
  const choice = menu[state.selected];
  if (choice === 'connect') return { ...state, step: 'server', problem: null };
  return choice === undefined ? state : { ...state, done: { kind: choice } };
}

/** What is drawn at a cell: a row of the menu, or a key with what it does. */
export interface WelcomeSpot {
  readonly row: string | null;
  readonly key: string | null;
}

/** A click on a row of the menu takes it, and one on a key does what the key does. */
export function clickWelcome(
  state: WelcomeState,
  { row, key }: WelcomeSpot,
  problemOf: (server: string) => string | null,
): WelcomeState {
  const selected = (menu as readonly unknown[]).indexOf(row);
  if (state.step === 'menu' && selected >= 0) return pressMenu({ ...state, selected }, 'enter');
  return key === null ? state : pressWelcome(state, key, problemOf);
}

function pressServer(state: WelcomeState, key: string, problemOf: (server: string) => string | null): WelcomeState {
  if (key === 'escape') return emptied(state) ?? { ...state, step: 'menu', problem: null, field: undefined };
  if (key !== 'enter') return state;
  const problem = problemOf(state.server);
  return problem === null ? { ...state, step: 'token', problem: null, field: undefined } : { ...state, problem };
}

function pressToken(state: WelcomeState, key: string): WelcomeState {
  if (key === 'escape') return emptied(state) ?? { ...state, step: 'server', problem: null, field: undefined };
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

/** The draft of the field that has the keyboard; null at a step without one. */
export function welcomeField({ step, server, token, field }: WelcomeState): Draft | null {
  if (step !== 'server' && step !== 'token') return null;
  return fieldDraft(step === 'server' ? server : token, field);
}

export function editWelcome(state: WelcomeState, change: (draft: Draft) => Draft): WelcomeState {
  const before = welcomeField(state);
  const field = before === null ? null : change(before);
  if (field === null || field === before) return state;
  const isSame = field.text === before?.text;
  const text = state.step === 'server' ? { server: field.text } : { token: field.text };
  return { ...state, ...text, field, problem: isSame ? state.problem : null };
}

/** Empties a field whose text was found wrong; null where nothing is wrong or the field is empty. */
function emptied(state: WelcomeState): WelcomeState | null {
  if (state.problem === null || (welcomeField(state)?.text ?? '') === '') return null;
  return editWelcome(state, (draft) => setText(draft, ''));
}

/**
 * Applies the result of the request that checked server and token.
 * @param question is asked before the token is used with data that another token has left here
 */
export function finishCheck(state: WelcomeState, problem: string | null, question: string | null = null): WelcomeState {
  if (state.step !== 'checking') return state;
  if (problem !== null) return { ...state, step: 'token', problem };
  return question === null ? connected(state) : { ...state, step: 'same-account', question };
}
