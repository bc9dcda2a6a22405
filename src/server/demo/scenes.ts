/** The notation in which the conversations of the demo are written. */

/**
 * A line is `<text` from the other side, `>text` from the user; in a group `1text` … `4text` from its members in order.
 * It can end with ` | 👍` (a reaction from the other side), ` ~` (edited) and ` @address` (an attachment), in this
 * order.
 */
export type Scene = readonly string[];

export interface DemoContact {
  readonly username: string;
  readonly phone: string;
  readonly state?: 'pinned' | 'muted' | 'archived';
  /** Messages still unread at the end. */
  readonly unread?: number;
  readonly scenes: readonly Scene[];
}

export interface DemoGroup {
  readonly name: string;
  readonly members: readonly string[];
  readonly state?: 'pinned' | 'muted' | 'archived';
  readonly unread?: number;
  /** The line of the message that is pinned, in the notation above. */
  readonly pinnedLine?: string;
  readonly scenes: readonly Scene[];
}
