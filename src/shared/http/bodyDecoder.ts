/**
 * Decodes a body by the character set that its content type names; as UTF-8 where it names none, or one that nobody knows.
 * @param contentType the header
 */
export function bodyDecoder(contentType = '', options?: { fatal: boolean }) {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset, options);
  } catch {
    return new TextDecoder('utf-8', options);
  }
}
