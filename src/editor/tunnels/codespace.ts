/** A codespace forwards every port at an address of its own; the user decides who may open it. */
export interface Codespace {
  url(port: number): string;
  /** The command that opens the port to everyone, or closes it again. */
  visibilityCommand(port: number, visibility: 'public' | 'private'): string;
}

/**
 * The codespace that this process runs in, undefined outside one.
 * https://docs.github.com/codespaces/developing-in-a-codespace/default-environment-variables-for-your-codespace
 */
export function codespaceOf(
  environment: Readonly<Record<string, string | undefined>>,
): Codespace | undefined {
  const { CODESPACES, CODESPACE_NAME: name, GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: domain } = environment;
  // Checked, because the name becomes part of a command line, and both become part of an address.
  if (CODESPACES !== 'true' || name === undefined || !/^[a-z0-9-]+$/i.test(name)) return undefined;
  const host = domain !== undefined && /^[a-z0-9.-]+$/i.test(domain) ? domain : 'app.github.dev';
  return {
    url: (port) => `https://${name}-${port}.${host}/`,
    visibilityCommand: (port, visibility) =>
      `gh codespace ports visibility ${port}:${visibility} --codespace ${name}`,
  };
}
