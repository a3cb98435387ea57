import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';
import { waitFor } from '../time/waitFor.ts';
import type { Workbench } from './workbench.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Waits for the frame of one of our webview pages. @param name the id of its `<main>` element */
export async function pageFrame({ page }: Workbench, name: string): Promise<Frame> {
  return waitFor(`the frame of the page ${name}`, async () => {
    for (const frame of page.frames()) {
      if (await frame.locator(`main#${name} > *`).first().isVisible()) return frame;
    }
    return undefined;
  });
}

/** The accessibility violations that axe-core finds in a page. */
export async function axeViolations(frame: Frame): Promise<string[]> {
  await frame.evaluate(await readFile(axePath, 'utf8'));
  const violations = await frame.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
