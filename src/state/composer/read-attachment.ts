/** Reads what the user types to attach something: an address, or fields as `name=value`, as the API has no upload. */

import type { AttachmentFields } from '../../protocol/types.ts';
import { parseUrl } from '../../protocol/web-address.ts';
import { cleanInput } from '../../text/safe/sanitize.ts';

/** `problem` is the end of a line, such as `--attach: …`. */
export type ReadAttachment = { readonly fields: AttachmentFields } | { readonly problem: string };

const noUpload = 'the service has no upload: put it online and give its URL';
const howTo = 'give an address (https://…) or name=value';

/** The name of a field, and the `=` after it. An address is none, because of its colon. */
const namePattern = /^[A-Za-z][\w.-]*=/;
const betweenFields = /\s+(?=[A-Za-z][\w.-]*=)/;

/** `https://… filename=Poster of May.png`: an address, fields, or an address with fields after it. */
export function readAttachment(typed: string): ReadAttachment {
  const words = cleanInput(typed).trim().split(betweenFields);
  const fields: Record<string, string> = {};
  for (const word of words) {
    const [name, value] = namePattern.test(word) ? split(word) : ['file_url', word];
    const problem =
      name === 'file_url' ? addressProblem(value) : value === '' ? `the field ${name} has no value` : null;
    if (problem !== null) return { problem };
    if (Object.hasOwn(fields, name)) return { problem: `the field ${name} is given twice` };
    fields[name] = value;
  }
  return { fields };
}

function split(word: string): readonly [name: string, value: string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1).trim()];
}

function addressProblem(address: string): string | null {
  if (isLocalPath(address)) return noUpload;
  const url = /^https?:/i.test(address) ? parseUrl(address) : null;
  if (url === null) return howTo;
  if (/\s/.test(address)) return 'an address has no blanks in it; write each as %20';
  return url.username === '' && url.password === ''
    ? null
    : 'everybody in the conversation would read the password in it';
}

/** `/home/…`, `~/…`, `./…`, `C:\…`, `file:…`: a file of this machine, or a name that looks like one. */
const isLocalPath = (text: string): boolean =>
  /^(['"]?(\/|~|\.{1,2}\/|[A-Za-z]:[\\/]|file:)|[^\s:/]+\.[A-Za-z0-9]{1,5}$)/i.test(text);
