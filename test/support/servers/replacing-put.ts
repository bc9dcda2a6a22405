/** A service whose change of a message drops what it does not name; nobody but the author may name the text. */
import { apiFault, type FakeService, me } from './fake-service.ts';

/** `text` is what becomes of a text that a change does not name. */
export function replaceOnPut({ client, messages }: FakeService, text: 'kept' | 'dropped'): void {
  const { retrieveMessage } = client;
  Object.assign(client, {
    updateMessage: async (...[id, sent]: Parameters<typeof client.updateMessage>) => {
      const answer = await retrieveMessage(id);
      const held = answer.value;
      if (sent.message !== undefined && held.contact?.id !== me.id)
        throw apiFault('forbidden', 'rejected', { status: 403 });
      const next = {
        ...held,
        text: sent.message ?? (text === 'kept' ? held.text : ''),
        reactions: sent.reactions ?? [],
        attachments: (sent.attachments ?? []).map((fields) => ({ ...noAttachment, fields })),
      };
      messages.set(id, next);
      return { ...answer, value: next };
    },
  });
}

const noAttachment = { label: 'a.txt', url: null, size: null, mediaType: null };
