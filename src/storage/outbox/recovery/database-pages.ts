/** Repairs pages of a damaged SQLite file in memory: https://www.sqlite.org/fileformat2.html §1.3. */

/** In bytes: the default of SQLite, which msg-tui has never changed. */
export const pageSize = 4096;

/** A damaged header may claim any size: no more pages are added than 64 MB. */
const mostPages = 16_384;

/** All root pages of the tables of the outbox are before this page. */
const leastPages = 64;

/**
 * The whole database as one buffer: `file` with the pages of a log laid over it. What is missing at its end is filled with
 * zeros, because SQLite refuses every table when the root page of any table is missing.
 */
export function assemblePages(file: Buffer, log: ReadonlyMap<number, Buffer>, pagesInLog: number): Buffer {
  const pagesInFile = Math.ceil(file.length / pageSize);
  const stated = file.length >= 100 ? file.readUInt32BE(28) : 0;
  const highest = Math.max(0, ...[...log.keys()].filter((page) => page <= mostPages));
  const count = Math.max(
    leastPages,
    pagesInFile,
    highest,
    ...[pagesInLog, stated].filter((pages) => pages <= mostPages),
  );
  const pages = Buffer.alloc(count * pageSize);
  file.copy(pages);
  for (const [page, content] of log) if (page > 0 && page <= count) content.copy(pages, (page - 1) * pageSize);
  return pages;
}

/** Corrects the header: the number of pages, and that no write-ahead log belongs to them. */
export function repairHeader(pages: Buffer): void {
  pages.fill(1, 18, 20);
  pages.writeUInt32BE(pages.length / pageSize, 28);
  pages.copy(pages, 92, 24, 28);
}

/**
 * Replaces a damaged first page by that of a new database with the same tables, which have the same root pages in
 * both. The list of free pages is lost with the header, but reading does not need it.
 */
export function replaceFirstPage(pages: Buffer, firstPage: Buffer): void {
  firstPage.copy(pages, 0, 0, pageSize);
  pages.fill(0, 32, 40);
  repairHeader(pages);
}

/** Removes invalid records from leaf pages, where they hide valid ones: SQLite searches a leaf by row number. */
export function dropBadRecords(pages: Buffer): void {
  for (let start = 0; start < pages.length; start += pageSize) {
    const page = pages.subarray(start, start + pageSize);
    // On the first page the header of the file comes before that of the page.
    const head = start === 0 ? 100 : 0;
    if (page[head] !== tableLeaf) continue;
    const count = Math.min(page.readUInt16BE(head + 3), (pageSize - head - 8) / 2);
    const records = Array.from({ length: count }, (_, index) =>
      recordAt(page, page.readUInt16BE(head + 8 + 2 * index)),
    );
    const kept = longestRise(records.filter((record) => record !== null));
    if (kept.length === count) continue;
    page.writeUInt16BE(kept.length, head + 3);
    for (const [index, { at }] of kept.entries()) page.writeUInt16BE(at, head + 8 + 2 * index);
  }
}

const tableLeaf = 0x0d;

interface PlacedRecord {
  readonly at: number;
  readonly row: number;
}

/** null when there is no valid record: its size has to be that of its header and of the values that it lists. */
function recordAt(page: Buffer, at: number): PlacedRecord | null {
  if (at < 8 || at > pageSize - 4) return null;
  const size = varint(page, at);
  const row = varint(page, size.end);
  const header = varint(page, row.end);
  const end = Math.min(row.end + header.value, pageSize);
  let total = header.value;
  for (let next = header.end; next < end; ) {
    const type = varint(page, next);
    total += sizeOfValue(type.value);
    next = type.end;
  }
  return total === size.value && header.value >= 2 ? { at, row: row.value } : null;
}

/** https://www.sqlite.org/fileformat2.html §2.1 */
const sizeOfValue = (type: number): number =>
  type < 12 ? ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? Number.NaN) : Math.floor((type - 12) / 2);

/** https://www.sqlite.org/fileformat2.html §1.6: seven bits a byte, the highest bit says that another byte follows. */
function varint(page: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let end = at; end < at + 9; end++) {
    const byte = page[end] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: end + 1 };
  }
  return { value: Number.POSITIVE_INFINITY, end: at + 9 };
}

/** The longest series of records with rising row numbers, as a leaf has them. */
function longestRise(records: readonly PlacedRecord[]): readonly PlacedRecord[] {
  const best: PlacedRecord[][] = [];
  for (const [index, record] of records.entries()) {
    const before = best.slice(0, index).filter((run) => (run.at(-1)?.row ?? 0) < record.row);
    const longest = before.reduce<readonly PlacedRecord[]>((one, run) => (run.length > one.length ? run : one), []);
    best.push([...longest, record]);
  }
  return best.reduce<readonly PlacedRecord[]>((one, run) => (run.length > one.length ? run : one), []);
}
