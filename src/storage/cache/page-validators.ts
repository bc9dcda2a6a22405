/**
 * Stores the validators of pages whose rows are stored. One is written in the transaction that writes the rows of its page,
 * and any other write to these rows drops it, so that it is never used for rows that did not come with it.
 */

import { isObject } from '../../protocol/fields.ts';
import type { ConversationId } from '../../protocol/types.ts';
import type { PageValidator } from '../../state/cache/cached-history.ts';
import type { Prepare, SqlRow } from '../sqlite/driver.ts';
import { toColumn, tryParseJson } from '../sqlite/sqlite-text.ts';

export class PageValidators {
  readonly #prepare: Prepare;
  readonly #program: string;
  /** The version of the data at the start, when this process read what it holds in memory. */
  readonly #dataVersion: unknown;

  /** `program`: the version of msg-tui. Another one may have kept less of each record than this one would. */
  constructor(prepare: Prepare, program: string) {
    this.#prepare = prepare;
    this.#program = program;
    this.#dataVersion = this.#readDataVersion();
  }

  /** `id`: null for the list. */
  find(id: ConversationId | null): PageValidator | null {
    const row = this.#prepare('SELECT body FROM page_validators WHERE page = ?').get(keyOf(id));
    return row !== undefined && this.#isAlone() ? validatorOfRow(row, this.#program) : null;
  }

  /** To be called in the transaction that has written rows of the page. Null drops what is kept. */
  replace(id: ConversationId | null, validator: PageValidator | null): void {
    if (validator === null || !this.#isAlone()) {
      this.#prepare('DELETE FROM page_validators WHERE page = ?').run(keyOf(id));
      return;
    }
    const body = JSON.stringify({ ...validator, program: this.#program });
    this.#prepare('INSERT OR REPLACE INTO page_validators VALUES (?, ?)').run(keyOf(id), body);
  }

  /**
   * Whether no other process has written to the file since the start. If one has, what is on disk may differ from what
   * this process compares pages with.
   */
  #isAlone(): boolean {
    return this.#readDataVersion() === this.#dataVersion;
  }

  #readDataVersion(): unknown {
    return this.#prepare('PRAGMA data_version').get()?.data_version;
  }
}

const keyOf = (id: ConversationId | null): string => (id === null ? 'list' : `messages ${toColumn(id)}`);

function validatorOfRow(row: SqlRow, program: string): PageValidator | null {
  const body = tryParseJson(row.body);
  if (!isObject(body) || body.program !== program || typeof body.etag !== 'string' || !Array.isArray(body.ids))
    return null;
  return Number.isSafeInteger(body.limit) ? (body as unknown as PageValidator) : null;
}
