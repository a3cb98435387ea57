import { DeclinedError } from '../prompts/declinedError.ts';

/** Swallows a DeclinedError. For links in a document: the editor would show it to the user who just declined. */
export async function quietly<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof DeclinedError) return undefined;
    throw error;
  }
}
