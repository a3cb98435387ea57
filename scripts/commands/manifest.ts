import { allCommands, type Command } from '../../src/contract/commands.ts';

/** The part of package.json that follows from the commands. */
export interface Manifest {
  contributes: { commands: object[]; menus: Record<string, object[]> };
}

const menus = ['view/title', 'view/item/context', 'editor/title', 'editor/context'] as const;

/** package.json with the commands and menus of the table. */
export function manifestOf<Of extends Manifest>(manifest: Of): Of {
  const declared = allCommands.filter(({ title }) => title !== undefined);
  const contributes = {
    ...manifest.contributes,
    commands: declared.map(contribution),
    menus: {
      commandPalette: declared.flatMap(inPalette),
      ...Object.fromEntries(menus.map((menu) => [menu, declared.flatMap((one) => inMenu(one, menu))])),
    },
  };
  return { ...manifest, contributes };
}

/** package.nls.json with the titles of the table, before all else but the description. */
export function titlesOf({ description = '', ...texts }: Record<string, string>): Record<string, string> {
  const titles = allCommands.flatMap(({ name, title }) =>
    title === undefined ? [] : [[`command.${name}`, title] as const],
  );
  const others = Object.entries(texts).filter(([key]) => !key.startsWith('command.'));
  return { description, ...Object.fromEntries([...titles, ...others]) };
}

function contribution({ id, name, icon, enablement }: Command): object {
  return {
    command: id,
    title: `%command.${name}%`,
    category: 'Runhook',
    ...(icon !== undefined && { icon: `$(${icon})` }),
    ...(enablement !== undefined && { enablement }),
  };
}

/** The palette has what a manifest says nothing of. */
function inPalette({ id, palette = true }: Command): object[] {
  return palette === true ? [] : [{ command: id, when: String(palette) }];
}

function inMenu({ id, menus: items = [] }: Command, menu: (typeof menus)[number]): object[] {
  return items
    .filter((item) => item.menu === menu)
    .flatMap(({ when, groups }) => groups.map((group) => ({ command: id, when, group })));
}
