/** Every setting with its value, where it comes from and its default; values are tried before they are written. */
import { Box } from 'ink';
import { useLayoutEffect, useRef } from 'react';
import type { Overlay } from '../../state/model/app-state.ts';
import { selectField } from '../../state/search/edit-field.ts';
import { selectedSetting } from '../../state/search/setting-rows.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import type { DrawnRows } from '../../view/choices.ts';
import { inSigns } from '../../view/glyph-set.ts';
import type { Rect } from '../../view/layout.ts';
import { aboutSetting, type SettingLine, settingLines, settingsHead, settingsNote } from '../../view/settings.ts';
import { useApp, useUi } from '../store-context.ts';
import { Dialog } from '../widgets/dialog.tsx';
import { KeysLine } from '../widgets/keys-line.tsx';
import { Lines } from '../widgets/lines.tsx';
import { Prompt } from '../widgets/prompt.tsx';
import { Text } from '../widgets/text.tsx';

interface SettingsDialogProps {
  readonly overlay: Extract<Overlay, { kind: 'settings' }>;
  readonly isTop: boolean;
}

const width = 96;
/** Rows of the dialog at most. */
const mostRows = 36;
/** For what became of the last key, and with what is said about the selected setting. */
const noteRows = 2;
const belowRows = 4;

export function SettingsDialog(props: SettingsDialogProps) {
  const size = useApp((state) => state.screen.size);
  return (
    <Dialog title={literal('Settings')} width={width} height={Math.min(mostRows, size.rows - 1)}>
      {(inner) => <Content {...props} inner={inner} />}
    </Dialog>
  );
}

function Content({ overlay, isTop, inner }: SettingsDialogProps & { readonly inner: Rect }) {
  const { panes } = useUi();
  const { look } = panes();
  const draft = useApp(selectField);
  const entry = selectedSetting(overlay);
  const lines = (texts: readonly SafeText[], most: number) =>
    cutLines(
      texts.flatMap((text) => wrap(inSigns(text, look.signs), inner.width)),
      inner.width,
      most,
      look.signs.ellipsis,
    );
  const isLow = inner.height < 16;
  const note = settingsNote(overlay);
  const notes = note === '' ? [] : lines([note], isLow ? 1 : noteRows);
  const about = entry === null ? [] : lines(aboutSetting(entry), isLow ? 1 : belowRows - notes.length);
  // The rows stay where they are while what is said below them changes.
  const below = isLow ? about.length + notes.length : belowRows;
  const height = Math.max(1, inner.height - 3 - below);
  return (
    <>
      <Prompt
        label={literal('Find:')}
        value={overlay.typed}
        placeholder={literal('part of a name or a value')}
        draft={isTop ? draft : null}
        signs={look.signs}
        width={inner.width}
      />
      <Rows lines={[{ id: '', row: settingsHead(inner.width, look) }]} />
      <Box height={height} flexShrink={0} flexDirection="column">
        <Settings overlay={overlay} inner={{ ...inner, y: inner.y + 2, height }} />
      </Box>
      <Box height={below} flexShrink={0} flexDirection="column">
        {about.map((line) => (
          <Text key={`about ${line}`} dimColor>
            {line}
          </Text>
        ))}
        {notes.map((line) => (
          <Text key={`note ${line}`} bold>
            {line}
          </Text>
        ))}
      </Box>
      <KeysLine width={inner.width} />
    </>
  );
}

/** Reports its rows to the mouse. */
function Settings({ overlay, inner }: { readonly overlay: SettingsDialogProps['overlay']; readonly inner: Rect }) {
  const { choiceRows, panes } = useUi();
  const lines = settingLines(overlay, inner.width, inner.height, panes().look);
  const drawn = useRef<DrawnRows>({ rect: inner, ids: [] });
  useLayoutEffect(() => choiceRows.show(drawn), [choiceRows]);
  useLayoutEffect(() => {
    drawn.current = { rect: inner, ids: lines.map(({ id }) => id) };
  });
  if (lines.length > 0) return <Rows lines={lines} />;
  return (
    <Text dimColor>
      {overlay.page === null ? literal('Reading config.toml') : literal('No setting has these words')}
    </Text>
  );
}

function Rows({ lines }: { readonly lines: readonly SettingLine[] }) {
  return (
    <Box height={lines.length} flexShrink={0}>
      <Lines rows={lines.map(({ row }) => row)} height={lines.length} />
    </Box>
  );
}
