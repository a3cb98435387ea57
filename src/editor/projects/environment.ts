/** Whether calls under an account of that environment ask first. */
export function isProduction(environment: string | undefined): boolean {
  return /^prod(uction)?$/i.test(environment?.trim() ?? '');
}
