/**
 * Whether the editor takes part of a file's name for a variable where it stands in a task or a launch configuration:
 * `${command:…}` runs a command, and there is no way to write it as a name.
 */
export function readsAsVariable(path: string): boolean {
  // guard S63: A file whose name reads as a variable is refused.
  return path.includes('${');
}
