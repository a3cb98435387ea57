/** Styles of text in a terminal, by their ANSI codes. */
export const terminalStyles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 } as const;

/** The text in that style. What comes from outside must be plain before. */
export function styled(style: keyof typeof terminalStyles, text: string): string {
  return `\u001b[${terminalStyles[style]}m${text}\u001b[0m`;
}
