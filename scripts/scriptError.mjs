/** A failure that the reader of the terminal can do something about: shown without its stack. */
export class ScriptError extends Error {}
