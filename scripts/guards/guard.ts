/** A guard of the threat model in SECURITY.md, how to take it away, and the tests that have to fail then. */
export interface Guard {
  /** In the words of SECURITY.md. */
  guard: string;
  /** The file that it stands in, and the text that is it. */
  file: string;
  is: string;
  /** What takes its place. */
  without: string;
  /** As SECURITY.md names them: files below test/, with the words of tests in them. */
  tests: Readonly<Record<string, readonly string[]>>;
}
