/** A value that must not be written down, and the shell variable that replaces it. */
export interface Variable {
  value: string;
  name: string;
}

export type Piece = { kind: 'text'; text: string } | { kind: 'variable'; name: string };

/**
 * Quotes bytes as one word of a POSIX shell.
 * @param bytes one character a byte, as Node gives header text; NUL cannot be in a word
 */
export function shellWord(bytes: string, variables: readonly Variable[] = []): string {
  return wordOf(splitAt(bytes, variables)) || "''";
}

/** Quotes pieces as part of a shell word; empty if there are none. */
export function wordOf(pieces: readonly Piece[]): string {
  return joinedTexts(pieces)
    .map((piece) => (piece.kind === 'variable' ? `"$${piece.name}"` : quote(piece.text)))
    .join('');
}

/** Merges adjacent text pieces. */
export function joinedTexts(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.kind === 'text' && piece.kind === 'text') {
      joined.splice(-1, 1, { kind: 'text', text: last.text + piece.text });
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

/** Splits bytes at the values that variables replace. */
export function splitAt(bytes: string, variables: readonly Variable[]): Piece[] {
  let pieces: Piece[] = bytes === '' ? [] : [{ kind: 'text', text: bytes }];
  for (const { value, name } of variables) {
    const needle = Buffer.from(value).toString('latin1');
    if (needle === '') continue;
    pieces = pieces.flatMap((piece): Piece[] => {
      if (piece.kind === 'variable') return [piece];
      return piece.text
        .split(needle)
        .flatMap((text, index): Piece[] => [
          ...(index > 0 ? [{ kind: 'variable' as const, name }] : []),
          ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
        ]);
    });
  }
  return pieces;
}

/** Whether the bytes are UTF-8 without control characters that a terminal acts upon when they are pasted. */
export function isPlainText(bytes: string): boolean {
  const buffer = Buffer.from(bytes, 'latin1');
  const text = buffer.toString('utf8');
  return !/[\p{Cc}\p{Cf}]/u.test(text.replaceAll('\n', '')) && Buffer.from(text).equals(buffer);
}

function quote(bytes: string): string {
  if (!isPlainText(bytes)) return `"$(printf '${printfFormat(bytes)}')"`;
  // guard S96: Text is quoted for the shell.
  return `'${Buffer.from(bytes, 'latin1')
    .toString('utf8')
    .replaceAll("'", String.raw`'\''`)}'`;
}

/** The bytes as a format of printf, all but letters and digits as octal escapes. */
function printfFormat(bytes: string): string {
  return bytes.replace(
    /[^A-Za-z0-9 :;,./_-]/g,
    (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}
