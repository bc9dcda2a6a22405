/** A dialog in which one types to search and chooses a row; what is typed and chosen stands in the overlay. */
import { Text } from 'ink';
import { setQuery } from '../../state/overlays.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { truncate } from '../../text/width.ts';
import { useUi } from '../store-context.ts';
import { Choices, type ChoicesProps } from './choices.tsx';
import { Dialog } from './dialog.tsx';
import { Prompt } from './prompt.tsx';

interface PickerProps extends Pick<ChoicesProps, 'rows' | 'empty'> {
  readonly title: SafeText;
  /** Of the dialog with its frame, in cells. */
  readonly width: number;
  readonly height: number;
  readonly label: SafeText;
  readonly placeholder: SafeText;
  /** A line below the rows. */
  readonly note?: SafeText;
  readonly overlay: { readonly query: string; readonly selected: number };
  readonly isTop: boolean;
}

export function Picker({ title, width, height, label, placeholder, rows, empty, note, overlay, isTop }: PickerProps) {
  const { context } = useUi();
  return (
    <Dialog title={title} width={width} height={height}>
      {(inner) => (
        <>
          <Prompt
            label={label}
            value={overlay.query}
            placeholder={placeholder}
            hasFocus={isTop}
            onChange={(query) => context.update(setQuery(query))}
          />
          <Choices
            rows={rows}
            selected={overlay.selected}
            width={inner.width}
            height={inner.height - (note === undefined ? 1 : 2)}
            empty={empty}
          />
          {note === undefined ? null : <Text dimColor>{truncate(note, inner.width)}</Text>}
        </>
      )}
    </Dialog>
  );
}
