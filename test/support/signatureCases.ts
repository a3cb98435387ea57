import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A signed webhook, and what verification has to say of it. Made by another implementation. */
export interface SignatureCase {
  name: string;
  heldSecret: string;
  /** Unix seconds at arrival. */
  clock: number;
  headers: Record<string, string>;
  bodyBase64: string;
  verdict: string;
  /** The one thing that a diagnosis is to name, where there is one. */
  cause?: string;
}

/** Further vectors, beside the checkout where somebody has put them there. No test needs them. */
const further = new URL('../../../shared/vectors/', import.meta.url);

function casesOf(file: URL): SignatureCase[] {
  const { cases = [] } = JSON.parse(readFileSync(file, 'utf8')) as { cases?: SignatureCase[] };
  return cases;
}

/** The cases of every file of vectors in a folder; none where there is no such folder. */
export function furtherCases(folder = further): SignatureCase[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) =>
      casesOf(new URL(name, folder)).map((one) => ({ ...one, name: `${basename(name)}: ${one.name}` })),
    );
}

export const signatureCases = [
  ...casesOf(new URL('../fixtures/signature.json', import.meta.url)),
  ...furtherCases(),
];
