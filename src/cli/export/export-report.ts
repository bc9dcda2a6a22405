/** Says what an export has written: a line on stderr for each file, or one JSON document on stdout. */

import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { type Entry, isComplete, isCompleteSince } from '../archive/entry.ts';
import { counted } from '../output/check.ts';
import { jsonDocument, type Output } from '../output/print.ts';

/** Counts what is written into one file. */
export class Counter {
  #messages = 0;
  #conversations = 0;
  #incomplete = 0;
  #limitedBySince = 0;
  #isListComplete = true;

  *over(entries: Iterable<Entry>): Generator<Entry> {
    for (const entry of entries) {
      if (entry.type === 'message') this.#messages++;
      if (entry.type === 'conversation') this.#conversations++;
      if (entry.type === 'history' && isCompleteSince(entry)) this.#limitedBySince++;
      else if (entry.type === 'history' && !isComplete(entry)) this.#incomplete++;
      if (entry.type === 'list') this.#isListComplete = isComplete(entry);
      yield entry;
    }
  }

  /** @param isAsked the server was asked for what is missing, so that asking once more is no remedy */
  text(isAsked: boolean): string {
    const remedy = isAsked ? '' : ' (--complete fetches it)';
    const missing = this.#incomplete === 0 ? '' : `; ${this.#incomplete} without their whole history${remedy}`;
    const limited =
      this.#limitedBySince === 0 ? '' : `; older messages of ${this.#limitedBySince} left out, as --since says`;
    const held = `${counted(this.#conversations, 'conversation')}, ${counted(this.#messages, 'message')}`;
    return `${held}${limited}${missing}${this.listText(isAsked)}`;
  }

  /** Says that conversations may be missing; empty where the list is complete. @param isAsked as for `text` */
  listText(isAsked: boolean): string {
    if (this.#isListComplete) return '';
    return `; conversations may be missing${isAsked ? '' : ' (--complete reads the whole list)'}`;
  }

  get isListComplete(): boolean {
    return this.#isListComplete;
  }

  get json() {
    return {
      conversations: this.#conversations,
      messages: this.#messages,
      limited_by_since: this.#limitedBySince,
      incomplete: this.#incomplete,
    };
  }
}

export class ExportReport {
  readonly #output: Pick<Output, 'json' | 'remark'>;
  readonly #isJson: boolean;
  readonly #isAsked: boolean;
  readonly #files: unknown[] = [];
  #isListComplete = true;

  /** @param isAsked as for `Counter.text` */
  constructor(output: Pick<Output, 'json' | 'remark'>, isJson: boolean, isAsked: boolean) {
    this.#output = output;
    this.#isJson = isJson;
    this.#isAsked = isAsked;
  }

  /** @param isWritten false where the file has everything already */
  file(path: string, isWritten: boolean, count: Counter): void {
    this.#files.push({ path, is_written: isWritten, ...count.json });
    this.#isListComplete &&= count.isListComplete;
    if (!this.#isJson) this.#say(`${path}: ${isWritten ? count.text(this.#isAsked) : 'nothing new'}`);
  }

  /** @param rest counts what belongs to no conversation */
  folder(path: string, conversations: number, rest: Counter): void {
    this.#isListComplete &&= rest.isListComplete;
    if (!this.#isJson) this.#say(`${path}: ${counted(conversations, 'conversation')}${rest.listText(this.#isAsked)}`);
  }

  end(): void {
    if (this.#isJson) this.#output.json(jsonDocument({ files: this.#files, is_list_complete: this.#isListComplete }));
  }

  #say(text: string): void {
    this.#output.remark(sanitizeLine(text));
  }
}
