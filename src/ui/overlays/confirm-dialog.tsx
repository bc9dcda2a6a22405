/** Draws a question of `commands/questions.ts`. It stays about its message, whichever is selected later. */
import { Transform } from 'ink';
import { questionOf } from '../../commands/questions.ts';
import type { SubstitutedLine, SubstitutionPart } from '../../state/composer/substitution.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { messageAuthor, selectConversationName } from '../../state/select/names.ts';
import type { Confirm } from '../../state/view/overlays.ts';
import { type Row, rowToAnsi, shortenRow, span } from '../../text/layout/row.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { clockTime } from '../../text/time.ts';
import { snapToBoundary } from '../../text/unicode/graphemes.ts';
import { truncate } from '../../text/unicode/width.ts';
import { mostDialogRows } from '../../view/dialog.ts';
import type { Look } from '../../view/frame.ts';
import { messageLine } from '../../view/message-line.ts';
import { useApp, useUi } from '../store-context.ts';
import { Dialog } from '../widgets/dialog-frame.tsx';
import { KeysLine, Lines } from '../widgets/lines.tsx';
import { Question } from '../widgets/question.tsx';
import { BlankLines } from '../widgets/text.tsx';

export function ConfirmDialog({ overlay }: { readonly overlay: Confirm }) {
  const { context, panes } = useUi();
  const { title = '', advice = '', subject: ownSubject } = questionOf(overlay) ?? {};
  const shown = useApp((state) => (typeof title === 'string' ? title : title(state, overlay)));
  const subject = useApp((state) => subjectOf(state, overlay, panes().look));
  const changed = diffOf(context.get(), overlay);
  if (changed !== null) return <Changed title={sanitizeLine(shown)} advice={sanitizeLine(advice)} {...changed} />;
  return (
    <Question
      title={sanitizeLine(shown)}
      subject={subject}
      isSubjectWrapped={ownSubject !== undefined}
      advice={[sanitizeLine(advice)]}
    />
  );
}

const diffOf = (state: AppState, overlay: Confirm) => questionOf(overlay)?.diff?.(state, overlay) ?? null;

interface ChangedProps {
  readonly title: SafeText;
  readonly advice: SafeText;
  readonly before: readonly SubstitutedLine[];
  readonly after: readonly SubstitutedLine[];
}

/** The changed lines as they are and as they would be. */
function Changed({ title, advice, before, after }: ChangedProps) {
  const { signs, theme } = useUi().panes().look;
  const size = useApp((state) => state.screen.size);
  const most = Math.max(1, Math.min(mostLines, Math.floor((mostDialogRows(size) - otherRows) / 2)));
  const rows = Math.min(most, before.length) + Math.min(most, after.length);
  return (
    <Dialog title={title} width={76} height={rows + otherRows} tone="plain">
      {({ width }) => (
        <>
          <Diff lines={before.slice(0, most)} sign={literal('-')} columns={width} />
          <Diff lines={after.slice(0, most)} sign={literal('+')} columns={width} />
          <Lines rows={[[span(truncate(advice, width, signs.ellipsis), theme.muted)]]} height={1} />
          <KeysLine />
        </>
      )}
    </Dialog>
  );
}

/** The question's own line, or author, time and words of the message in one line, or the name of the conversation. */
function subjectOf(state: AppState, overlay: Confirm, look: Look): SafeText {
  const { conversationId, messageId, textThen } = overlay;
  const own = questionOf(overlay)?.subject?.(state);
  if (own !== undefined) return sanitizeLine(own);
  if (messageId === null) return selectConversationName(state, conversationId);
  const message = state.cache.threads.get(conversationId)?.messages.find(({ id }) => id === messageId);
  const { text, attachments } = message ?? { text: textThen ?? '', attachments: [] };
  const line = messageLine({ text: text.trimStart(), attachments }, look);
  if (message === undefined) return line;
  const time = message.createdAt === null ? literal('') : clockTime(message.createdAt);
  return safe`${messageAuthor(state, message)} ${time}: ${line}`;
}

/** The most rows of a changed text, before as well as after; a longer one is cut. */
const mostLines = 4;
/** The rows of title, frame, advice and keys. */
const otherRows = 5;
/** The characters of a line that are shown before the first change in it. */
const leadLength = 24;

interface DiffProps {
  readonly lines: readonly SubstitutedLine[];
  readonly sign: SafeText;
  readonly columns: number;
}

/** Draws changed lines after a sign; the words that differ are in inverse video. */
function Diff({ lines, sign, columns }: DiffProps) {
  const { ellipsis } = useUi().panes().look.signs;
  return lines.map((line, nth) => {
    const row = [
      span(safe`${sign} `),
      ...line.map((part, at) => span(textOf(part, at, ellipsis), part.isMarked ? '7' : '')),
    ];
    return <RowText key={keyOf(line, nth)} row={shortenRow(row, columns, ellipsis)} />;
  });
}

const keyOf = (line: SubstitutedLine, nth: number): string => `${nth} ${line.map(({ text }) => text).join('')}`;

function textOf({ text, isMarked }: SubstitutionPart, at: number, ellipsis: SafeText): SafeText {
  if (at > 0 || isMarked || text.length <= leadLength) return sanitizeLine(text);
  return safe`${ellipsis}${sanitizeLine(text.slice(snapToBoundary(text, text.length - leadLength)))}`;
}

const RowText = ({ row }: { readonly row: Row }) => (
  <Transform transform={() => rowToAnsi(row)}>
    <BlankLines count={1} />
  </Transform>
);
