import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';
import { waitFor } from './waitFor.ts';
import type { Workbench } from './workbench.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** The frame of one of our pages, to look into it with a tool of the browser. @param name of the page */
export async function pageFrame({ page }: Workbench, name: string): Promise<Frame> {
  return waitFor(`the frame of the page ${name}`, async () => {
    for (const frame of page.frames()) {
      if (await frame.locator(`main#${name} > *`).first().isVisible()) return frame;
    }
    return undefined;
  });
}

/** What axe-core finds wrong in a page. */
export async function violationsIn(frame: Frame): Promise<string[]> {
  await frame.evaluate(await readFile(axePath, 'utf8'));
  const violations = await frame.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
