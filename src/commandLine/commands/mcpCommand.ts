import { readArguments } from '../options/readArguments.ts';
import { serveMcp } from '../mcp/mcpServer.ts';

/** `runhook mcp`: serves the tools for agents over its standard input and output, until the agent ends. */
export async function mcpCommand(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, { 'allow-write': { type: 'boolean' } });
  await serveMcp({
    allowWrite: values['allow-write'] ?? false,
    folder: process.cwd(),
    environment: process.env,
  });
  return 0;
}
