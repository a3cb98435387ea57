import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A signed webhook and the expected verdict, made by another implementation. */
interface SignatureCase {
  name: string;
  heldSecret: string;
  /** The time of arrival, in Unix seconds. */
  clock: number;
  headers: Record<string, string>;
  bodyBase64: string;
  verdict: string;
  /** The cause that the diagnosis must name, if any. */
  cause?: string;
}

/** An optional folder with further test vectors, beside the checkout. */
const externalVectors = new URL('../../../../shared/vectors/', import.meta.url);

function casesOf(file: URL): SignatureCase[] {
  const { cases = [] } = JSON.parse(readFileSync(file, 'utf8')) as { cases?: SignatureCase[] };
  return cases;
}

/** The cases in all files of a folder; none if the folder does not exist. */
function externalCases(folder = externalVectors): SignatureCase[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) =>
      casesOf(new URL(name, folder)).map((one) => ({ ...one, name: `${basename(name)}: ${one.name}` })),
    );
}

export const signatureCases = [
  ...casesOf(new URL('../../fixtures/signature.json', import.meta.url)),
  ...externalCases(),
];
