/** A service account by its ids. */
export interface AccountRef {
  projectId: string;
  serviceAccountId: string;
}
