import * as v from 'valibot';

/** All that is to be said of a command. `npm run commands` writes the manifest and the documentation from it. */
export interface CommandRow {
  /** As shown in the palette and in menus. A command without a title is run only by what Runhook itself shows. */
  title?: string;
  /** A codicon. */
  icon?: string;
  /** The `when` clause under which it can be clicked. */
  enablement?: string;
  /** Whether the palette has it, or the `when` clause under which it has. By default it has what has a title. */
  palette?: boolean | string;
  /** Whether docs/commands.md and keybindings.json have it though the palette does not. */
  published?: true;
  /**
   * The schema of its one argument, an object, with the meaning of each field as its description. Each field that the
   * palette can ask for is optional. Absent: it takes none.
   */
  argument?: v.ObjectSchema<v.ObjectEntries, undefined>;
  /** The schema of what it gives to a caller. Absent: nothing that a caller can rely on. */
  returns?: v.GenericSchema;
  /** What to use in tasks.json and launch.json, which take only a text, in its place: a command, or a task of ours. */
  inConfigurations?: { command: string } | { task: string };
  menus?: readonly MenuItem[];
}

export interface MenuItem {
  menu: 'view/title' | 'view/item/context' | 'editor/title' | 'editor/context' | SubmenuId;
  /** Absent in a submenu: what that is about is said where it stands. */
  when?: string;
  /** The command is in each of these. `inline` is a button. */
  groups: readonly string[];
}

export type SubmenuId = 'runhook.secretOfApp';

/** A menu within others. */
export interface Submenu {
  id: SubmenuId;
  title: string;
  menus: readonly MenuItem[];
}

/** Whether a command applies to a view as a whole. All others in menus of views apply to a row. */
export function isInTitle({ menus = [] }: CommandRow): boolean {
  return menus.some(({ menu }) => menu === 'view/title');
}

/**
 * Whether only callers run a command: nobody can click it, and it gives something. Its failure goes to the caller, even
 * if that passes no argument.
 */
export function isForCallers({ title, palette, menus = [], returns }: CommandRow): boolean {
  return title !== undefined && palette === false && menus.length === 0 && returns !== undefined;
}

/** The title of a view. */
export function title(view: string, group: string, when?: string): MenuItem {
  return { menu: 'view/title', when: and(`view == runhook.${view}`, when), groups: [group] };
}

/** The rows of a view whose `contextValue` matches. */
export function row(view: string, item: RegExp, groups: string | readonly string[], when?: string): MenuItem {
  const shown = `view == runhook.${view} && viewItem =~ ${String(item)}`;
  return { menu: 'view/item/context', when: and(shown, when), groups: [groups].flat() };
}

export function inSubmenu(menu: SubmenuId, group: string, when?: string): MenuItem {
  return { menu, groups: [group], ...(when !== undefined && { when }) };
}

export function editorTitle(when: string, group: string): MenuItem {
  return { menu: 'editor/title', when, groups: [group] };
}

export function editorContext(when: string, group: string): MenuItem {
  return { menu: 'editor/context', when, groups: [group] };
}

function and(clause: string, when: string | undefined): string {
  return when === undefined ? clause : `${clause} && ${when}`;
}

/** A value with its meaning. */
export function about<const Schema extends v.GenericSchema>(schema: Schema, meaning: string) {
  return v.pipe(schema, v.description(meaning));
}

/** An optional field with its meaning. */
export function field<const Schema extends v.GenericSchema>(schema: Schema, meaning: string) {
  return v.optional(about(schema, meaning));
}

/** A value whose type the documentation refers to by name. */
export function named(name: string) {
  return v.pipe(v.unknown(), v.title(name));
}
