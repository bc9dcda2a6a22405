/** What the server has to confirm for the stored rows of a page to be current, kept with them over restarts. */

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

/** Our own marks for servers without entity tags are not kept: a server may answer each time with another text. */
export const isEntityTag = (etag: string | null): etag is string => /^(?:W\/)?"/.test(etag ?? '');
