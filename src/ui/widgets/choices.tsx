/** Rows to choose from, the chosen one marked by a sign and inverse video; only what fits is mounted. */
import { Box, Text } from 'ink';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { truncate } from '../../text/width.ts';

export interface ChoicesProps {
  readonly rows: readonly { readonly id: string; readonly text: SafeText }[];
  readonly selected: number;
  readonly width: number;
  readonly height: number;
  readonly empty: SafeText;
}

export function Choices({ rows, selected, width, height, empty }: ChoicesProps) {
  if (rows.length === 0) return <Text dimColor>{truncate(empty, width)}</Text>;
  const first = Math.max(0, Math.min(selected - Math.floor(height / 2), rows.length - height));
  return (
    <Box flexDirection="column">
      {rows.slice(first, first + height).map((row, index) => {
        const isSelected = first + index === selected;
        return (
          <Text key={row.id} inverse={isSelected} wrap="truncate">
            {truncate(safe`${isSelected ? literal('> ') : literal('  ')}${row.text}`, width)}
          </Text>
        );
      })}
    </Box>
  );
}
