/** Builders of state with boring defaults; ids and times are distinct and increase. */
import type { Contact, Conversation, Message } from '../../../src/protocol/types.ts';
import { emptyDraft } from '../../../src/state/composer/draft.ts';
import type {
  AppState,
  Cache,
  Connection,
  Draft,
  Local,
  Op,
  OpAction,
  ScreenState,
  Thread,
  View,
} from '../../../src/state/model/app-state.ts';
import { initialState } from '../../../src/state/store.ts';

/** Thursday 19 November 2026, 14:02:11 UTC. */
export const now = Date.UTC(2026, 10, 19, 14, 2, 11);
export const minute = 60_000;
export const hour = 60 * minute;

let count = 0;
const next = (kind: string): string => `${kind}${++count}`;

/** Every test starts from the same ids. */
export function restart(): void {
  count = 0;
}

export function contact(fields: Partial<Contact> = {}): Contact {
  const id = fields.id ?? next('contact');
  return { id, username: id, phoneNumber: null, avatarUrl: null, lastActiveAt: null, createdAt: null, ...fields };
}

export function conversation(fields: Partial<Conversation> = {}): Conversation {
  return {
    id: fields.id ?? next('conversation'),
    contactId: null,
    groupId: null,
    pinnedMessageId: null,
    isPinned: false,
    isMuted: false,
    lastActiveAt: null,
    lastOpenedAt: null,
    createdAt: now - 24 * hour,
    archivedAt: null,
    timeFormat: null,
    ...fields,
  };
}

export function message(fields: Partial<Message> = {}): Message {
  const id = fields.id ?? next('message');
  return {
    id,
    conversationId: null,
    contact: null,
    text: `text of ${id}`,
    isTruncated: false,
    reactions: [],
    attachments: [],
    readAt: null,
    createdAt: now - hour + count * 1000,
    updatedAt: null,
    rank: count,
    ...fields,
  };
}

export function op(action: OpAction, fields: Partial<Op> = {}): Op {
  const uuid = fields.uuid ?? next('uuid');
  return {
    uuid,
    seq: count,
    action,
    state: 'queued',
    created: now - minute,
    notBefore: 0,
    reason: null,
    attempts: [],
    baseline: null,
    scans: 0,
    lastScan: null,
    hasPossibleCopy: false,
    ...fields,
  };
}

export const draft = (text: string, fields: Partial<Draft> = {}): Draft => ({
  ...emptyDraft,
  text,
  cursor: text.length,
  ...fields,
});

export const thread = (messages: readonly Message[], fields: Partial<Thread> = {}): Thread => ({
  messages,
  older: 'end',
  newer: 'end',
  gaps: [],
  newLineAfter: null,
  ...fields,
});

export const online: Connection = {
  status: 'online',
  asOf: now,
  nextPollAt: null,
  since: null,
  until: null,
  reason: null,
  loading: new Set(),
  failures: new Map(),
  listComplete: true,
  listRest: 'none',
};

export interface Parts {
  readonly conversations?: readonly Conversation[];
  readonly contacts?: readonly Contact[];
  readonly cache?: Partial<Cache>;
  readonly local?: Partial<Local>;
  readonly view?: Partial<View>;
  readonly screen?: Partial<ScreenState>;
}

export type Shown = Partial<View & ScreenState>;

const screenFields = ['size', 'focus', 'overlays', 'notices', 'drawsPictures'];

/** The parts of the state that these fields belong to. */
export function shown(fields: Shown): Pick<Parts, 'view' | 'screen'> {
  const entries = Object.entries(fields);
  const isOnScreen = ([name]: [string, unknown]): boolean => screenFields.includes(name);
  return {
    view: Object.fromEntries(entries.filter((entry) => !isOnScreen(entry))),
    screen: Object.fromEntries(entries.filter(isOnScreen)),
  };
}

/** Online, 80 × 24, nothing there. */
export function state(parts: Parts = {}): AppState {
  const conversations = new Map((parts.conversations ?? []).map((one) => [one.id, one]));
  const contacts = new Map((parts.contacts ?? []).map((one) => [one.id, one]));
  return initialState({
    cache: { conversations, contacts, ...parts.cache },
    local: { ...parts.local },
    view: { connection: online, serverLabel: 'work', ...parts.view },
    screen: { ...parts.screen },
  });
}
