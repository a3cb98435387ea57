import { loadOnce } from '../../model/async/loadOnce.ts';
import type { Tools, ToolsParts } from './tools.ts';

/** The tools for language models: each calls what the user's own commands call. */
export function agentTools(parts: ToolsParts): () => Promise<Tools> {
  return loadOnce(async () => (await import('./tools.ts')).tools(parts));
}
