/** Styles of text in a terminal, by their ANSI codes. */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 } as const;

export type TerminalStyle = keyof typeof styles;

/** The text in that style. What comes from outside must be plain before. */
export function styled(style: TerminalStyle, text: string): string {
  return `\u001b[${styles[style]}m${text}\u001b[0m`;
}
