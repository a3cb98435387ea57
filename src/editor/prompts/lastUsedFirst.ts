/** The choices with the one that was used last in front. The others keep their order. */
export function lastUsedFirst<T>(choices: readonly T[], isLast: (choice: T) => boolean): T[] {
  return [...choices.filter(isLast), ...choices.filter((choice) => !isLast(choice))];
}
