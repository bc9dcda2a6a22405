/** A dialog in which the user types to search and chooses a row. The typed text and the choice are kept in the overlay. */

import { Box } from 'ink';
import { selectField } from '../../state/search/edit-field.ts';
import { wrap } from '../../text/layout/wrap.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { inSigns } from '../../view/glyph-set.ts';
import { useApp, useUi } from '../store-context.ts';
import { Choices, type ChoicesProps } from './choices.tsx';
import { Dialog } from './dialog.tsx';
import { Prompt } from './prompt.tsx';
import { Text } from './text.tsx';

const noteRows = 2;
const promptRows = 1;

interface PickerProps extends Pick<ChoicesProps, 'rows' | 'empty'> {
  readonly title: SafeText;
  /** Of the dialog with its frame, in cells. */
  readonly width: number;
  readonly height: number;
  readonly label: SafeText;
  readonly placeholder: SafeText;
  /** The last line; two where it does not fit into one. */
  readonly note?: SafeText;
  readonly overlay: { readonly typed: string; readonly selected: number };
  readonly isTop: boolean;
}

export function Picker(props: PickerProps) {
  const { title, width, height, label, placeholder, rows, empty, note, overlay, isTop } = props;
  const { panes } = useUi();
  const draft = useApp(selectField);
  const { signs } = panes().look;
  return (
    <Dialog title={title} width={width} height={height}>
      {(inner) => {
        const notes = note === undefined ? [] : wrap(inSigns(note, signs), inner.width).slice(0, noteRows);
        const rowsHeight = Math.max(1, inner.height - promptRows - notes.length);
        return (
          <>
            <Prompt
              label={label}
              value={overlay.typed}
              placeholder={placeholder}
              draft={isTop ? draft : null}
              signs={signs}
              width={inner.width}
            />
            <Box height={rowsHeight} flexShrink={0}>
              <Choices
                rows={rows}
                selected={overlay.selected}
                x={inner.x}
                y={inner.y + promptRows}
                width={inner.width}
                height={rowsHeight}
                empty={inSigns(empty, signs)}
              />
            </Box>
            {notes.map((line) => (
              <Text key={line} dimColor>
                {line}
              </Text>
            ))}
          </>
        );
      }}
    </Dialog>
  );
}
