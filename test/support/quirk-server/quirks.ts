/** Every way in which a server may differ from ours where the API document is silent: one switch a row, one value a kind. */

export const switches = {
  reactions: ['add', 'replace', 'append', 'toggle'],
  /** Whether other people's strings are allowed in a PUT, are left out of it, or count as the caller's. */
  reactionOwner: ['any', 'own-only', 'ignored', 'taken-as-own'],
  /** Whether `reactions[name][]=` names nobody, or is one more string, which is empty. */
  emptyReaction: ['nobody', 'a string'],
  reactionStrings: ['usernames', 'ids'],
  reactionShape: ['objects', 'one-object', 'plain', 'repeated'],
  put: ['partial', 'full-replace'],
  putAttachments: ['add', 'replace'],
  /** `accepted`: 202 without a body, and carried out three seconds later. */
  putReply: ['resource', 'wrapped', 'id-only', 'empty', 'accepted'],
  order: ['new-first', 'old-first', 'by-id', 'unstable-ties'],
  time: ['s', 'ms', 'us', 'ns', 'iso', 'digits'],
  paging: [
    'starting_after',
    'after',
    'before',
    'page',
    'offset',
    'next_cursor',
    'pagination.next_cursor',
    'response_metadata.next_cursor',
    'links.next',
    'meta.next_page_url',
    'link-header',
    'relative-url',
    'cross-origin-url',
    /** Nothing but a larger limit. */
    'limit',
    /** No more than 100 rows, a larger limit is cut. */
    'none',
    /** No more than 100 rows, a larger limit is 400. */
    'none-cap',
  ],
  hasMore: ['given', 'missing', 'always', 'string', 'meta'],
  /** The name under which rows come; `bare`: no object around them. */
  listShape: ['data', 'resource', 'bare', 'wrapped'],
  /** A list without rows. */
  emptyList: ['array', 'null', 'left-out', '204', '404'],
  text: ['none', 'trim', 'nfc', 'html'],
  ids: ['string', 'int', 'bigint', 'odd'],
  postReply: ['created', 'message', 'wrapped', 'id-only', 'empty', 'text-plain'],
  deletion: ['204', '200-deleted', '200-not-deleted', '200-empty', '500-then-404'],
  clearing: ['empty', 'null', 'zero', 'impossible', 'stored'],
  create: ['200', '201', '409', 'duplicates'],
  /** By which id a new conversation is answered: its own, or one that nothing else knows. No list shows the other. */
  createdId: ['own', 'provisional'],
  /** The same of a new message. */
  sentId: ['own', 'provisional'],
  errors: ['message', 'error.message', 'error', 'errors', 'detail', 'html', 'nothing', 'ok-false'],
  rateLimit: ['none', 'retry-after', 'retry-after-date', 'x-ratelimit-reset', 'ratelimit-reset', 'body', 'unsaid'],
  updatedAt: ['null', 'created', 'reaction'],
  archived: ['listed', 'left-out'],
  parameters: ['ignored', 'refused'],
  /** `honoured`: the same key is answered as before, and nothing is done a second time. */
  idempotencyKey: ['ignored', 'refused', 'honoured'],
  transport: ['json', 'bom', 'gzip', 'wrong-type'],
  /** Seconds by which lists are behind. */
  listLag: [0, 2, 60],
  /** Seconds by which a message or conversation that is retrieved is behind. */
  readLag: [0, 3, 20],
  /** Seconds after its 504 at which the first POST of each kind is carried out. */
  lateApply: [0, 20, 120],
  contacts: ['full', 'subset', 'null'],
  /** Reaction names that may be sent: all, or those of a list without `eyes`. */
  reactionNames: ['any', 'listed'],
  attachmentFields: ['filename', 'name', 'title', 'bare'],
  booleans: ['json', 'numbers', 'strings'],
  getReply: ['resource', 'wrapped'],
  /** What marks messages of others as read. */
  marksRead: ['retrieve', 'never', 'list'],
  validators: ['none', 'strong', 'weak'],
  /** Of texts longer than 4,000 characters. */
  textLimit: ['none', '413', '422'],
  base: ['/', '/chat/api/'],
  announces: ['nothing', 'sunset'],
  /** Whether `last_active_at` says anything. */
  activity: ['given', 'missing'],
} as const;

/** Where everything a user does is promised to come out right; of the others see `tolerance/provisional`. */
const { createdId: _unpromised, ...promisedSwitches } = switches;
export const promised = promisedSwitches;

export type Switch = keyof typeof switches;
export type Quirks = { readonly [K in Switch]: (typeof switches)[K][number] };

/** The first value of every switch: a server much like ours. */
export const plain = Object.fromEntries(Object.entries(switches).map(([name, values]) => [name, values[0]])) as Quirks;

/** The switches that are not plain, for the name of a test. */
export function nameOf(quirks: Quirks): string {
  const parts = (Object.keys(switches) as Switch[])
    .filter((name) => quirks[name] !== plain[name])
    .map((name) => `${name}=${quirks[name]}`);
  return parts.length === 0 ? 'plain' : parts.join(' ');
}
