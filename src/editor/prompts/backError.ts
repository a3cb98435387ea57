/** The user goes back to the question before. Whoever asks questions in a row catches it (`multiStep`). */
export class BackError extends Error {
  override readonly name = 'BackError';
  /** What was typed until then, for the time when the question is asked again. */
  readonly typed: string | undefined;

  constructor(typed?: string) {
    super();
    this.typed = typed;
  }
}
