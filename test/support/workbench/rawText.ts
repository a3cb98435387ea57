import { sandboxFaults } from '../../../src/contract/values.ts';
import { fields } from '../../../src/model/settings/appSettings.ts';

/** What is the same in every language: data, names, and what goes over the wire. */
const untranslated: readonly RegExp[] = [
  // Files and programs.
  /[\w./-]+\.json\b|\/opt\/cloudflared/g,
  // What VS Code itself says, whose own language pack is not here.
  / (Section|actions)$|, has actions$|^Actions for |^Back \(.*\)$|^(Welcome|Progress|Collapse All|More Actions...|Cancel)$/g,
  / - ⟦.*|\(Press 'Enter'.*|^\d+ Results$|^(Control|Shift|Alt)\+.*|Configure Keybinding|^Toggle all checkboxes$|^\d+ Selected$|^OK$/g,
  /^⟦? ?[\w-]+(?= {2})/g,
  /\bRunhook( Deliveries)?\b/g,
  // What the sandbox names its things.
  /\bp-sandbox\b|\bsa-(ci|preview|production)\b|\brun-[\da-f-]+…?/g,
  /\b(Sandbox|ci|dev|preview|staging|production|prod|this-editor|deploy-bot|laptop|old-laptop|nightly)\b/g,
  /\b(app-)?(hello|echo|sleep|fail|stream)\b/g,
  // Addresses, units, status lines, JSON, the values of the wire.
  /\bhttps?:\/\/\S*|\blocalhost(:\d+\S*)?/g,
  /\b[\da-f]{8}-[\da-f-]{27}\b|\bv1,[\da-f]{64}/g,
  /\b(KB|MB|ms|B|s|UTC)\b/g,
  /\b(GET|POST|PATCH)\b( \/\S+)?|^\/v2\/\S+|"[^"]*"|'[^']*'/g,
  new RegExp(`\\b(${fields.map(({ name }) => name).join('|')})\\b`, 'g'),
  // Headers of an answer, fields of a key as the service names them; languages with their frameworks.
  /^[\w-]+: .*$|\bPHP\b/gm,
  // What is typed to find deliveries.
  /\b(app|run|verdict|status|header|since):|\brefused\b/g,
  // What the sandbox calls its faults.
  new RegExp(`^(${sandboxFaults.join('|')})(?=$|, )`, 'g'),
];

/** Whether a text of a workbench in the pseudo-locale has a part that nobody has translated. */
export function isRaw(text: string): boolean {
  return /[A-Za-z]{2,}/.test(untranslated.reduce((rest, known) => rest.replaceAll(known, ''), text));
}
