/** A message as JSON in the words of the API, for those who want to see all of it. */
import type { Message, Millis } from '../../protocol/types.ts';
import { sanitizeBody } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';

const shownText = 4_000;
const shownUnits = 16_000;

/** What the program itself has determined is under `here`. */
export function shownMessageJson(message: Message): SafeText {
  const { text, contact, isTruncated, isCut, rank } = message;
  const answer = {
    id: message.id,
    conversation_id: message.conversationId,
    contact: contact && {
      id: contact.id,
      username: contact.username,
      phone_number: contact.phoneNumber,
      avatar_url: contact.avatarUrl,
      last_active_at: timeOf(contact.lastActiveAt),
      created_at: timeOf(contact.createdAt),
    },
    message: text.length > shownText ? `${text.slice(0, shownText)}… (${text.length} characters)` : text,
    reactions: message.reactions.map(({ name, by }) => Object.fromEntries([[name, by]])),
    attachments: message.attachments.map(({ fields }) => fields),
    read_at: timeOf(message.readAt),
    created_at: timeOf(message.createdAt),
    updated_at: timeOf(message.updatedAt),
    here: {
      rank,
      ...(isTruncated && { text_cut_at_1_mb: true }),
      ...(isCut && { reactions_or_attachments_left_out: true }),
      ...(message.reactions.some(({ unnamed = 0 }) => unnamed > 0) && {
        reactions_without_a_name: message.reactions.reduce((sum, { unnamed = 0 }) => sum + unnamed, 0),
      }),
    },
  };
  const json = JSON.stringify(answer, null, 2);
  const shown = sanitizeBody(json.slice(0, shownUnits));
  return json.length > shownUnits ? safe`${shown}\n… and ${json.length - shownUnits} more characters` : shown;
}

/** As in RFC 3339; a number that is no date of a calendar stays one. */
function timeOf(at: Millis | null): string | number | null {
  return at === null || !(Math.abs(at) <= 8.64e15) ? at : new Date(at).toISOString();
}
