/** Attachments that are added to a message: how many there may be, what each one needs, and how they are written. */
import { newId } from '../store/secrets.ts';
import { type AttachmentInput, maximumAttachments } from './message-parameters.ts';
import type { ServiceContext } from './service-context.ts';
import { badParameter, missingParameter } from './service-error.ts';

export type FreshAttachment = AttachmentInput & { readonly fileUrl: string };

/**
 * The attachments that the message does not have yet. Throws where it would have too many, and for one without an address.
 * @param present the ids that the message has already
 */
export function freshAttachments(
  inputs: readonly AttachmentInput[],
  present: ReadonlySet<string>,
): readonly FreshAttachment[] {
  const fresh = inputs.filter((input) => input.id === null || !present.has(input.id));
  if (present.size + fresh.length > maximumAttachments) {
    throw badParameter('attachments', `a message has at most ${maximumAttachments} attachments`);
  }
  return fresh.map((input) => {
    if (input.fileUrl === null) throw missingParameter(`${input.name}[file_url]`);
    return { ...input, fileUrl: input.fileUrl };
  });
}

/** @param at `created_at` of all of them, in seconds since the epoch: where they come with a message, the time of the message */
export async function addAttachments(
  { store, random }: Pick<ServiceContext, 'store' | 'random'>,
  messageSeq: number,
  attachments: readonly FreshAttachment[],
  at: number,
): Promise<void> {
  for (const { filename, fileUrl, fileType, fileSize } of attachments) {
    await store.attachments.add({
      id: newId(random),
      message_seq: messageSeq,
      filename: filename ?? nameOf(fileUrl),
      file_url: fileUrl,
      file_type: fileType,
      file_size: fileSize,
      created_at: at,
    });
  }
}

function nameOf(address: string): string {
  const { pathname, hostname } = new URL(address);
  return pathname.split('/').findLast((part) => part !== '') ?? hostname;
}
