/** The choices with the last one in front; the others keep their order. */
export function lastFirst<T>(choices: readonly T[], isLast: (choice: T) => boolean): T[] {
  return [...choices.filter(isLast), ...choices.filter((choice) => !isLast(choice))];
}
