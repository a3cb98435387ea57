import type { Metafile } from 'esbuild';

/** A bundle and all that it imports statically, as paths of outputs: what is loaded with it. */
export function staticallyLoaded({ outputs }: Metafile, entry: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind } of outputs[file]!.imports) {
      if (kind === 'import-statement' && path in outputs) visit(path);
    }
  };
  visit(entry);
  return [...seen];
}
