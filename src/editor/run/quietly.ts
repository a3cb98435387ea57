import { DeclinedError } from '../prompts/declinedError.ts';

/** For links in a document: the editor would show what they reject with to the one who declined or cancelled. */
export async function quietly<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof DeclinedError) return undefined;
    throw error;
  }
}
