/** The state that does not depend on the open account: the size of the terminal, the focus, and the overlays. */
import type { Millis } from '../../protocol/types.ts';
import type { Overlay } from './overlay.ts';

export interface ScreenState {
  /** The terminal and its theme have the colours that pictures take. */
  readonly drawsPictures?: boolean;
  readonly size: Size;
  readonly focus: Focus;
  /** The stack; the last one has the keyboard. */
  readonly overlays: readonly Overlay[];
  /** Keys of a sequence that waits for more, once the footer shows what may follow. */
  readonly heldKeys?: string;
  /** Keys that this terminal does not send, so that they are not shown. */
  readonly lostKeys?: ReadonlySet<string>;
  readonly notices: readonly Notice[];
  /** The notices of this run, also those that are gone; the newest last, of very many the last ones. */
  readonly noticeLog: readonly Notice[];
  /** The ids of the commands whose keys were pressed in this run. */
  readonly usedKeys?: ReadonlySet<string>;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export type Focus = 'list' | 'messages' | 'composer';

export interface Notice {
  readonly id: number;
  readonly tone: 'info' | 'warning' | 'error';
  /** Raw text; sanitised when drawn. Cause, remedy, key. */
  readonly text: string;
  readonly at: Millis;
  /** Removed at this time; null: stays until resolved or dismissed. */
  readonly until: Millis | null;
  /** What it is about, so that a later notice replaces it and success removes it: an op's uuid, a conversation id. */
  readonly about: string;
  /** It says why a command cannot run, until another one runs, an overlay opens or the connection is back. */
  readonly isRefusal?: true;
}

/** Names (`about`) of notices that are raised in one room and looked for in another one. */
export const noticeNames = {
  /** Nothing was sent: the disk refused it, or another process has changed the draft. */
  notSent: 'enqueue',
  /** The disk refused what exists only on this machine. */
  local: 'local',
  /** A message was written that Esc takes back for some seconds. */
  held: 'held',
  /** A conversation is open that is not marked as read by it. */
  peek: 'peek',
  /** The user goes through unread conversations, or has come back from it. */
  triage: 'triage',
  /** A conversation is being started. */
  create: 'create',
  /** Another process sends for this profile. */
  sender: 'sender',
  /** There is unsent text in a conversation that is gone on the server. */
  unsentText: 'unsent text of a gone conversation',
} as const;

/** Names the notice of a refused change, so that the next refusal in the same conversation replaces it. */
export const refusalName = (conversationId: string | null): string => `${refused}${conversationId ?? 'create'}`;
export const isRefusalName = (about: string): boolean => about.startsWith(refused);
const refused = 'refused ';

/** Names a notice about the local files as a whole. */
export const filesName = (text: string): string => `${files}${text}`;
export const isFilesName = (about: string): boolean => about.startsWith(files);
const files = 'storage ';
