import type { MenuItem } from '../../src/contract/commandRow.ts';
import { allCommands, type Command, submenus } from '../../src/contract/commands.ts';

/** The part of package.json that follows from the commands. */
export interface Manifest {
  contributes: { commands: object[]; submenus?: object[]; menus: Record<string, object[]> };
}

const menus = [
  ...(['view/title', 'view/item/context', 'editor/title', 'editor/context'] as const),
  ...submenus.map(({ id }) => id),
];

/** package.json with the commands and menus of the table. */
export function manifestOf<Of extends Manifest>(manifest: Of): Of {
  const declared = allCommands.filter(({ title }) => title !== undefined);
  const contributes = {
    ...manifest.contributes,
    commands: declared.map(contribution),
    submenus: submenus.map(({ id }) => ({ id, label: `%submenu.${shortened(id)}%` })),
    menus: {
      commandPalette: declared.flatMap(inPalette),
      ...Object.fromEntries(
        menus.map((menu) => [
          menu,
          [
            ...declared.flatMap(({ id, menus: items }) => inMenu({ command: id }, items, menu)),
            ...submenus.flatMap(({ id, menus: items }) => inMenu({ submenu: id }, items, menu)),
          ],
        ]),
      ),
    },
  };
  return { ...manifest, contributes };
}

/** package.nls.json with the titles of the table, before all else but the description. */
export function titlesOf({ description = '', ...texts }: Record<string, string>): Record<string, string> {
  const titles = allCommands.flatMap(({ name, title }) =>
    title === undefined ? [] : [[`command.${name}`, title] as const],
  );
  const others = Object.entries(texts).filter(([key]) => !/^(command|submenu)\./.test(key));
  const inner = submenus.map(({ id, title }) => [`submenu.${shortened(id)}`, title] as const);
  return { description, ...Object.fromEntries([...titles, ...inner, ...others]) };
}

function shortened(id: string): string {
  return id.replace('runhook.', '');
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

function inMenu(
  entry: { command: string } | { submenu: string },
  items: readonly MenuItem[] = [],
  menu: MenuItem['menu'],
): object[] {
  return items
    .filter((item) => item.menu === menu)
    .flatMap(({ when, groups }) =>
      groups.map((group) => ({ ...entry, ...(when !== undefined && { when }), group })),
    );
}
