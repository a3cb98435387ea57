import { isCredentialHeader } from '../../shared/masking/likelySecrets.ts';

/** A header to search for, by its name and, if given, by a part of its value. */
export interface HeaderTerm {
  /** Case-insensitive, like the value. */
  name: string;
  value?: string;
}

/** @param headers names in lower case */
export function hasHeader(headers: Readonly<Record<string, string>>, { name, value }: HeaderTerm): boolean {
  const sought = name.toLowerCase();
  const found = Object.hasOwn(headers, sought) ? headers[sought] : undefined;
  if (found === undefined || value === undefined) return found !== undefined;
  return isSearchable(sought) && found.toLowerCase().includes(value.toLowerCase());
}

/** Whether a text is in the name of a header, or in a value that may be searched. @param text in lower case */
export function headersHold(headers: Readonly<Record<string, string>>, text: string): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.includes(text) || (isSearchable(name) && value.toLowerCase().includes(text)),
  );
}

/** Whether the value of a header may be searched. */
export function isSearchable(name: string): boolean {
  // Credentials are masked where they are shown, and a search must not reveal them letter by letter either.
  return !isCredentialHeader(name) && !/signature|^set-cookie$/i.test(name);
}
