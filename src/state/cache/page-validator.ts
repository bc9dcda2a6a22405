/** The validator of a page, stored with its rows: when the server confirms it, the stored rows are current. */

/** Belongs to the first page of the conversation list, or to the newest page of a conversation. */
export interface PageValidator {
  /** An entity tag that the server gave. */
  readonly etag: string;
  /** The `limit` of the request: another one is another resource. */
  readonly limit: number;
  /** The rows of the page. Where one of them is not held any more, the page has to be read as a whole. */
  readonly ids: readonly string[];
  /** The page is all of the list, and shows everything that is known of it. */
  readonly isWhole: boolean;
}

/** Whether a validator is an entity tag. Marks made here (`body-mark`) are not stored: they may be of no use in the next run. */
export const isEntityTag = (etag: string | null): etag is string => /^(?:W\/)?"/.test(etag ?? '');
